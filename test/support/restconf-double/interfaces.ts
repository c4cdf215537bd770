/** A JSON value as RFC 7951 writes YANG data. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ethernet(name: string, description: string, address?: string): JsonObject {
  const ipv4 = { enabled: true, forwarding: true, address: [{ ip: address ?? '', 'prefix-length': 24 }] };
  const type = 'iana-if-type:ethernetCsmacd';
  return { name, description, type, enabled: true, ...(address !== undefined && { 'ietf-ip:ipv4': ipv4 }) };
}

/** Returns the initial configuration of the router. */
export function initialData(): JsonObject {
  const lo = { name: 'lo0', description: 'Router id', type: 'iana-if-type:softwareLoopback', enabled: true };
  const router = { enabled: true, forwarding: false, address: [{ ip: '192.0.2.1', 'prefix-length': 32 }] };
  const list: Json[] = [
    ethernet('eth0', 'Uplink to core-1', '198.51.100.2'),
    ethernet('eth1', 'Uplink to core-2', '203.0.113.2'),
    { ...ethernet('GigabitEthernet0/1', 'Customer port, not in use'), enabled: false },
    { ...lo, 'ietf-ip:ipv4': router },
  ];
  return { 'ietf-interfaces:interfaces': { interface: list } };
}

/** Returns the state data of an interface; an enabled interface is up. `booted` is in milliseconds since 1970. */
export function interfaceState(config: JsonObject, index: number, booted: number): JsonObject {
  const status = config['enabled'] === false ? 'down' : 'up';
  const octets = (factor: number) => (status === 'up' ? String(index * factor) : '0');
  const physical = config['type'] === 'iana-if-type:ethernetCsmacd';
  return {
    'admin-status': status,
    'oper-status': status,
    'last-change': new Date(booted).toISOString(),
    'if-index': index,
    ...(physical && { 'phys-address': `52:54:00:12:34:${String(index + 10)}`, speed: '1000000000' }),
    statistics: {
      'discontinuity-time': new Date(booted).toISOString(),
      'in-octets': octets(73_812_049),
      'out-octets': octets(41_209_731),
    },
  };
}

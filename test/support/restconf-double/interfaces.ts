import { isIPv4 } from 'node:net';
import { isObject, type Json, type JsonObject, nodesOf, type SchemaNode } from './model.js';

// The part of ietf-interfaces (RFC 8343) and ietf-ip (RFC 8344) that a small router would show.
const interfaces = nodesOf('ietf-interfaces');
const ip = nodesOf('ietf-ip');
const restconf = nodesOf('ietf-restconf');

const text = (value: unknown) => typeof value === 'string';
const bool = (value: unknown) => typeof value === 'boolean';
const upTo = (most: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
const interfaceType = (value: unknown) => text(value) && /^iana-if-type:[A-Za-z][\w-]*$/.test(value);
const state = { config: false };

const ipv4 = ip.container('ipv4', [
  ip.leaf('enabled', bool, { fallback: true }),
  ip.leaf('forwarding', bool, { fallback: false }),
  ip.leaf('mtu', upTo(65_535)),
  ip.list('address', 'ip', [
    ip.leaf('ip', (value) => text(value) && isIPv4(value), { mandatory: true }),
    ip.leaf('prefix-length', upTo(32), { mandatory: true }),
  ]),
]);

const statistics = ['discontinuity-time', 'in-octets', 'out-octets'].map((name) =>
  interfaces.leaf(name, text, state),
);

const entry = interfaces.list('interface', 'name', [
  interfaces.leaf('name', text, { mandatory: true }),
  interfaces.leaf('description', text),
  interfaces.leaf('type', interfaceType, { mandatory: true }),
  interfaces.leaf('enabled', bool, { fallback: true }),
  ...['admin-status', 'oper-status', 'last-change', 'phys-address', 'speed'].map((name) =>
    interfaces.leaf(name, text, state),
  ),
  interfaces.leaf('if-index', upTo(2 ** 31), state),
  interfaces.container('statistics', statistics, false),
  ipv4,
]);

/** The datastore resource, `{+restconf}/data`. */
export const datastoreNode: SchemaNode = restconf.container('data', [
  interfaces.container('interfaces', [entry]),
]);

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

/** The entries of the interface list of a datastore. */
export function interfaceEntries(data: Json | undefined): readonly JsonObject[] {
  const top = isObject(data) ? data['ietf-interfaces:interfaces'] : undefined;
  const list = isObject(top) ? top['interface'] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** State of an interface that does not follow from its configuration. Times in milliseconds since 1970. */
export interface InterfaceHistory {
  readonly index: number;
  readonly booted: number;
  readonly lastChange: number;
}

/** Returns the state data of an interface; an enabled interface is up. */
export function interfaceState(config: JsonObject, history: InterfaceHistory): JsonObject {
  const status = config['enabled'] === false ? 'down' : 'up';
  const octets = (factor: number) => (status === 'up' ? String(history.index * factor) : '0');
  const physical = config['type'] === 'iana-if-type:ethernetCsmacd';
  return {
    'admin-status': status,
    'oper-status': status,
    'last-change': new Date(history.lastChange).toISOString(),
    'if-index': history.index,
    ...(physical && { 'phys-address': `52:54:00:12:34:${String(history.index + 10)}`, speed: '1000000000' }),
    statistics: {
      'discontinuity-time': new Date(history.booted).toISOString(),
      'in-octets': octets(73_812_049),
      'out-octets': octets(41_209_731),
    },
  };
}

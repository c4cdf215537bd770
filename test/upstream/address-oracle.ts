import type { AddressClass } from '../../src/upstream/address.js';

type Range = readonly [string, string, AddressClass];

// Written from the IANA registries as first and last address, in a different form than the table under test.
const IPV4: readonly Range[] = [
  ['169.254.169.254', '169.254.169.254', 'metadata'],
  ['100.100.100.200', '100.100.100.200', 'metadata'],
  ['168.63.129.16', '168.63.129.16', 'metadata'],
  ['192.0.0.192', '192.0.0.192', 'metadata'],
  ['0.0.0.0', '0.255.255.255', 'unspecified'],
  ['10.0.0.0', '10.255.255.255', 'private'],
  ['100.64.0.0', '100.127.255.255', 'shared'],
  ['127.0.0.0', '127.255.255.255', 'loopback'],
  ['169.254.0.0', '169.254.255.255', 'link-local'],
  ['172.16.0.0', '172.31.255.255', 'private'],
  ['192.0.0.0', '192.0.0.255', 'reserved'],
  ['192.0.2.0', '192.0.2.255', 'documentation'],
  ['192.88.99.0', '192.88.99.255', 'reserved'],
  ['192.168.0.0', '192.168.255.255', 'private'],
  ['198.18.0.0', '198.19.255.255', 'benchmarking'],
  ['198.51.100.0', '198.51.100.255', 'documentation'],
  ['203.0.113.0', '203.0.113.255', 'documentation'],
  ['224.0.0.0', '239.255.255.255', 'multicast'],
  ['240.0.0.0', '255.255.255.255', 'reserved'],
];

/** Ranges that are not public, as 32-bit numbers; the first range that contains an address counts. */
export const IPV4_RANGES = IPV4.map(([from, to, name]) => [numberOf(from), numberOf(to), name] as const);

/** Returns the class of an IPv4 address. */
export function oracle4(value: number): AddressClass {
  return IPV4_RANGES.find(([from, to]) => from <= value && value <= to)?.[2] ?? 'public';
}

/** Returns the address in dotted notation. */
export function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

function numberOf(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

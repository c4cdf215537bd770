import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Purpose of an IP address; only `public` addresses are open to everyone. */
export type AddressClass =
  | 'public'
  | 'loopback'
  | 'unspecified'
  | 'link-local'
  | 'private'
  | 'unique-local'
  | 'shared'
  | 'metadata'
  | 'multicast'
  | 'reserved'
  | 'documentation'
  | 'benchmarking';

/** A parsed IP address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** First address and prefix length. */
export type Network = readonly [Address, number];

type Row = readonly [string, AddressClass];

// The IANA special-purpose registries, and the addresses of cloud credential services. The first matching row
// applies.
const IPV4_ROWS: readonly Row[] = [
  ['169.254.169.254/32', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['0.0.0.0/0', 'public'],
];

const IPV6_ROWS: readonly Row[] = [
  ['fd00:ec2::254/128', 'metadata'],
  ['fc00::/7', 'unique-local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
  ['2001:2::/48', 'benchmarking'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['2000::/3', 'public'],
  ['::/0', 'reserved'],
];

/** IPv6 networks whose addresses embed an IPv4 address, and the byte offset of that address. */
const EMBEDDINGS: readonly (readonly [string, number])[] = [
  ['::ffff:0:0/96', 12],
  ['64:ff9b::/96', 12],
  ['::/96', 12],
  ['::ffff:0:0:0/96', 12],
  ['64:ff9b:1::/48', 12],
  ['2002::/16', 2],
];

/**
 * Embeddings in current use, whose public IPv4 addresses are reachable: mapped (RFC 4291) and NAT64 (RFC
 * 6052).
 */
const LIVE_EMBEDDINGS = ['::ffff:0:0/96', '64:ff9b::/96'].map((cidr) => ipaddr.parseCIDR(cidr));

/** First and last address as 32-bit numbers. */
const ipv4Ranges = IPV4_ROWS.map(([cidr, name]) => ({ ...rangeOf(cidr), name }));
const ipv6Rows = parseRows(IPV6_ROWS);
const embeddings = EMBEDDINGS.map(([cidr, at]) => [ipaddr.parseCIDR(cidr), at] as const);

/** Classifies an IP address in any spelling that Node accepts; other text is `reserved`. */
export function classifyAddress(ip: string): AddressClass {
  const address = parseAddress(ip);
  if (!address) return 'reserved';
  if (address.kind() === 'ipv4') return classifyIpv4(numberOf(address));
  if (address.toString() === '::1') return 'loopback';
  if (address.toString() === '::') return 'unspecified';
  const embedded = embeddedIpv4(address);
  if (!embedded) return resolveAddress(ipv6Rows, address);
  const embeddedClass = classifyIpv4(numberOf(embedded));
  return embeddedClass === 'public' ? outerClass(address) : embeddedClass;
}

/** Classifies an IPv4 address, given as a 32-bit number. */
export function classifyIpv4(value: number): AddressClass {
  for (const { first, last, name } of ipv4Ranges) if (first <= value && value <= last) return name;
  return 'reserved';
}

/** Parses an address strictly: no octal, decimal or short spellings. Ignores the zone of an IPv6 address. */
export function parseAddress(ip: string): Address | undefined {
  const [bare = ''] = ip.split('%', 1);
  if (isIPv4(bare)) return ipaddr.parse(bare);
  // ipaddr.js reads ::a.b.c.d as ::ffff:a.b.c.d, which is another address; URLs write both without dots.
  return isIPv6(bare) ? ipaddr.parse(new URL(`http://[${bare}]/`).hostname.slice(1, -1)) : undefined;
}

/** Returns the IPv4 address that an IPv6 address embeds, if any. */
export function embeddedIpv4(address: Address): Address | undefined {
  if (address.kind() === 'ipv4') return undefined;
  const bytes = address.toByteArray();
  const at = embeddings.find(([network]) => contains(network, address))?.[1];
  if (at !== undefined) return ipaddr.fromByteArray(bytes.slice(at, at + 4));
  return isIsatap(address) ? ipaddr.fromByteArray(bytes.slice(12)) : undefined;
}

/** Returns true when the network contains the address; always false for the other IP version. */
export function contains([base, bits]: Network, address: Address): boolean {
  return base.kind() === address.kind() && address.match([base, bits] as [Address, number]);
}

/** Returns true for an ISATAP interface identifier (RFC 5214), under any prefix. */
function isIsatap(address: Address): boolean {
  const [a = 0, b, c, d] = address.toByteArray().slice(8, 12);
  return (a & 0xfd) === 0 && b === 0 && c === 0x5e && d === 0xfe;
}

/** Classifies an IPv6 address that embeds a public IPv4 address; for ISATAP, the prefix counts as well. */
function outerClass(address: Address): AddressClass {
  if (LIVE_EMBEDDINGS.some((network) => contains(network, address))) return 'public';
  return embeddings.some(([network]) => contains(network, address))
    ? 'reserved'
    : resolveAddress(ipv6Rows, address);
}

function rangeOf(cidr: string): { readonly first: number; readonly last: number } {
  const [base, bits] = ipaddr.parseCIDR(cidr);
  const first = numberOf(base);
  return { first, last: first + 2 ** (32 - bits) - 1 };
}

function numberOf(ipv4: Address): number {
  return ipv4.toByteArray().reduce((sum, byte) => sum * 256 + byte, 0);
}

function parseRows(rows: readonly Row[]): readonly (readonly [Network, AddressClass])[] {
  return rows.map(([cidr, name]) => [ipaddr.parseCIDR(cidr), name]);
}

function resolveAddress(rows: readonly (readonly [Network, AddressClass])[], address: Address): AddressClass {
  return rows.find(([network]) => contains(network, address))?.[1] ?? 'reserved';
}

import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { contains, parseAddress, type Address, type Network } from './address.js';

/** An entry of `egress.allow` or `egress.deny`. */
export interface EgressRule {
  /** A host name in lower case, or a network. */
  readonly place: string | Network;
  /** Absent: every port. */
  readonly port?: number;
}

/** Host names: labels of letters, digits, `-` and `_`, separated by dots, without a final dot. */
export const HOST_NAME = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/i;

const BRACKETED = /^\[([0-9a-f:.]+)(?:\/(\d{1,3}))?\](?:\/(\d{1,3}))?(?::(\d{1,5}))?$/i;
const PLAIN = /^([^:/[\]]+)(?:\/(\d{1,2}))?(?::(\d{1,5}))?$/;
const BARE_IPV6 = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i;

/**
 * Parses `host`, an address or a CIDR, each with an optional `:port` (IPv6 then in brackets). Returns a text
 * that describes the fault of an invalid entry.
 */
export function parseEgressEntry(entry: string): EgressRule | string {
  const { name, length, port } = split(entry);
  if (name === '') return 'is not a host, an address or a CIDR, with an optional port';
  if (port !== undefined && (port < 1 || port > 65_535)) return 'has a port that is not between 1 and 65535';
  const place = isIPv4(name) || isIPv6(name) ? parseNetwork(name, length) : parseHost(name, length);
  if (typeof place === 'object' && 'wrong' in place) return place.wrong;
  return port === undefined ? { place } : { place, port };
}

function split(entry: string): { name: string; length?: number; port?: number } {
  const bracketed = BRACKETED.exec(entry);
  const found = bracketed
    ? [bracketed[1], bracketed[2] ?? bracketed[3], bracketed[4]]
    : (PLAIN.exec(entry) ?? BARE_IPV6.exec(entry))?.slice(1);
  const [name = '', length, port] = found ?? [];
  if (bracketed && !isIPv6(name)) return { name: '' };
  return {
    name,
    ...(length !== undefined && { length: Number(length) }),
    ...(port !== undefined && { port: Number(port) }),
  };
}

interface Wrong {
  readonly wrong: string;
}

function parseHost(name: string, length: number | undefined): string | Wrong {
  if (length !== undefined) return { wrong: 'has a prefix length but no address before it' };
  if (!HOST_NAME.test(name)) return { wrong: 'is not a host name, an address or a CIDR' };
  // URL parsers read 127.1 and 0x7f.0.0.1 as addresses, so these would never match as names.
  if (!isStableHost(name))
    return { wrong: 'is an address in a short or unusual spelling; write all four parts' };
  return name.toLowerCase();
}

function isStableHost(name: string): boolean {
  return URL.canParse(`http://${name}/`) && new URL(`http://${name}/`).hostname === name.toLowerCase();
}

function parseNetwork(name: string, length: number | undefined): Network | Wrong {
  const address = parseAddress(name);
  if (!address) return { wrong: 'is not an address' };
  const whole = address.kind() === 'ipv4' ? 32 : 128;
  const bits = length ?? whole;
  if (bits > whole) return { wrong: `has a prefix length beyond ${whole}` };
  if (contains(MAPPED, address)) return { wrong: 'is an IPv4 address in IPv6 form; write it as IPv4' };
  if (!isFirst(address, bits))
    return { wrong: 'has bits set beyond its prefix length; write the first address' };
  return [address, bits];
}

const MAPPED = ipaddr.parseCIDR('::ffff:0:0/96');

function isFirst(address: Address, bits: number): boolean {
  const cidr = `${address.toString()}/${bits}`;
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return kind.networkAddressFromCIDR(cidr).toString() === address.toString();
}

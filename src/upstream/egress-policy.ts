import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { LocatedFault } from '../core/fault.js';
import type { EgressSettings } from '../settings/settings.js';
import {
  type Address,
  classifyAddress,
  contains,
  embeddedIpv4,
  type Network,
  parseAddress,
} from './address.js';

/**
 * Ports of non-HTTP services that could accept a request as their own protocol: the "bad ports" of the Fetch
 * standard, and two text protocols of data stores.
 */
const BAD_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
]);

/**
 * Standard ports of services that manage machines or hold data, and that often trust every peer: Docker, etcd,
 * SQL databases, ZooKeeper, RDP, RabbitMQ, CouchDB, Vault, Consul, Cassandra, Kafka, Elasticsearch, kubelet and
 * MongoDB.
 */
const INFRASTRUCTURE_PORTS: ReadonlySet<number> = new Set([
  1433, 1521, 2181, 2375, 2376, 2377, 2379, 2380, 3306, 3389, 5432, 5672, 5984, 8200, 8500, 9042, 9092, 9200,
  9300, 10250, 10255, 27017,
]);

/** Target of one connection. */
export interface Destination {
  /** Host of the URI in lower case, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** The resolved IP address of the host. */
  readonly address: string;
}

/**
 * The operator's policy for outbound calls: deny rules win, then allow rules; otherwise only public
 * addresses, if enabled, and HTTP ports.
 */
export interface EgressPolicy {
  /**
   * Returns why the destination is denied, as text for the caller without any address; `undefined` if it is
   * permitted.
   */
  refusal(destination: Destination): string | undefined;
}

/** The policy for outbound calls, which also judges host names before they are resolved. */
export interface OutboundPolicy extends EgressPolicy {
  /**
   * Returns why a host name is denied whatever its addresses are; `undefined` if the addresses decide. No name server is asked for
   * a name that is denied.
   */
  refusalOfName(target: Pick<Destination, 'host' | 'port'>): string | undefined;
}

/** Parses the egress settings; pointers of faults start with `/allow` or `/deny`. */
export function parseEgress(settings: Pick<EgressSettings, 'allow' | 'deny' | 'public'>): {
  readonly policy: OutboundPolicy;
  readonly faults: readonly LocatedFault[];
} {
  const faults: LocatedFault[] = [];
  const read = (list: 'allow' | 'deny') =>
    settings[list].flatMap((entry, at) => {
      const rule = parseEgressEntry(entry);
      if (typeof rule !== 'string') return [rule];
      faults.push({ pointer: `/${list}/${at}`, code: 'egress', message: rule, fix: ENTRY_FIX });
      return [];
    });
  return { policy: createPolicy(read('allow'), read('deny'), settings.public), faults };
}

const ENTRY_FIX =
  'Write host, host:port, 10.0.0.0/8, 10.0.0.0/8:443, [2001:db8::1]:443 or [2001:db8::/32]:443.';

function createPolicy(
  allow: readonly EgressRule[],
  deny: readonly EgressRule[],
  allowsPublic: boolean,
): OutboundPolicy {
  return {
    refusalOfName(target) {
      if (deny.some((rule) => rule.target === target.host && fitsPort(rule, target.port))) return DENIED;
      const possible = allow.filter(
        (rule) =>
          fitsPort(rule, target.port) && (typeof rule.target !== 'string' || rule.target === target.host),
      );
      const fault = possible.some((rule) => rule.port !== undefined) ? undefined : portFault(target.port);
      if (fault !== undefined) return fault;
      return possible.length > 0 || allowsPublic ? undefined : UNNAMED;
    },
    refusal(destination) {
      const forms = formsOf(destination.address);
      if (deny.some((rule) => matches(rule, destination, forms))) return DENIED;
      const allowing = allow.filter((rule) => matches(rule, destination, forms.slice(0, 1)));
      if (!allowing.some((rule) => rule.port !== undefined)) {
        const fault = portFault(destination.port);
        if (fault !== undefined) return fault;
      }
      if (allowing.length > 0) return undefined;
      const found = classifyAddress(destination.address);
      if (found !== 'public') return `its address is ${found}`;
      return allowsPublic ? undefined : CLOSED_PUBLIC;
    },
  };
}

const DENIED = 'it is denied by the operator';

const UNNAMED =
  'egress.allow does not have it; the operator can name it there, or set egress.public to true for public addresses';

const CLOSED_PUBLIC =
  'public addresses are closed; the operator can name it in egress.allow, or set egress.public to true';

function portFault(port: number): string | undefined {
  if (BAD_PORTS.has(port)) return `its port ${port} is not an HTTP port`;
  if (!INFRASTRUCTURE_PORTS.has(port)) return undefined;
  return `its port ${port} is one of infrastructure; an entry of egress.allow must name the port`;
}

/** Returns the address as the network uses it, followed by an equivalent form, if any. */
function formsOf(ip: string): readonly Address[] {
  const address = parseAddress(ip);
  if (!address) return [];
  const embedded = embeddedIpv4(address);
  if (!embedded) return [address];
  return 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress()
    ? [embedded, address]
    : [address, embedded];
}

function fitsPort({ port }: { readonly port?: number | undefined }, wanted: number): boolean {
  return port === undefined || port === wanted;
}

function matches({ target, port }: EgressRule, destination: Destination, forms: readonly Address[]): boolean {
  if (!fitsPort({ port }, destination.port)) return false;
  if (typeof target === 'string') return target === destination.host;
  return forms.some((form) => contains(target, form));
}

/** An entry of `egress.allow` or `egress.deny`. */
interface EgressRule {
  /** A host name in lower case, or a network. */
  readonly target: string | Network;
  /** Absent: every port. */
  readonly port?: number;
}

/** Host names: labels of letters, digits, `-` and `_`, separated by dots, without a final dot. */
export const HOST_NAME = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/i;

const BRACKETED_ENTRY = /^\[([0-9a-f:.]+)(?:\/(\d{1,3}))?\](?:\/(\d{1,3}))?(?::(\d{1,5}))?$/i;

const PLAIN_ENTRY = /^([^:/[\]]+)(?:\/(\d{1,2}))?(?::(\d{1,5}))?$/;

const IPV6_ENTRY = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i;

/**
 * Parses `host`, an address or a CIDR, each with an optional `:port` (IPv6 then in brackets). Returns a text
 * that describes the fault of an invalid entry.
 */
function parseEgressEntry(entry: string): EgressRule | string {
  const { name, length, port } = splitEntry(entry);
  if (name === '') return 'is not a host, an address or a CIDR, with an optional port';
  if (port !== undefined && (port < 1 || port > 65_535)) return 'has a port that is not between 1 and 65535';
  const target = isIPv4(name) || isIPv6(name) ? parseNetwork(name, length) : parseHost(name, length);
  if (typeof target === 'object' && 'fault' in target) return target.fault;
  return port === undefined ? { target } : { target, port };
}

function splitEntry(entry: string): { name: string; length?: number; port?: number } {
  const bracketed = BRACKETED_ENTRY.exec(entry);
  const found = bracketed
    ? [bracketed[1], bracketed[2] ?? bracketed[3], bracketed[4]]
    : (PLAIN_ENTRY.exec(entry) ?? IPV6_ENTRY.exec(entry))?.slice(1);
  const [name = '', length, port] = found ?? [];
  if (bracketed && !isIPv6(name)) return { name: '' };
  return {
    name,
    ...(length !== undefined && { length: Number(length) }),
    ...(port !== undefined && { port: Number(port) }),
  };
}

interface EntryFault {
  readonly fault: string;
}

function parseHost(name: string, length: number | undefined): string | EntryFault {
  if (length !== undefined) return { fault: 'has a prefix length but no address before it' };
  if (!HOST_NAME.test(name)) return { fault: 'is not a host name, an address or a CIDR' };
  // URL parsers read 127.1 and 0x7f.0.0.1 as addresses, so these would never match as names.
  if (!isStableHost(name))
    return { fault: 'is an address in a short or unusual spelling; write all four parts' };
  return name.toLowerCase();
}

function isStableHost(name: string): boolean {
  return URL.canParse(`http://${name}/`) && new URL(`http://${name}/`).hostname === name.toLowerCase();
}

function parseNetwork(name: string, length: number | undefined): Network | EntryFault {
  const address = parseAddress(name);
  if (!address) return { fault: 'is not an address' };
  const maxBits = address.kind() === 'ipv4' ? 32 : 128;
  const bits = length ?? maxBits;
  if (bits > maxBits) return { fault: `has a prefix length beyond ${maxBits}` };
  if (contains(IPV4_MAPPED, address)) return { fault: 'is an IPv4 address in IPv6 form; write it as IPv4' };
  if (!isNetworkAddress(address, bits))
    return { fault: 'has bits set beyond its prefix length; write the first address' };
  return [address, bits];
}

const IPV4_MAPPED = ipaddr.parseCIDR('::ffff:0:0/96');

function isNetworkAddress(address: Address, bits: number): boolean {
  const cidr = `${address.toString()}/${bits}`;
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return kind.networkAddressFromCIDR(cidr).toString() === address.toString();
}

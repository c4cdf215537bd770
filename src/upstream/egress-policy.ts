import type { EgressSettings } from '../core/settings.js';
import { classifyAddress, contains, embeddedIpv4, parseAddress, type Address } from './address.js';
import { parseEgressEntry, type EgressRule } from './egress-entry.js';
import type { LocatedFault } from '../core/fault.js';

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

/** Parses the egress settings; pointers of faults start with `/allow` or `/deny`. */
export function parseEgress(settings: Pick<EgressSettings, 'allow' | 'deny' | 'public'>): {
  readonly policy: EgressPolicy;
  readonly faults: readonly LocatedFault[];
} {
  const faults: LocatedFault[] = [];
  const read = (list: 'allow' | 'deny') =>
    settings[list].flatMap((entry, at) => {
      const rule = parseEgressEntry(entry);
      if (typeof rule !== 'string') return [rule];
      faults.push({ pointer: `/${list}/${at}`, code: 'egress', message: rule, fix: FIX });
      return [];
    });
  return { policy: createPolicy(read('allow'), read('deny'), settings.public), faults };
}

const FIX = 'Write host, host:port, 10.0.0.0/8, 10.0.0.0/8:443, [2001:db8::1]:443 or [2001:db8::/32]:443.';

function createPolicy(
  allow: readonly EgressRule[],
  deny: readonly EgressRule[],
  isPublicOpen: boolean,
): EgressPolicy {
  return {
    refusal(destination) {
      const forms = formsOf(destination.address);
      if (deny.some((rule) => matches(rule, destination, forms))) return 'it is denied by the operator';
      const openers = allow.filter((rule) => matches(rule, destination, forms.slice(0, 1)));
      if (BAD_PORTS.has(destination.port) && !openers.some((rule) => rule.port !== undefined))
        return `its port ${destination.port} is not one for HTTP`;
      if (openers.length > 0) return undefined;
      const found = classifyAddress(destination.address);
      if (found !== 'public') return `its address is ${found}`;
      return isPublicOpen ? undefined : 'the operator has not named it';
    },
  };
}

/** Returns the address as the network uses it, followed by an equivalent form, if any. */
function formsOf(ip: string): readonly Address[] {
  const address = parseAddress(ip);
  if (!address) return [];
  const inner = embeddedIpv4(address);
  if (!inner) return [address];
  return 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress()
    ? [inner, address]
    : [address, inner];
}

function matches({ place, port }: EgressRule, destination: Destination, forms: readonly Address[]): boolean {
  if (port !== undefined && port !== destination.port) return false;
  if (typeof place === 'string') return place === destination.host;
  return forms.some((form) => contains(place, form));
}

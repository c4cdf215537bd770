import type { EgressSettings } from '../core/settings.js';
import { classifyAddress, contains, embeddedIpv4, parseAddress, type Address } from './address.js';
import { BAD_PORTS } from './blocked-ports.js';
import { parseEgressEntry, type EgressRule } from './egress-entry.js';
import type { LocatedFault } from '../core/fault.js';

/** Where one connection would go. */
export interface Destination {
  /** Host of the URI in lower case, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** The IP address that the host has. */
  readonly address: string;
}

/** The operator's decision on outbound calls: deny wins, then allow, then only public addresses, if any, and ports of HTTP. */
export interface EgressPolicy {
  /** Why the destination is closed, in words for the caller that name no address; `undefined` when it is open. */
  refusal(destination: Destination): string | undefined;
}

/** Reads the egress settings; pointers of faults start with `/allow` or `/deny`. */
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

/** The address as the network sees it, then whatever else it may stand for. */
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

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { OwnAddress } from '../core/egress.js';
import { BoundedMap } from '../lib/bounded-map.js';
import type { Clock } from '../lib/clock.js';
import { type AddressClass, classifyAddress, embeddedIpv4, parseAddress } from './address.js';

/** Resolves a name that the operator configured, as the connections of the server do. */
type ResolveName = (hostname: string) => Promise<readonly string[]>;

const resolveWithSystem: ResolveName = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** Target of an outbound call, with all its addresses. */
interface CheckedTarget {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly addresses: readonly string[];
}

/** Services of this server that outbound calls must not reach. */
export interface OwnAddressCheck {
  /** Returns why the target is denied, as text for the caller; `undefined` if it is none of the services. */
  refusal(target: CheckedTarget, services: readonly OwnAddress[]): Promise<string | undefined>;
}

/** Time for which the addresses of a service are remembered, in milliseconds. */
const REMEMBER_MS = 30_000;

/** Creates the check. It resolves the name of a service only for a target with the same port. */
export function createOwnAddressCheck(
  clock: Clock,
  resolve: ResolveName = resolveWithSystem,
): OwnAddressCheck {
  const known = new BoundedMap<
    string,
    { readonly until: number; readonly addresses: Promise<readonly string[]> }
  >({ maxEntries: 64 });
  function addressesOf(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return Promise.resolve([host]);
    const found = known.get(host);
    if (found && found.until > clock.now()) return found.addresses;
    const addresses = resolve(host);
    known.set(host, { until: clock.now() + REMEMBER_MS, addresses });
    addresses.catch(() => {
      known.delete(host);
    });
    return addresses;
  }
  async function refusalBy(service: OwnAddress, target: CheckedTarget): Promise<string | undefined> {
    if (service.host === target.host) return `it is ${service.name}`;
    // The certificate then proves that the target is another site.
    if (service.isShared && target.secure && isIP(target.host) === 0) return undefined;
    try {
      const own = await addressesOf(service.host);
      return isSamePlace(own, target.addresses)
        ? `its address and port are those of ${service.name}`
        : undefined;
    } catch {
      return `its port is that of ${service.name}, whose address cannot be looked up now`;
    }
  }
  return {
    async refusal(target, services) {
      for (const service of services) {
        if (service.port !== target.port) continue;
        const reason = await refusalBy(service, target);
        if (reason !== undefined) return reason;
      }
      return undefined;
    },
  };
}

/**
 * Returns true if two lists have an address in common. All addresses of this machine count as one, because a
 * service that listens on all of them is configured with one.
 */
function isSamePlace(own: readonly string[], others: readonly string[]): boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const local = new Set(interfaces.map(({ address }) => normalized(address)));
  const placeOf = (address: string): string => {
    const isLocal = LOCAL_CLASSES.has(classifyAddress(address)) || local.has(normalized(address));
    return isLocal ? 'this machine' : normalized(address);
  };
  const places = new Set(own.map(placeOf));
  return others.some((address) => places.has(placeOf(address)));
}

/** A listener uses the unspecified address for all addresses; a connection to it reaches this machine. */
const LOCAL_CLASSES: ReadonlySet<AddressClass> = new Set(['loopback', 'unspecified']);

function normalized(text: string): string {
  const address = parseAddress(text);
  return address ? (embeddedIpv4(address) ?? address).toNormalizedString() : text;
}

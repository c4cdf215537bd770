import type { OwnAddress } from '../core/egress.js';
import type { LocatedFault } from '../core/fault.js';
import { Problem } from '../core/problem.js';
import { adapterTargets } from './adapter-targets.js';
import { type AddressClass, classifyAddress, parseAddress } from './address.js';
import { bareHost, type DialTarget, type InspectConnection } from './connect.js';
import { type Destination, type EgressPolicy, parseEgress } from './egress-policy.js';
import type { OwnAddressCheck } from './own-addresses.js';

/** Addresses that only processes of this machine, or its cloud, should reach. */
const DENIED_CLASSES: ReadonlySet<AddressClass> = new Set([
  'link-local',
  'loopback',
  'metadata',
  'multicast',
  'unspecified',
]);

/**
 * Parses `egress.adapters`, the targets that registered adapters may reach besides private and public
 * addresses. Pointers of faults start with `/adapters`.
 */
export function parseAdapterEgress(entries: readonly string[]): {
  readonly policy: EgressPolicy;
  readonly faults: readonly LocatedFault[];
} {
  const { policy, faults } = parseEgress({ allow: entries, deny: [], public: false });
  return {
    policy: {
      refusal(destination) {
        const found = classifyAddress(destination.address);
        return DENIED_CLASSES.has(found) && !isOpen(policy, destination)
          ? `its address is ${found}; ${ADVICE}`
          : undefined;
      },
    },
    faults: faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace(/^\/allow/, '/adapters') })),
  };
}

/** An entry without a port opens all ports, also those that the policy of outbound calls closes; port 0 has no rule. */
function isOpen(policy: EgressPolicy, destination: Destination): boolean {
  return [destination, { ...destination, port: 0 }].some((form) => policy.refusal(form) === undefined);
}

const ADVICE = 'the operator can open it in egress.adapters';

/**
 * Returns the faults of a registered adapter whose settings name a denied target, as far as they show it without
 * a lookup: `localhost` or an IP address. Connections to other hosts are checked when they are made.
 */
export function deniedTargetFaults(
  settings: unknown,
  openTargets: readonly string[],
): readonly LocatedFault[] {
  const { policy } = parseAdapterEgress(openTargets);
  return adapterTargets(settings).flatMap(({ pointer, url }) => {
    const reason = url === undefined ? undefined : urlRefusal(url, policy);
    if (reason === undefined) return [];
    return [
      {
        pointer,
        code: 'egress',
        message: `names a target that adapters registered through the API must not reach: ${reason}`,
        fix: 'Use another address, write the adapter into a file, or ask the operator to open the address.',
      },
    ];
  });
}

function urlRefusal(url: string, policy: EgressPolicy): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname, port, protocol } = new URL(url);
  const host = bareHost(hostname);
  const address = /(?:^|\.)localhost\.?$/.test(host) ? '127.0.0.1' : host;
  if (!parseAddress(address)) return undefined;
  return policy.refusal({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)), address });
}

/** What a registered adapter must not reach. */
interface AdapterEgressRules {
  readonly policy: EgressPolicy;
  /** Returns the services of this server, which a reload changes. */
  readonly ownAddresses: () => readonly OwnAddress[];
  readonly ownAddressCheck: OwnAddressCheck;
}

/** Creates the check of a connection. It throws `egress_denied` for an address that is denied. */
export function createConnectionCheck(
  { policy, ownAddresses, ownAddressCheck }: AdapterEgressRules,
  { verifiesName }: { readonly verifiesName: boolean },
): InspectConnection {
  return async ({ hostname: host, port, isSecure }: DialTarget, address) => {
    const addresses = [address];
    const target = { host, port, secure: isSecure && verifiesName, addresses };
    // An ingress can serve this server and an orchestrator at one address; the certificate then distinguishes them.
    const own = ownAddresses().map((service) => ({ ...service, isShared: true as const }));
    const reason = policy.refusal({ host, port, address }) ?? (await ownAddressCheck.refusal(target, own));
    if (reason === undefined) return;
    throw new Problem(
      'egress_denied',
      `the adapter was registered through the API, and must not connect to "${host}": ${reason}`,
    );
  };
}

import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { Problem } from '../core/problem.js';
import { parseAddress } from './address.js';
import type { Deadline } from './deadline.js';
import { dial, type Peer, type Security } from './connect.js';
import type { EgressPolicy } from './egress-policy.js';
import type { EgressTarget } from './egress-uri.js';
import { failureOf } from './failure.js';

/** Resolves a host name to all its IP addresses. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** More addresses than this are not tried, and the time is shared between them. */
const ATTEMPTS = 4;

/** Asks the resolver of the operating system, `/etc/hosts` included. */
export const systemLookup: Lookup = async (hostname) =>
  (await dnsLookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/** What every connection of one way out has in common. */
export interface CheckedConnectOptions {
  readonly policy: EgressPolicy;
  readonly lookup: Lookup;
  readonly security: Security;
  readonly totalMs: number;
}

/**
 * Connects to a host: one look-up, every address it gives checked, then only checked addresses dialled, and the
 * connected address compared before a byte is written. The name cannot mean one thing to the check and another to the
 * connection. Throws `egress_denied`, `upstream_unreachable` or `upstream_timeout`.
 */
export async function connectChecked(
  target: EgressTarget,
  options: CheckedConnectOptions,
  deadline: Deadline,
): Promise<Socket> {
  const addresses = await addressesOf(target.host, options.lookup);
  for (const address of addresses) {
    const refusal = options.policy.refusal({ host: target.host, port: target.port, address });
    if (refusal !== undefined) throw denied(target, refusal);
  }
  const attempts = addresses.slice(0, ATTEMPTS);
  const terms = { connectMs: options.totalMs / attempts.length, signal: deadline.signal };
  let failure: Error | undefined;
  for (const address of attempts) {
    try {
      return await dial(peerAt(address, target, options.security), terms);
    } catch (error) {
      deadline.check();
      failure = failureOf(error, 'connecting');
    }
  }
  throw failure ?? new Problem('upstream_unreachable', 'the host name has no address');
}

async function addressesOf(host: string, lookup: Lookup): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return await lookup(host);
  } catch (error) {
    throw failureOf(error, 'connecting');
  }
}

function peerAt(address: string, target: EgressTarget, security: Security): Peer {
  return {
    address,
    port: target.port,
    ...(target.secure && { secure: { name: target.host, security } }),
    inspect: ({ remoteAddress = '' }) => {
      if (!sameAddress(remoteAddress, address))
        throw denied(target, 'the connection went to another address than the one that was checked');
    },
  };
}

function sameAddress(one: string, other: string): boolean {
  const [a, b] = [parseAddress(one), parseAddress(other)];
  return a !== undefined && a.toNormalizedString() === b?.toNormalizedString();
}

function denied({ host }: EgressTarget, reason: string): Problem {
  return new Problem('egress_denied', `calls to "${host}" are not allowed: ${reason}`);
}

import { isIP, type Socket } from 'node:net';
import { Client } from 'undici';
import type { EgressCaller, OutboundCall, OwnAddress } from '../core/egress.js';
import type { HttpReply, HttpRequest, TlsMaterial } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import { type Clock, systemClock } from '../lib/clock.js';
import type { EgressSettings } from '../settings/settings.js';
import { basicCredentials } from './adapter-auth.js';
import { parseAddress } from './address.js';
import { bareHost, createSecurity, dial, type Peer, type Security } from './connect.js';
import { ConnectionReuse } from './connection-reuse.js';
import { type Deadline, withDeadline } from './deadline.js';
import { createDnsLookup, type Lookup } from './dns-lookup.js';
import type { EgressPolicy, OutboundPolicy } from './egress-policy.js';
import { createEgressSlots, type EgressSlots, type EgressSlot, type SlotLimits } from './egress-slots.js';
import { type EgressTarget, parseEgressUri } from './egress-uri.js';
import { exchange, REPLY_HEAD_BYTES } from './exchange.js';
import { failureOf } from './failure.js';
import { guardSocket } from './guarded-socket.js';
import { checkCallerHeaders } from './header-rules.js';
import { createOwnAddressCheck, type OwnAddressCheck } from './own-addresses.js';
import { withoutTrace, withTracing } from './with-tracing.js';

/** Settings of an egress caller. */
type EgressCallerSettings = SlotLimits & Pick<EgressSettings, 'timeoutMs'>;

/** State of outbound calls that outlives a reload. */
interface EgressState {
  readonly slots: EgressSlots;
  readonly ownAddressCheck: OwnAddressCheck;
  /** The listener of this server, once it listens. */
  readonly listeners: OwnAddress[];
}

/** Creates the state of a process without outbound calls. */
export function createEgressState(clock: Clock): EgressState {
  return { slots: createEgressSlots(), ownAddressCheck: createOwnAddressCheck(clock), listeners: [] };
}

/** Options for tests and operators. */
interface EgressOptions {
  /** Absent: the name servers of the system. */
  readonly lookup?: Lookup;
  readonly tls?: TlsMaterial;
  /** Absent: a separate state. */
  readonly state?: EgressState;
  /** Addresses that this server uses, besides its listener: no call may reach them. */
  readonly ownAddresses?: readonly OwnAddress[];
}

/**
 * Creates a caller for addresses that callers choose. Each call resolves its host once, unless the policy denies its name, and uses a separate
 * connection for a single request; redirects are not followed. A reply with a content coding that the request
 * did not ask for is refused.
 */
export function openEgress(
  policy: OutboundPolicy,
  settings: EgressCallerSettings,
  {
    lookup = createDnsLookup(),
    tls,
    state = createEgressState(systemClock),
    ownAddresses = [],
  }: EgressOptions = {},
): EgressCaller {
  const { timeoutMs, maxReplyBytes } = settings;
  const { slots, listeners, ownAddressCheck } = state;
  const checks = { policy, ownAddressCheck, ownAddresses: () => [...ownAddresses, ...listeners] };
  const security = createSecurity(tls);
  const limits = { replyBytes: maxReplyBytes };
  async function send(call: OutboundCall, slot: EgressSlot, signal: CancelSignal): Promise<HttpReply> {
    const target = parseEgressUri(call.uri);
    const headers = withoutTrace(call.headers);
    checkCallerHeaders(headers, call.credentials !== undefined);
    const refusal = isIP(target.host) === 0 ? policy.refusalOfName(target) : undefined;
    if (refusal !== undefined) throw egressDenied(target, refusal);
    return withDeadline({ totalMs: timeoutMs, caller: signal }, async (deadline) => {
      const addresses = await addressesOf(target.host, (host) =>
        slot.lookup(() => lookup(host, deadline.signal)),
      );
      await checkAddresses(target, addresses, checks);
      deadline.check();
      const socket = await connectChecked({ target, addresses, security, totalMs: timeoutMs }, deadline);
      const client = createSingleUseClient(socket, target.origin);
      try {
        const request = requestOf({ ...call, headers }, target.url);
        const { memory } = slot;
        const terms = { limits, deadline, owner: 'egress', memory, refusesOtherCodings: true } as const;
        return await withTracing(call.span, { request }, (trace) =>
          exchange(client, { request, terms: { ...terms, trace } }),
        );
      } finally {
        socket.destroy();
        await client.destroy();
      }
    });
  }
  return {
    async call(call, signal) {
      const slot = slots.take(call.subject, settings);
      try {
        const reply = await send(call, slot, signal);
        return { ...reply, maxBytes: maxReplyBytes, release: slot.release };
      } catch (error) {
        slot.release();
        throw error;
      }
    },
    denyListener(url) {
      const { hostname, port, protocol } = new URL(url);
      const standardPort = protocol === 'https:' ? 443 : 80;
      listeners.push({ name: 'this server', host: bareHost(hostname), port: Number(port || standardPort) });
    },
  };
}

function requestOf({ method, headers, credentials, body }: OutboundCall, url: string): HttpRequest {
  const authorization = credentials && {
    authorization: basicCredentials(credentials.user, credentials.password),
  };
  return { method, url, headers: { ...headers, ...authorization }, ...(body && { body }) };
}

/** Each connection serves one call. */
const NO_REUSE = new ConnectionReuse(false);

/**
 * Creates a client for one request on an established connection; the client cannot open another connection.
 */
function createSingleUseClient(socket: Socket, origin: string): Client {
  const sockets = [socket];
  return new Client(origin, {
    connect: (_options, callback) => {
      const next = sockets.pop();
      // Deferred, because undici does not expect a connection during its request for one.
      queueMicrotask(() => {
        if (next) callback(null, guardSocket(next, NO_REUSE));
        else
          callback(
            new Problem('upstream_unreachable', 'the target closed the connection without an answer'),
            null,
          );
      });
    },
    // Zero means "Connection: close".
    pipelining: 0,
    maxHeaderSize: REPLY_HEAD_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

const CONNECTING = { phase: 'connecting', owner: 'egress' } as const;

/** Maximum number of addresses that are tried; they share the time limit. */
const MAX_ADDRESSES = 4;

/** Everything that decides whether an address may be called. */
interface AddressChecks {
  readonly policy: EgressPolicy;
  readonly ownAddressCheck: OwnAddressCheck;
  readonly ownAddresses: () => readonly OwnAddress[];
}

/** Throws `egress_denied` if the policy denies one of the addresses, or if one belongs to this server. */
async function checkAddresses(
  target: EgressTarget,
  addresses: readonly string[],
  { policy, ownAddressCheck, ownAddresses }: AddressChecks,
): Promise<void> {
  for (const address of addresses) {
    const refusal = policy.refusal({ host: target.host, port: target.port, address });
    if (refusal !== undefined) throw egressDenied(target, refusal);
  }
  const { host, port, secure } = target;
  const refusal = await ownAddressCheck.refusal({ host, port, secure, addresses }, ownAddresses());
  if (refusal !== undefined) throw egressDenied(target, refusal);
}

/** A target whose addresses have been checked. */
interface CheckedTarget {
  readonly target: EgressTarget;
  readonly addresses: readonly string[];
  readonly security: Security;
  readonly totalMs: number;
}

/**
 * Connects to a host: dials only checked addresses, and compares the connected address before any byte is
 * written. The name was resolved once, so it cannot resolve differently for the check and for the connection.
 * Throws `egress_denied`, `upstream_unreachable` or `upstream_timeout`.
 */
async function connectChecked(
  { target, addresses, security, totalMs }: CheckedTarget,
  deadline: Deadline,
): Promise<Socket> {
  const attempts = addresses.slice(0, MAX_ADDRESSES);
  const terms = { connectMs: totalMs / attempts.length, signal: deadline.signal };
  let failure: Error | undefined;
  for (const address of attempts) {
    try {
      return await dial(peerAt(address, target, security), terms);
    } catch (error) {
      deadline.check();
      failure = failureOf(error, CONNECTING);
    }
  }
  throw failure ?? new Problem('upstream_unreachable', 'the host name has no address');
}

async function addressesOf(
  host: string,
  lookup: (host: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return await lookup(host);
  } catch (error) {
    throw failureOf(error, CONNECTING);
  }
}

function peerAt(address: string, target: EgressTarget, security: Security): Peer {
  return {
    address,
    port: target.port,
    ...(target.secure && { secure: { name: target.host, security } }),
    inspect: ({ remoteAddress = '' }) => {
      if (!sameAddress(remoteAddress, address))
        throw egressDenied(target, 'the connection went to another address than the one that was checked');
    },
  };
}

function sameAddress(first: string, second: string): boolean {
  const [a, b] = [parseAddress(first), parseAddress(second)];
  return a !== undefined && a.toNormalizedString() === b?.toNormalizedString();
}

function egressDenied({ host }: EgressTarget, reason: string): Problem {
  return new Problem('egress_denied', `calls to "${host}" are not allowed: ${reason}`);
}

import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { Client } from 'undici';
import type { EgressCaller, OutboundCall } from '../core/egress.js';
import type { HttpRequest, TlsMaterial } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { EgressSettings } from '../core/settings.js';
import { basicCredentials } from './adapter-auth.js';
import { parseAddress } from './address.js';
import { createSecurity, dial, type Peer, type Security } from './connect.js';
import { type Deadline, withDeadline } from './deadline.js';
import type { EgressPolicy } from './egress-policy.js';
import { type EgressTarget, parseEgressUri } from './egress-uri.js';
import { exchange, limitReadSize, REPLY_HEAD_BYTES } from './exchange.js';
import { failureOf } from './failure.js';
import { checkCallerHeaders } from './header-rules.js';
import { withoutTrace, withTracing } from './with-tracing.js';

/** Resolves a host name to all its IP addresses. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Resolves a host with the operating system, including `/etc/hosts`. */
export const systemLookup: Lookup = async (hostname) =>
  (await dnsLookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

/** Options for tests and operators. */
interface EgressOptions {
  /** Absent: the resolver of the operating system. */
  readonly lookup?: Lookup;
  readonly tls?: TlsMaterial;
}

/**
 * Creates a caller for addresses that callers choose. Each call resolves its host once and uses a separate
 * connection for a single request; redirects are not followed.
 */
export function openEgress(
  policy: EgressPolicy,
  settings: Pick<EgressSettings, 'maxReplyBytes' | 'timeoutMs'>,
  { lookup = systemLookup, tls }: EgressOptions = {},
): EgressCaller {
  const { timeoutMs, maxReplyBytes } = settings;
  const connectOptions = { policy, lookup, security: createSecurity(tls), totalMs: timeoutMs };
  const limits = { replyBytes: maxReplyBytes };
  return {
    async call(call, signal) {
      const target = parseEgressUri(call.uri);
      const headers = withoutTrace(call.headers);
      checkCallerHeaders(headers, call.credentials !== undefined);
      return withDeadline({ totalMs: timeoutMs, caller: signal }, async (deadline) => {
        const socket = await connectChecked(target, connectOptions, deadline);
        const client = createSingleUseClient(socket, target.origin);
        try {
          return await withTracing(call.span, requestOf({ ...call, headers }, target.url), (request) =>
            exchange(client, request, { limits, deadline }),
          );
        } finally {
          socket.destroy();
          await client.destroy();
        }
      });
    },
  };
}

function requestOf({ method, headers, credentials, body }: OutboundCall, url: string): HttpRequest {
  const authorization = credentials && {
    authorization: basicCredentials(credentials.user, credentials.password),
  };
  return { method, url, headers: { ...headers, ...authorization }, ...(body && { body }) };
}

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
        if (next) callback(null, limitReadSize(next));
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

/** Maximum number of addresses that are tried; they share the time limit. */
const MAX_ADDRESSES = 4;

/** Settings shared by all connections of an egress caller. */
interface CheckedConnectOptions {
  readonly policy: EgressPolicy;
  readonly lookup: Lookup;
  readonly security: Security;
  readonly totalMs: number;
}

/**
 * Connects to a host: resolves the name once, checks every address, dials only checked addresses, and
 * compares the connected address before any byte is written. The name therefore cannot resolve differently
 * for the check and for the connection. Throws `egress_denied`, `upstream_unreachable` or `upstream_timeout`.
 */
async function connectChecked(
  target: EgressTarget,
  options: CheckedConnectOptions,
  deadline: Deadline,
): Promise<Socket> {
  const addresses = await addressesOf(target.host, options.lookup);
  for (const address of addresses) {
    const refusal = options.policy.refusal({ host: target.host, port: target.port, address });
    if (refusal !== undefined) throw egressDenied(target, refusal);
  }
  const attempts = addresses.slice(0, MAX_ADDRESSES);
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

import { type Socket, isIP } from 'node:net';
import { Client } from 'undici';
import type { EgressCaller, OutboundCall } from '../core/egress.js';
import type { HttpRequest, TlsMaterial } from '../core/http.js';
import { Problem, type RequestError } from '../core/problem.js';
import type { EgressSettings } from '../core/settings.js';
import { basicCredentials } from './adapter-auth.js';
import { withDeadline, type Deadline } from './deadline.js';
import { createSecurity, dial, type Peer, type Security } from './connect.js';
import type { EgressPolicy } from './egress-policy.js';
import { parseEgressUri, type EgressTarget } from './egress-uri.js';
import { exchange, REPLY_HEAD_BYTES } from './exchange.js';
import { inPieces } from './head-chunks.js';
import { withTracing, withoutTrace } from './with-tracing.js';
import { pointerTo } from '../core/pointer.js';
import { callerHeaderFault } from './header-rules.js';
import { lookup as dnsLookup } from 'node:dns/promises';
import { parseAddress } from './address.js';
import { failureOf } from './failure.js';

/** Resolves a host name to all its IP addresses. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Maximum number of addresses that are tried; they share the time limit. */
const ATTEMPTS = 4;

/** Resolves a host with the operating system, including `/etc/hosts`. */
export const systemLookup: Lookup = async (hostname) =>
  (await dnsLookup(hostname, { all: true, verbatim: true })).map(({ address }) => address);

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

const HEADERS = 100;
const HEADER_BYTES = 16_384;

/**
 * Throws `invalid_header` with every header that a caller must not send, at `/headers/<name>`. `credentials`
 * means that the call has a user and a password, which conflict with an `Authorization` header.
 */
export function checkCallerHeaders(headers: Readonly<Record<string, string>>, credentials: boolean): void {
  const entries = Object.entries(headers);
  const tooMuch = sizeFaults(entries);
  const errors = tooMuch.length > 0 ? tooMuch : entryFaults(entries, credentials);
  if (errors.length === 0) return;
  const count = errors.length === 1 ? 'a header is' : `${errors.length} headers are`;
  throw new Problem('invalid_header', `${count} refused: see "errors"`, { errors });
}

type Entries = readonly (readonly [string, string])[];

function sizeFaults(entries: Entries): readonly RequestError[] {
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (entries.length > HEADERS) return [{ pointer: '/headers', message: `are more than ${HEADERS}` }];
  if (bytes > HEADER_BYTES)
    return [{ pointer: '/headers', message: `are larger than ${HEADER_BYTES} bytes` }];
  return [];
}

function entryFaults(entries: Entries, credentials: boolean): readonly RequestError[] {
  const seen = new Set<string>();
  return entries.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const twice = seen.has(lower);
    seen.add(lower);
    const message =
      callerHeaderFault(name, value) ??
      (twice ? 'stands twice, in different cases' : undefined) ??
      (credentials && lower === 'authorization'
        ? 'contradicts the user and the password of the call'
        : undefined);
    return message === undefined ? [] : [{ pointer: pointerTo('/headers', name), message }];
  });
}

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
  const endpoints = { policy, lookup, security: createSecurity(tls), totalMs: timeoutMs };
  const limits = { replyBytes: maxReplyBytes };
  return {
    async call(call, signal) {
      const target = parseEgressUri(call.uri);
      const headers = withoutTrace(call.headers);
      checkCallerHeaders(headers, call.credentials !== undefined);
      return withDeadline({ totalMs: timeoutMs, caller: signal }, async (deadline) => {
        const socket = await connectChecked(target, endpoints, deadline);
        const client = clientOn(socket, target.origin);
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

/**
 * Creates a client for one request on an established connection; the client cannot open another connection.
 */
function clientOn(socket: Socket, origin: string): Client {
  const sockets = [socket];
  return new Client(origin, {
    connect: (_options, callback) => {
      const next = sockets.pop();
      // Deferred, because undici does not expect a connection during its request for one.
      queueMicrotask(() => {
        if (next) callback(null, inPieces(next));
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

function requestOf({ method, headers, credentials, body }: OutboundCall, url: string): HttpRequest {
  const authorization = credentials && {
    authorization: basicCredentials(credentials.user, credentials.password),
  };
  return { method, url, headers: { ...headers, ...authorization }, ...(body && { body }) };
}

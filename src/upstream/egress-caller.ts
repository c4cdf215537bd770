import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { EgressCaller, OutboundCall } from '../core/egress.js';
import type { HttpRequest, TlsMaterial } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { EgressSettings } from '../core/settings.js';
import { basicCredentials } from './adapter-auth.js';
import { checkCallerHeaders } from './caller-headers.js';
import { connectChecked, systemLookup, type Lookup } from './checked-connect.js';
import { withDeadline } from './deadline.js';
import { createSecurity } from './connect.js';
import type { EgressPolicy } from './egress-policy.js';
import { parseEgressUri } from './egress-uri.js';
import { exchange, REPLY_HEAD_BYTES } from './exchange.js';
import { inPieces } from './head-chunks.js';
import { withTracing, withoutTrace } from './with-tracing.js';

/** What tests and operators may change about the way out. */
export interface EgressOptions {
  /** Absent: the resolver of the operating system. */
  readonly lookup?: Lookup;
  readonly tls?: TlsMaterial;
}

/**
 * Opens the way out for calls to addresses that callers choose. Each call has one look-up, one connection of its own
 * that ends with it, and one request; redirects are not followed.
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

/** A client for one request on a connection that stands already; it cannot open another. */
function clientOn(socket: Socket, origin: string): Client {
  const sockets = [socket];
  return new Client(origin, {
    connect: (_options, callback) => {
      const next = sockets.pop();
      // On a later turn: undici does not expect a connection while it still asks for one.
      queueMicrotask(() => {
        if (next) callback(null, inPieces(next));
        else
          callback(
            new Problem('upstream_unreachable', 'the target closed the connection without an answer'),
            null,
          );
      });
    },
    // Zero stands for "Connection: close".
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

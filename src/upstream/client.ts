import { Agent, type buildConnector } from 'undici';
import type { HttpClientOptions, OpenHttpClient } from '../domain/http.js';
import { withDeadline } from './deadline.js';
import { createSecurity, dial } from './dial.js';
import { exchange, REPLY_HEAD_BYTES } from './exchange.js';

const CONNECT_MS = 10_000;
const CONNECTIONS = 64;

/**
 * Opens a client that keeps connections for reuse, HTTP/1.1 only, one request on a connection at a time.
 * A request is sent once and never again, whatever happens. Throws on TLS material that is no PEM.
 */
export const openHttpClient: OpenHttpClient = (options) => {
  const agent = new Agent({
    connect: createConnector(options),
    connections: options.connections ?? CONNECTIONS,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: REPLY_HEAD_BYTES,
    // Its timers are late by up to half a second, and a drip of bytes restarts them: the deadline does their work.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (request, limits, signal) =>
      withDeadline({ totalMs: limits.totalMs, caller: signal }, (deadline) =>
        exchange(agent, request, { limits, deadline }),
      ),
    close: () => agent.close(),
  };
};

function createConnector({ tls, connectMs = CONNECT_MS }: HttpClientOptions): buildConnector.connector {
  const security = createSecurity(tls);
  return ({ hostname, protocol, port }, callback) => {
    const secure = protocol === 'https:' ? { name: hostname, security } : undefined;
    const peer = { address: hostname, port: Number(port || (secure ? 443 : 80)), ...(secure && { secure }) };
    dial(peer, { connectMs }).then(
      (socket) => {
        callback(null, socket);
      },
      (error: unknown) => {
        callback(error as Error, null);
      },
    );
  };
}

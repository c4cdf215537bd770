import { Agent, type buildConnector } from 'undici';
import type { HttpClientOptions, OpenHttpClient } from '../domain/http.js';
import { withDeadline } from './deadline.js';
import { createSecurity, dial, type Peer } from './dial.js';
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
        exchange(agent, request, { limits, deadline, absoluteForm: inTheOpen(request.url, options) }),
      ),
    close: () => agent.close(),
  };
};

/** True for plain http through a proxy: there is no tunnel, the proxy reads the request and passes it on. */
function inTheOpen(url: string, { proxy }: HttpClientOptions): boolean {
  return proxy !== undefined && url.startsWith('http:');
}

function createConnector(options: HttpClientOptions): buildConnector.connector {
  const security = createSecurity(options.tls);
  const { connectMs = CONNECT_MS } = options;
  return ({ hostname, protocol, port }, callback) => {
    const secure = protocol === 'https:' ? { name: hostname, security } : undefined;
    const target = { address: hostname, port: Number(port || (secure ? 443 : 80)) };
    const place = options.proxy === undefined ? target : through(options.proxy, target, secure !== undefined);
    dial({ ...place, ...(secure && { secure }) }, { connectMs }).then(
      (socket) => {
        callback(null, socket);
      },
      (error: unknown) => {
        callback(error as Error, null);
      },
    );
  };
}

/** The proxy as the place to connect to, with a tunnel where TLS goes through it. */
function through(
  proxy: string,
  { address, port }: Pick<Peer, 'address' | 'port'>,
  withTunnel: boolean,
): Peer {
  const { hostname, port: proxyPort } = new URL(proxy);
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    address: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(proxyPort || 80),
    ...(withTunnel && { tunnelTo: `${host}:${port}` }),
  };
}

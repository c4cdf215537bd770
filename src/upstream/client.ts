import { Agent, type buildConnector } from 'undici';
import type { HttpReply, HttpRequest, OpenHttpClient } from '../core/http.js';
import type { UpstreamStatus } from '../core/upstream.js';
import { type ConnectorOptions, createConnector, usesForwardProxy } from './connect.js';
import { ConnectionReuse } from './connection-reuse.js';
import { withDeadline } from './deadline.js';
import { exchange, type ExchangeTerms, REPLY_HEAD_BYTES } from './exchange.js';
import { guardSocket } from './guarded-socket.js';

const DEFAULT_CONNECTIONS = 64;

/** Pool of reusable connections for requests. */
export interface Connections {
  /** Sends a request exactly once, without retries. Throws the Problems of `HttpClient.send`. */
  send(request: HttpRequest, terms: ExchangeTerms): Promise<HttpReply>;
  /** Returns the number of connections, and of idle ones. */
  counts(): Pick<UpstreamStatus, 'connections' | 'idleConnections'>;
  /** Waits for running requests and closes all connections. */
  close(): Promise<void>;
}

/**
 * Creates a client that reuses connections, HTTP/1.1 only, one request per connection at a time. Sends each
 * request once, without retries. Throws on TLS material that is not PEM.
 */
export const openHttpClient: OpenHttpClient = (options) => {
  const connections = openConnections(options);
  return {
    send: (request, limits, signal) =>
      withDeadline({ totalMs: limits.totalMs, caller: signal }, (deadline) =>
        connections.send(request, { limits, deadline }),
      ),
    close: () => connections.close(),
  };
};

/**
 * Creates a connection pool, with its agents created by the first request. Throws on TLS material that is not
 * PEM.
 */
export function openConnections(options: ConnectorOptions): Connections {
  const { reuse = new ConnectionReuse() } = options;
  const connect = createUndiciConnector(options, reuse);
  let reused: Agent | undefined;
  let isolated: Agent | undefined;
  const reusedAgent = (): Agent => (reused ??= createAgent(options, connect, 1));
  const isolatedAgent = (): Agent => (isolated ??= createAgent(options, connect, CLOSE));
  return {
    send(request, written) {
      const terms = usesForwardProxy(request.url, options) ? { ...written, absoluteForm: true } : written;
      const isIsolated = options.isolateBodies === true && request.body && !expectsBody(request.method);
      if (isIsolated || reuse.state !== 'on') return exchange(isolatedAgent(), { request, terms });
      const resend = () => exchange(isolatedAgent(), { request, terms });
      return exchange(reusedAgent(), { request, terms, resend });
    },
    counts: () => countsOf([reused, isolated].filter((agent) => agent !== undefined)),
    // Creates missing agents, so that a later request finds them closed.
    async close() {
      await Promise.all([...new Set([reusedAgent(), isolatedAgent()])].map((agent) => agent.close()));
    },
  };
}

/** Methods whose requests have a body (RFC 9110 section 9.3); servers may ignore the body of any other. */
const BODY_METHODS: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT']);

/** Returns true if every server reads the body of a request with this method. */
export function expectsBody(method: string): boolean {
  return BODY_METHODS.has(method);
}

/** Value of `pipelining` with which undici closes each connection after one request. */
const CLOSE = 0;

function createAgent(
  options: ConnectorOptions,
  connect: buildConnector.connector,
  pipelining: 1 | typeof CLOSE,
): Agent {
  return new Agent({
    connect,
    connections: options.connections ?? DEFAULT_CONNECTIONS,
    pipelining,
    allowH2: false,
    maxHeaderSize: REPLY_HEAD_BYTES,
    // undici's timers are late by up to half a second, and a slow trickle of bytes restarts them; the
    // deadline replaces them.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function countsOf(agents: readonly Agent[]): ReturnType<Connections['counts']> {
  const origins = agents.flatMap(({ stats }) => Object.values(stats));
  const sum = (pick: (origin: (typeof origins)[number]) => number): number =>
    origins.reduce((total, origin) => total + pick(origin), 0);
  // For a pool of a single connection, undici reports a boolean.
  const connections = sum(({ connected }) => Number(connected));
  // A request may be assigned to a connection that is still being opened.
  return { connections, idleConnections: Math.max(0, connections - sum(({ running }) => running)) };
}

function createUndiciConnector(options: ConnectorOptions, reuse: ConnectionReuse): buildConnector.connector {
  const connect = createConnector(options);
  return ({ hostname, protocol, port }, callback) => {
    const isSecure = protocol === 'https:';
    connect({ hostname, port: Number(port || (isSecure ? 443 : 80)), isSecure }).then(
      (socket) => {
        callback(null, guardSocket(socket, reuse));
      },
      (error: unknown) => {
        callback(error as Error, null);
      },
    );
  };
}

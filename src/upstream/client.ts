import { Agent, type buildConnector } from 'undici';
import type { HttpReply, HttpRequest, OpenHttpClient } from '../core/http.js';
import type { UpstreamStatus } from '../core/upstream.js';
import { withDeadline } from './deadline.js';
import { createDialler, type ConnectorOptions, inTheOpen } from './connector.js';
import { inPieces } from './head-chunks.js';
import { exchange, type ExchangeTerms, REPLY_HEAD_BYTES } from './exchange.js';

const CONNECTIONS = 64;

/** Connections that are kept for reuse, and the requests over them. */
export interface Connections {
  /** Sends a request once and never again, whatever happens. Throws the Problems of `HttpClient.send`. */
  exchange(request: HttpRequest, terms: ExchangeTerms): Promise<HttpReply>;
  /** How many there are, and how many of them no request uses. */
  counts(): Pick<UpstreamStatus, 'connections' | 'idleConnections'>;
  /** Ends idle connections, waits for running requests. */
  close(): Promise<void>;
}

/**
 * Opens a client that keeps connections for reuse, HTTP/1.1 only, one request on a connection at a time.
 * A request is sent once and never again, whatever happens. Throws on TLS material that is no PEM.
 */
export const openHttpClient: OpenHttpClient = (options) => {
  const connections = openConnections(options);
  return {
    send: (request, limits, signal) =>
      withDeadline({ totalMs: limits.totalMs, caller: signal }, (deadline) =>
        connections.exchange(request, { limits, deadline }),
      ),
    close: () => connections.close(),
  };
};

/** Opens no connection before the first request. Throws on TLS material that is no PEM. */
export function openConnections(options: ConnectorOptions): Connections {
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
    exchange: (request, terms) =>
      exchange(agent, request, {
        limits: terms.limits,
        deadline: terms.deadline,
        absoluteForm: inTheOpen(request.url, options),
      }),
    counts: () => countsOf(agent),
    close: () => agent.close(),
  };
}

function countsOf({ stats }: Agent): ReturnType<Connections['counts']> {
  const origins = Object.values(stats);
  const sum = (pick: (one: (typeof origins)[number]) => number): number =>
    origins.reduce((total, one) => total + pick(one), 0);
  // Where there is to be one connection alone, it is told whether there is one.
  const connections = sum(({ connected }) => Number(connected));
  // A request may be on a connection that is only being opened.
  return { connections, idleConnections: Math.max(0, connections - sum(({ running }) => running)) };
}

function createConnector(options: ConnectorOptions): buildConnector.connector {
  const dialTo = createDialler(options);
  return ({ hostname, protocol, port }, callback) => {
    const isSecure = protocol === 'https:';
    dialTo({ hostname, port: Number(port || (isSecure ? 443 : 80)), isSecure }).then(
      (socket) => {
        callback(null, inPieces(socket));
      },
      (error: unknown) => {
        callback(error as Error, null);
      },
    );
  };
}

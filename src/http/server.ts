import { randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import { systemClock } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import { Problem } from '../core/problem.js';
import type { Secret } from '../core/secret.js';
import type { ServerSettings } from '../core/settings.js';
import type { Tracer } from '../core/trace.js';
import { bind, bindTo, formatAddress } from './listener.js';
import { acceptOrigin } from './caller-origin.js';
import { type Connections, trackConnections } from './connections.js';
import { parserProblem, rejectRawSocket, validateRequestHead } from './malformed-requests.js';
import type { LoadShedder } from './overload/load-shedder.js';
import { createRefuse } from './write-response.js';
import { takeUpgrades } from './upgrades.js';
import type { HttpExchange } from './request-context.js';

export interface HttpServerOptions {
  readonly settings: Pick<ServerSettings, 'limits' | 'drainSeconds'>;
  /** PEM text, and the value of `Strict-Transport-Security`; absent: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: Secret; readonly hsts?: string | null };
  readonly handler: RequestListener;
  /** Called before the handler; absent: requests are not refused for overload. */
  readonly shed?: LoadShedder;
  /** Returns true for requests that may upgrade to WebSocket; absent: upgrades are refused. */
  readonly mayUpgrade?: (req: IncomingMessage) => boolean;
  readonly log: Log;
  readonly tracer?: Tracer;
}

export interface ListenOptions extends HttpServerOptions {
  readonly settings: Pick<ServerSettings, 'limits' | 'drainSeconds' | 'listen'>;
  /** File descriptor of a listening socket, used instead of `settings.listen`. */
  readonly inherited?: number | undefined;
}

/** Ends connections. Repeated calls are permitted. */
export interface Closable {
  /** Stops accepting requests, finishes pending ones, and cuts the rest after `drainSeconds`. */
  readonly close: () => Promise<void>;
}

export interface RunningServer extends Closable {
  /** Includes the actual port if the system chose it. */
  readonly url: string;
}

/** A server for connections that are accepted elsewhere. */
export interface HttpServer extends Closable {
  /** Serves a connection, or drops it when `limits.connections` is reached. */
  readonly take: (socket: Socket) => void;
  /**
   * Ends each connection with its next response, so that no client uses a closed connection. Resolves when
   * all connections have ended, after `drainSeconds` at the latest.
   */
  readonly retire: () => Promise<void>;
}

/**
 * Starts the server. Rejects ambiguous, slow and endless requests before the handler, as well as protocol
 * switches that are not permitted. Throws an Error with advice when the address cannot be listened on.
 */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { settings, tls, inherited } = options;
  const { server, connections } = watchForDisconnect(options);
  const address = await bind(server, { listen: settings.listen, inherited });
  server.on('error', (error) => {
    options.log.error('server error', { error });
  });
  return {
    url: `${tls ? 'https' : 'http'}://${formatAddress(address)}`,
    close: closer(server, connections, settings.drainSeconds),
  };
}

/** Creates the same server for connections that are passed to `take`. */
export function openServer(options: HttpServerOptions): HttpServer {
  const { limits, drainSeconds } = options.settings;
  const { server, connections } = watchForDisconnect(options);
  // Starts Node's request timeouts, because this server never listens.
  server.emit('listening');
  const close = closer(server, connections, drainSeconds);
  return {
    take(socket) {
      if (connections.count() >= limits.connections) {
        socket.destroy();
        return;
      }
      server.emit('connection', socket);
      if (!options.tls) socket.resume();
    },
    async retire() {
      connections.retire();
      const timer = setTimeout(() => void close(), drainSeconds * 1000);
      await connections.gone();
      clearTimeout(timer);
    },
    close,
  };
}

/**
 * Starts the listener for requests that other processes of this server forward. Its Unix domain socket is
 * accessible to those processes only. The listener trusts their origin header, and leaves head checks and
 * timeouts to them.
 */
export async function listenPrivately(path: string, options: HttpServerOptions): Promise<Closable> {
  const { limits, drainSeconds } = options.settings;
  const headerBytes = limits.headerBytes + ADDED_BYTES;
  const none = { requestTimeoutMs: 0, headersTimeoutMs: 0, keepAliveTimeoutMs: 0, connections: Infinity };
  const { server, connections } = watchForDisconnect({
    ...options,
    settings: { drainSeconds, limits: { ...limits, ...none, headerBytes } },
    isPrivate: true,
  });
  await bindTo(server, { path });
  return { close: closer(server, connections, drainSeconds) };
}

/** Additional head size for the headers that one process adds for another, in bytes. */
const ADDED_BYTES = 1024;

interface PreparedServer {
  readonly server: Server;
  readonly connections: Connections;
}

interface PrepareOptions extends HttpServerOptions {
  readonly isPrivate?: true;
}

function watchForDisconnect(options: PrepareOptions): PreparedServer {
  const { settings, tls, log } = options;
  const server = createServer(settings, tls);
  const connections = trackConnections(server, tls !== undefined);
  takeRequests(server, connections, options);
  rejectMalformedRequests(server, connections, log);
  return { server, connections };
}

/**
 * Cipher suites in order of preference; only forward secrecy and authenticated encryption (RFC 9325 section
 * 4.2).
 */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');

function createServer({ limits }: HttpServerOptions['settings'], tls: HttpServerOptions['tls']): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    requestTimeout: limits.requestTimeoutMs,
    // Node rejects a timeout for the head that is longer than that for the whole request.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    // `validateRequestHead` is stricter, and its fault becomes a problem document.
    requireHostHeader: false,
    // Explicit, so that NODE_OPTIONS cannot override this setting.
    insecureHTTPParser: false,
  };
  const server = tls
    ? createHttpsServer({
        ...options,
        cert: tls.cert,
        key: tls.key.reveal(),
        ciphers: CIPHERS,
        handshakeTimeout: limits.headersTimeoutMs,
      })
    : createHttpServer(options);
  if (limits.connections !== Infinity) server.maxConnections = limits.connections;
  // The head size and `validateRequestHead` limit the headers; Node would silently drop the excess.
  server.maxHeadersCount = 0;
  return server;
}

function takeRequests(server: Server, connections: Connections, options: PrepareOptions): void {
  const { handler, shed, log, tracer, isPrivate, mayUpgrade = () => false } = options;
  const hsts = options.tls?.hsts;
  const refuse = createRefuse({ log, clock: systemClock, newId: randomUUID, ...(tracer && { tracer }) });
  const serve = ({ req, res }: HttpExchange, fault: Problem | undefined): void => {
    if (!connections.begin(req, res)) return;
    if (hsts) res.setHeader('strict-transport-security', hsts);
    if (!fault) {
      if (shed) shed({ req, res }, connections.inFlight(), handler);
      else handler(req, res);
      return;
    }
    res.shouldKeepAlive = false;
    void refuse({ req, res }, fault);
  };
  const isReattached = takeUpgrades(server, {
    connections,
    secure: options.tls !== undefined,
    take: (req, res) => {
      serve({ req, res }, validateRequestHead(req, mayUpgrade(req)));
    },
  });
  const take = (req: IncomingMessage, res: ServerResponse): void => {
    if (isReattached(req.socket)) res.shouldKeepAlive = false;
    if (isPrivate) acceptOrigin(req);
    serve({ req, res }, isPrivate ? undefined : validateRequestHead(req));
  };
  // Expectations are met when the body is read, or refused by `validateRequestHead`.
  server.on('request', take).on('checkContinue', take).on('checkExpectation', take);
}

function rejectMalformedRequests(server: Server, connections: Connections, log: Log): void {
  const refuse = (socket: Socket, problem: Problem, reason: string) => {
    const requestId = randomUUID();
    if (!rejectRawSocket(socket, problem, { owed: connections.latest(socket), requestId })) return;
    log.info('request refused', { status: problem.status, reason, requestId });
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The connection ended in the middle of a request: the client has left.
    if (error.code === 'HPE_INVALID_EOF_STATE') socket.destroy();
    refuse(socket, parserProblem(error.code), error.code ?? 'unknown');
  });
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    // Node has detached the socket: without a listener, a reset by the peer would end the process.
    socket.on('error', () => undefined);
    const headers = { allow: 'DELETE, GET, HEAD, POST, PUT' };
    refuse(
      socket,
      new Problem('method_not_allowed', 'This server opens no tunnels.', { headers }),
      'CONNECT',
    );
  });
}

function closer(server: Server, connections: Connections, drainSeconds: number): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => (closed ??= stop(server, connections, drainSeconds));
}

async function stop(server: Server, connections: Connections, drainSeconds: number): Promise<void> {
  // Node's `close()` for HTTP drops replies that are written but not yet sent.
  const stopped = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  connections.drain();
  const timer = setTimeout(() => {
    connections.destroy();
  }, drainSeconds * 1000);
  await Promise.all([stopped, connections.gone()]);
  clearTimeout(timer);
  // Clears Node's remaining timer.
  server.close();
}

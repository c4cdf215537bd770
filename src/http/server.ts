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
import { bind, bindTo } from './bind.js';
import { acceptOrigin } from './caller-origin.js';
import { type Connections, trackConnections } from './connections.js';
import { validateRequestHead } from './head-check.js';
import { formatAddress } from './listen-address.js';
import type { LoadShedder } from './overload/load-shedder.js';
import { parserProblem, rejectRawSocket } from './raw-rejection.js';
import { createRefuse } from './write-response.js';
import { takeUpgrades } from './upgrades.js';
import type { HttpExchange } from './request-context.js';

export interface HttpServerOptions {
  readonly settings: Pick<ServerSettings, 'limits' | 'drainSeconds'>;
  /** PEM text, and the value of `Strict-Transport-Security`; without it the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: Secret; readonly hsts?: string | null };
  readonly handler: RequestListener;
  /** Asked before the handler; absent: nothing is turned away. */
  readonly shed?: LoadShedder;
  /** True for requests that may ask for WebSocket; absent: none may. */
  readonly mayUpgrade?: (req: IncomingMessage) => boolean;
  readonly log: Log;
  readonly tracer?: Tracer;
}

export interface ListenOptions extends HttpServerOptions {
  readonly settings: Pick<ServerSettings, 'limits' | 'drainSeconds' | 'listen'>;
  /** A socket that listens already, in place of `settings.listen`. */
  readonly inherited?: number | undefined;
}

/** Ends connections; both may be called, and called again. */
export interface Closable {
  /** Takes no more requests, answers those it has, and cuts what is left after `drainSeconds`. */
  readonly close: () => Promise<void>;
}

export interface RunningServer extends Closable {
  /** With the port that the system chose, if it did. */
  readonly url: string;
}

/** A server of connections that are accepted elsewhere. */
export interface HttpServer extends Closable {
  /** Serves one, or drops it when there are as many as `limits.connections` says. */
  readonly take: (socket: Socket) => void;
  /**
   * Ends each connection with its next answer, so that no caller meets a closed one. Resolves when all have ended, after
   * `drainSeconds` at the latest.
   */
  readonly retire: () => Promise<void>;
}

/**
 * Opens the server. Requests that peers could read in two ways, slow or endless ones, and protocol switches where there
 * are none never reach the handler. Throws an Error that says what to do when the address cannot be listened on.
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

/** The same for connections that are handed to it. */
export function openServer(options: HttpServerOptions): HttpServer {
  const { limits, drainSeconds } = options.settings;
  const { server, connections } = watchForDisconnect(options);
  // Node watches how long requests take from here on, and this one never listens.
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
 * Opens the listener for what other processes of this server hand on, at a socket of the file system which they alone can reach.
 * It believes them where a request comes from, has looked at, and how long it may take.
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

/** Room for what a request is told on its way from one process to another. */
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

/** Forward secrecy and authenticated encryption alone (RFC 9325 section 4.2), in the order in which they are preferred. */
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
    // Node takes no longer time for the head than for the whole.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    // `headFault` is stricter and answers with a problem document.
    requireHostHeader: false,
    // Said aloud so that NODE_OPTIONS cannot say otherwise.
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
  // The size bounds them, and `headFault` their number; Node would drop the rest without a word.
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
  const isServedAnew = takeUpgrades(server, {
    connections,
    secure: options.tls !== undefined,
    take: (req, res) => {
      serve({ req, res }, validateRequestHead(req, mayUpgrade(req)));
    },
  });
  const take = (req: IncomingMessage, res: ServerResponse): void => {
    if (isServedAnew(req.socket)) res.shouldKeepAlive = false;
    if (isPrivate) acceptOrigin(req);
    serve({ req, res }, isPrivate ? undefined : validateRequestHead(req));
  };
  // Each expectation is met where the body is read, or refused by `headFault`.
  server.on('request', take).on('checkContinue', take).on('checkExpectation', take);
}

function rejectMalformedRequests(server: Server, connections: Connections, log: Log): void {
  const refuse = (socket: Socket, problem: Problem, reason: string) => {
    const requestId = randomUUID();
    if (!rejectRawSocket(socket, problem, { owed: connections.latest(socket), requestId })) return;
    log.info('request refused', { status: problem.status, reason, requestId });
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The end came in the middle of a request: its sender has left.
    if (error.code === 'HPE_INVALID_EOF_STATE') socket.destroy();
    refuse(socket, parserProblem(error.code), error.code ?? 'unknown');
  });
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    // Node has let go of the socket: without a listener, a peer's reset would end the process.
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
  // Node's own close() for HTTP drops replies that are handed over but not yet sent.
  const stopped = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  connections.drain();
  const timer = setTimeout(() => {
    connections.destroy();
  }, drainSeconds * 1000);
  await Promise.all([stopped, connections.gone()]);
  clearTimeout(timer);
  // All that is left for it is to clear Node's timer.
  server.close();
}

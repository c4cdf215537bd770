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
import type { ListenerTls } from '../core/certificate.js';
import type { Log } from '../core/log.js';
import type { Problem } from '../core/problem.js';
import type { Tracer } from '../core/trace.js';
import { systemClock } from '../lib/clock.js';
import type { ServerSettings } from '../settings/settings.js';
import { readProxyHeaders } from './caller-origin.js';
import { createTrustedProxies, type IsTrustedProxy } from './client-address.js';
import { ConnectionPlaces } from './connection-places.js';
import { type Connections, trackConnections } from './connections.js';
import { createCors } from './cors.js';
import { logRefusedCertificates, replaceTls, tlsServerOptions } from './listener-tls.js';
import { acceptWaiting, bind, formatAddress } from './listener.js';
import { rejectMalformedRequests, validateRequestHead } from './malformed-requests.js';
import type { LoadShedder } from './overload/load-shedder.js';
import { expectProxyHeaders } from './proxy-protocol.js';
import type { HttpExchange } from './request-context.js';
import { handleUpgrades } from './upgrades.js';
import { createRefuse, sendNoContent } from './write-response.js';

/** The settings of every server. */
type HttpServerSettings = Pick<
  ServerSettings,
  'limits' | 'drainSeconds' | 'trustedProxies' | 'proxyProtocol' | 'cors'
>;

interface HttpServerOptions {
  readonly settings: HttpServerSettings;
  /** Absent: plain HTTP. */
  readonly tls?: ListenerTls;
  readonly handler: RequestListener;
  /** Calls the handler, or refuses the request during an overload; absent: no load shedding. */
  readonly shed?: LoadShedder;
  /** Returns true for a request that may upgrade to WebSocket; absent: the server refuses upgrades. */
  readonly mayUpgrade?: (req: IncomingMessage) => boolean;
  readonly log: Log;
  readonly tracer?: Tracer;
}

export interface ListenOptions extends HttpServerOptions {
  readonly settings: HttpServerSettings & ServerSettings;
  /** File descriptor of a listening socket; overrides `settings.listen`. */
  readonly inherited?: number | undefined;
}

/** A server that terminates TLS, or that serves plain HTTP. */
interface TlsTerminator {
  /** Uses another certificate for new connections. Does nothing if the server serves plain HTTP. */
  readonly replaceTls: (tls: ListenerTls) => void;
}

/** A server that can close. Repeated calls of `close` are permitted. */
interface Closable {
  /** Stops accepting requests, finishes pending requests, and ends all connections after `drainSeconds`. */
  readonly close: () => Promise<void>;
}

/** A server whose connections can move to another server. */
interface Movable {
  /**
   * Ends each connection with its next response (`Connection: close`), so that its client opens the next connection
   * where calls are still served. New connections are still accepted.
   */
  readonly endKeepAlive: () => void;
}

export interface RunningServer extends Closable, Movable, TlsTerminator {
  /** URL of the server, with the actual port if the system chose the port. */
  readonly url: string;
}

/** A server for connections that another process accepts. */
export interface HttpServer extends Closable, Movable, TlsTerminator {
  /** Serves a connection, or closes it if the server has no place for it. */
  readonly take: (socket: Socket) => void;
  /**
   * Ends each connection with its next response, so that no client sends a request on a closed connection.
   * Resolves when all connections have ended, after `drainSeconds` at the latest.
   */
  readonly retire: () => Promise<void>;
}

/**
 * Starts the server. The server rejects ambiguous, slow and endless requests, and upgrades that are not
 * permitted, before the handler. Throws an Error with advice if the server cannot use the address.
 */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { settings, tls, inherited } = options;
  const { server, connections } = prepareServer(options);
  const address = await bind(server, { listen: settings.listen, inherited });
  server.on('error', (error) => {
    options.log.error('server error', { error });
  });
  return {
    url: `${tls ? 'https' : 'http'}://${formatAddress(address)}`,
    replaceTls: (replacement) => {
      replaceTls(server, replacement);
    },
    endKeepAlive: connections.retire,
    close: createClose(server, connections, settings.drainSeconds),
  };
}

/** Creates the same server, without an address, for the connections that the caller passes to `take`. */
export function openServer(options: HttpServerOptions): HttpServer {
  const { drainSeconds } = options.settings;
  const { server, connections } = prepareServer(options);
  // This event starts Node's request timeouts; a server that never listens does not emit the event.
  server.emit('listening');
  const close = createClose(server, connections, drainSeconds);
  return {
    replaceTls: (replacement) => {
      replaceTls(server, replacement);
    },
    take(socket) {
      server.emit('connection', socket);
      if (!options.tls && !socket.destroyed) socket.resume();
    },
    endKeepAlive: connections.retire,
    async retire() {
      connections.retire();
      const timer = setTimeout(() => void close(), drainSeconds * 1000);
      await connections.allClosed();
      clearTimeout(timer);
    },
    close,
  };
}

interface PreparedServer {
  readonly server: Server;
  readonly connections: Connections;
}

function prepareServer(options: HttpServerOptions): PreparedServer {
  const { settings, tls, log } = options;
  const { limits, proxyProtocol } = settings;
  const server = createServer(settings, tls);
  const isTrustedProxy = createTrustedProxies(settings.trustedProxies);
  const places = new ConnectionPlaces({ ...limits, isTrustedProxy }, log);
  if (proxyProtocol !== null)
    expectProxyHeaders(server, {
      accepts: proxyProtocol,
      isTrustedProxy,
      timeoutMs: limits.headersTimeoutMs,
      readmit: (socket) => places.readmit(socket),
      log,
    });
  const connections = trackConnections(server, tls !== undefined, places);
  handleRequests(server, connections, { ...options, isTrustedProxy });
  rejectMalformedRequests(server, connections, log);
  if (tls) logRefusedCertificates(server, log);
  return { server, connections };
}

function createServer({ limits }: HttpServerSettings, tls: HttpServerOptions['tls']): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    requestTimeout: limits.requestTimeoutMs,
    // Node rejects a head timeout that is longer than the request timeout.
    headersTimeout: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs),
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    // `validateRequestHead` is stricter than Node and responds with a problem document.
    requireHostHeader: false,
    // The explicit value prevents an override by NODE_OPTIONS.
    insecureHTTPParser: false,
  };
  const server = tls
    ? createHttpsServer({ ...options, ...tlsServerOptions(tls, limits.headersTimeoutMs) })
    : createHttpServer(options);
  // `maxHeaderSize` and `validateRequestHead` limit the headers. A limit here would silently drop headers.
  server.maxHeadersCount = 0;
  return server;
}

interface RequestHandling extends HttpServerOptions {
  readonly isTrustedProxy: IsTrustedProxy;
}

function handleRequests(server: Server, connections: Connections, options: RequestHandling): void {
  const { handler, shed, log, tracer, isTrustedProxy, mayUpgrade = () => false } = options;
  const hsts = options.tls?.hsts;
  const deps = { log, clock: systemClock, newId: randomUUID, ...(tracer && { tracer }) };
  const refuse = createRefuse(deps);
  const addCorsHeaders = createCors(options.settings.cors);
  const serve = ({ req, res }: HttpExchange, fault: Problem | undefined): void => {
    if (!connections.beginRequest(req, res)) return;
    readProxyHeaders(req, isTrustedProxy);
    if (hsts) res.setHeader('strict-transport-security', hsts);
    const isPreflight = addCorsHeaders?.({ req, res }) === true;
    if (!fault) {
      if (isPreflight) void sendNoContent(deps, { req, res });
      else if (shed) shed({ req, res }, connections.inFlight(), handler);
      else handler(req, res);
      return;
    }
    res.shouldKeepAlive = false;
    void refuse({ req, res }, fault);
  };
  const isReattachedSocket = handleUpgrades(server, {
    connections,
    secure: options.tls !== undefined,
    serve: (req, res) => {
      serve({ req, res }, validateRequestHead(req, mayUpgrade(req)));
    },
  });
  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    if (isReattachedSocket(req.socket)) res.shouldKeepAlive = false;
    serve({ req, res }, validateRequestHead(req));
  };
  // Reading the body sends 100 (Continue). `validateRequestHead` refuses all other expectations.
  server.on('request', onRequest).on('checkContinue', onRequest).on('checkExpectation', onRequest);
}

function createClose(server: Server, connections: Connections, drainSeconds: number): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => (closed ??= stop(server, connections, drainSeconds));
}

async function stop(server: Server, connections: Connections, drainSeconds: number): Promise<void> {
  connections.retire();
  await acceptWaiting(server);
  // Node's `close()` for HTTP drops responses that are written but not yet sent.
  const stopped = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  connections.drain();
  const timer = setTimeout(() => {
    connections.destroy();
  }, drainSeconds * 1000);
  await Promise.all([stopped, connections.allClosed()]);
  clearTimeout(timer);
  // This call clears the timer of Node's request timeouts.
  server.close();
}

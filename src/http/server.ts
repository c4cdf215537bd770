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
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { systemClock } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import { Problem } from '../domain/problem.js';
import type { Secret } from '../domain/secret.js';
import type { ServerSettings } from '../domain/settings.js';
import type { Tracer } from '../domain/trace.js';
import { type Connections, trackConnections } from './connections.js';
import { headFault } from './head-check.js';
import { formatAddress, type ListenAddress, listenError, parseListen } from './listen-address.js';
import type { Shed } from './overload/shed.js';
import { parserProblem, refuseOnWire } from './raw-refusal.js';
import { createRefuse } from './send.js';
import { takeUpgrades } from './upgrades.js';
import type { Exchange } from './visit.js';

export interface ListenOptions {
  readonly settings: ServerSettings;
  /** PEM text; without it the server speaks plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: Secret };
  readonly handler: RequestListener;
  /** Asked before the handler; absent: nothing is turned away. */
  readonly shed?: Shed;
  /** True for requests that may ask for WebSocket; absent: none may. */
  readonly mayUpgrade?: (req: IncomingMessage) => boolean;
  readonly log: Log;
  readonly tracer?: Tracer;
}

export interface RunningServer {
  /** With the port that the system chose, if it did. */
  readonly url: string;
  /** Takes no more requests, answers those it has, and cuts what is left after `drainSeconds`. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the server. Requests that peers could read in two ways, slow or endless ones, and protocol switches where there
 * are none never reach the handler. Throws an Error that says what to do when the address cannot be listened on.
 */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { settings, tls, log } = options;
  const address = parseListen(settings.listen);
  const server = createServer(settings, tls);
  const connections = trackConnections(server, tls !== undefined);
  takeRequests(server, connections, options);
  refuseTheRest(server, connections, log);
  const port = await bind(server, address);
  server.on('error', (error) => {
    log.error('server error', { error });
  });
  let closed: Promise<void> | undefined;
  return {
    url: `${tls ? 'https' : 'http'}://${formatAddress({ host: address.host, port })}`,
    close: () => (closed ??= stop(server, connections, settings.drainSeconds)),
  };
}

function createServer({ limits }: ServerSettings, tls: ListenOptions['tls']): Server {
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
        handshakeTimeout: limits.headersTimeoutMs,
      })
    : createHttpServer(options);
  server.maxConnections = limits.connections;
  // The size bounds them, and `headFault` their number; Node would drop the rest without a word.
  server.maxHeadersCount = 0;
  return server;
}

function takeRequests(server: Server, connections: Connections, options: ListenOptions): void {
  const { handler, shed, log, tracer, mayUpgrade = () => false } = options;
  const refuse = createRefuse({ log, clock: systemClock, newId: randomUUID, ...(tracer && { tracer }) });
  const serve = ({ req, res }: Exchange, fault: Problem | undefined): void => {
    if (!connections.begin(req, res)) return;
    if (!fault) {
      if (!shed?.({ req, res }, connections.inFlight())) handler(req, res);
      return;
    }
    res.shouldKeepAlive = false;
    void refuse({ req, res }, fault);
  };
  const isServedAnew = takeUpgrades(server, {
    ...{ connections, secure: options.tls !== undefined },
    take: (req, res) => {
      serve({ req, res }, headFault(req, mayUpgrade(req)));
    },
  });
  const take = (req: IncomingMessage, res: ServerResponse): void => {
    if (isServedAnew(req.socket)) res.shouldKeepAlive = false;
    serve({ req, res }, headFault(req));
  };
  // Each expectation is met where the body is read, or refused by `headFault`.
  server.on('request', take).on('checkContinue', take).on('checkExpectation', take);
}

function refuseTheRest(server: Server, connections: Connections, log: Log): void {
  const refuse = (socket: Socket, problem: Problem, reason: string) => {
    const requestId = randomUUID();
    if (!refuseOnWire(socket, problem, { owed: connections.latest(socket), requestId })) return;
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

function bind(server: Server, address: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(listenError(address, error));
    });
    server.listen(address, () => {
      server.removeAllListeners('error');
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function stop(server: Server, connections: Connections, drainSeconds: number): Promise<void> {
  // Node's own close() for HTTP drops replies that are handed over but not yet sent.
  const stopped = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  connections.drain();
  const timer = setTimeout(() => {
    connections.destroy();
  }, drainSeconds * 1000);
  await stopped;
  clearTimeout(timer);
  // All that is left for it is to clear Node's timer.
  server.close();
}

import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, systemClock } from '../../src/lib/clock.js';
import { makeCertificate } from './certificates.js';
import { listenOnLoopback } from './loopback.js';
import { createDatastore } from './restconf-double/data.js';
import { failureReply, type Reply, YANG_JSON } from './restconf-double/reply.js';
import type { SeenRequest } from './restconf-double/request.js';
import { answer } from './restconf-double/router.js';
import { DEMO_LIBRARY, type YangLibrary } from './restconf-double/yang-library.js';

export { DEMO_LIBRARY, type YangLibrary } from './restconf-double/yang-library.js';

interface RestconfDoubleOptions {
  readonly username: string;
  readonly password: string;
  /** Default true: https with a self-signed certificate for 127.0.0.1 and localhost. */
  readonly tls?: boolean;
  /** Path of the RESTCONF root, default `/restconf`. */
  readonly root?: string;
  readonly clock?: Clock;
}

/** Failure of one request. `delayMs` may be combined with `status`, or delays the correct reply. */
interface PlannedFailure {
  readonly status?: number;
  readonly delayMs?: number;
  /** Cuts the connection instead of answering. */
  readonly reset?: boolean;
  /** Never answers. */
  readonly hang?: boolean;
}

/** A running RESTCONF server (RFC 8040) of a small router, on a free port of 127.0.0.1. */
export interface RestconfDouble {
  /** Scheme, host and port; no slash at the end. */
  readonly url: string;
  readonly root: string;
  /** Certificate to trust, PEM; absent without TLS. */
  readonly caPem?: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly SeenRequest[];
  readonly connections: () => number;
  /** Plans a failure of the next request that has none yet. */
  failNext(failure: PlannedFailure): void;
  setPassword(password: string): void;
  /** Replaces the YANG library, which is {@link DEMO_LIBRARY} at first. */
  setLibrary(library: YangLibrary): void;
  close(): Promise<void>;
}

/** Starts an orchestrator to test and show with: real protocol, data of RFC 8343 in memory. */
export async function createRestconfDouble(options: RestconfDoubleOptions): Promise<RestconfDouble> {
  const { username, tls = true, root = '/restconf', clock = systemClock } = options;
  let library = DEMO_LIBRARY;
  let credentials = basic(username, options.password);
  const requests: SeenRequest[] = [];
  const failures: PlannedFailure[] = [];
  const closing = new AbortController();
  const store = createDatastore(clock);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const failure = failures.shift();
    const seen = await readRequest(request);
    requests.push(seen);
    if (failure?.reset) request.socket.destroy();
    if (failure?.reset || failure?.hang) return;
    if (failure?.delayMs !== undefined) await delay(failure.delayMs, undefined, { signal: closing.signal });
    const site = { store, root, origin: url, library, credentials: () => credentials };
    write(response, failure?.status === undefined ? answer(site, seen) : failureReply(failure.status));
  }

  const { server, caPem } = await createServer(tls, (request, response) => {
    // Only a connection that is already closed fails here.
    serve(request, response).catch(() => response.destroy());
  });
  const { port, connections, close } = await listenOnLoopback(server);
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  return {
    url,
    root,
    requests,
    connections,
    ...(caPem !== undefined && { caPem }),
    failNext: (failure) => void failures.push(failure),
    setPassword(password) {
      credentials = basic(username, password);
    },
    setLibrary(replacement) {
      library = replacement;
    },
    close() {
      closing.abort();
      return close();
    },
  };
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

async function createServer(
  tls: boolean,
  listener: RequestListener,
): Promise<{ server: Server; caPem?: string }> {
  if (!tls) return { server: createHttpServer(listener) };
  const names = { commonName: 'restconf-double', dns: 'localhost', ip: '127.0.0.1' };
  const certificate = await makeCertificate(names);
  return { server: createHttpsServer(certificate, listener), caPem: certificate.cert };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body: await text(request) };
}

function write(response: ServerResponse, { status, headers, body }: Reply): void {
  const type = body === undefined ? {} : { 'content-type': YANG_JSON };
  // RFC 8040 section 5.5: replies must not be cached.
  response.writeHead(status, { 'cache-control': 'no-cache', ...type, ...headers });
  response.end(body === undefined || typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`);
}

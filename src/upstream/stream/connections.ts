import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Agent, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { isSafeMethod } from '../../core/http.js';
import { Problem } from '../../core/problem.js';
import type { StreamRequest } from '../../core/stream.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { Scheduler } from '../../lib/clock.js';
import type { AdapterSettings } from '../../settings/adapter.js';
import { credentialNames } from '../adapter-auth.js';
import { withParameter } from '../build-request.js';
import { expectsBody } from '../client.js';
import {
  bareHost,
  type Connector,
  type ConnectorOptions,
  createConnector,
  type DialTarget,
  usesForwardProxy,
} from '../connect.js';
import { ConnectionReuse } from '../connection-reuse.js';
import type { Phase } from '../deadline.js';
import type { Endpoint, Endpoints } from '../endpoint.js';
import type { Credentials } from '../login/session.js';
import { type BaseUrl, confine } from '../target.js';
import { exchangeStream, type SendStream, type StreamedReply, type WaitLimit } from './exchange.js';
import { requestHeaders } from './request-headers.js';

const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Throws `upstream_bad_reply` for a protocol switch that does not answer this WebSocket handshake (RFC 6455
 * section 4.2.2): a tunnel for another protocol would be unrestricted.
 */
function checkHandshake(
  { headers }: IncomingMessage,
  { isUpgrade, headers: requested }: StreamRequest,
): void {
  const key = requested.find(([name]) => name.toLowerCase() === 'sec-websocket-key')?.[1] ?? '';
  const expected = createHash('sha1')
    .update(key.trim() + WEBSOCKET_GUID)
    .digest('base64');
  const isAccepted = isUpgrade && headers['sec-websocket-accept'] === expected;
  if (isAccepted && headers.upgrade?.toLowerCase() === 'websocket') return;
  throw new Problem(
    'upstream_bad_reply',
    'the target switched the protocol, but not to the requested WebSocket',
  );
}

/** Idle timeout of a connection, in milliseconds: shorter than that of orchestrators. */
const IDLE_TIMEOUT_MS = 4_000;

/**
 * Creates an agent that connects to one base URL, regardless of the requested host, and reuses connections if
 * they are kept alive.
 * The agent has no connection limit: the sender already holds a slot in the adapter's queue, and a second
 * queue could block it.
 */
function createStreamAgent(
  { origin }: BaseUrl,
  connect: (target: DialTarget) => ReturnType<Connector>,
  keepAlive: boolean,
): Agent {
  const { hostname, protocol, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const target = { hostname: bareHost(hostname), port: Number(port || (isSecure ? 443 : 80)), isSecure };
  const options = { keepAlive, scheduling: 'lifo', timeout: IDLE_TIMEOUT_MS } as const;
  const agent = isSecure ? new TlsAgent(options) : new Agent(options);
  // All connections have the same target, so that Node need not join their names from the options of each request.
  agent.getName = () => origin;
  agent.createConnection = (_options, callback) => {
    connect(target).then(
      (socket) => callback?.(null, socket),
      // Node ignores the socket if there is an error.
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

export interface StreamConnectionOptions {
  readonly endpoints: Endpoints;
  readonly dial: ConnectorOptions;
  readonly scheduler: Scheduler;
}

/** Credentials of a request, and its cancellation before the head of the reply. */
interface SendTerms {
  readonly credentials: Credentials;
  readonly signal: CancelSignal;
  readonly progress: { phase: Phase };
}

/** A request that is sent on one of the connections to a base URL. */
interface Sending {
  readonly request: StreamRequest;
  readonly endpoint: Endpoint;
  /** Value of `Host`. */
  readonly host: string;
  readonly terms: SendTerms;
}

/** A reply, and the requested URL without credentials. */
export interface ConnectionReply extends StreamedReply {
  readonly url: string;
}

/** Connections for streams, per base URL of an adapter. */
export interface StreamConnections {
  /**
   * Sends a request once, or once more if it is safe and a reused connection ended before the reply. Throws `invalid_path`, and the
   * errors of `exchangeStream`.
   */
  send(request: StreamRequest, endpoint: Endpoint, terms: SendTerms): Promise<ConnectionReply>;
  /** Closes all connections immediately, including those that are being opened. */
  close(): void;
}

/** Creates the connections for streams. Opens no connection before the first request. */
export function openStreamConnections(
  settings: AdapterSettings,
  { endpoints, dial, scheduler }: StreamConnectionOptions,
): StreamConnections {
  const closing = new AbortController();
  // Every connection that is being opened adds a listener.
  setMaxListeners(0, closing.signal);
  const connector = createConnector(dial);
  const { reuse = new ConnectionReuse() } = dial;
  const open = async (target: DialTarget): ReturnType<Connector> => {
    const socket = await connector(target, closing.signal);
    reuse.noteOpened(socket);
    return socket;
  };
  const connections = new Map(endpoints.map((endpoint) => [endpoint, connectionsTo(endpoint, open)]));
  const sendOn = senderOf(settings, { dial, reuse, scheduler });
  return {
    async send(request, endpoint, terms) {
      const connection = connections.get(endpoint) ?? connectionsTo(endpoint, open);
      const { reused, isolated } = connection;
      const isIsolated = settings.isolateBodies && request.body && !expectsBody(request.method);
      const send = async ({ load }: StreamConnection): Promise<ConnectionReply> =>
        sendOn(await load(), { request, endpoint, host: connection.host, terms });
      if (isIsolated || reuse.state !== 'on') return send(isolated);
      try {
        return await send(reused);
      } catch (error) {
        const isDropped = error instanceof Problem && error.extras.isInconclusive === true;
        if (!isDropped || request.body || !isSafeMethod(request.method)) throw error;
        terms.progress.phase = 'connecting';
        return send(isolated);
      }
    },
    close() {
      closing.abort();
      for (const { reused, isolated } of connections.values()) {
        reused.agent.destroy();
        isolated.agent.destroy();
      }
    },
  };
}

/** Sends a request on connections to its base URL. */
type SendOn = (send: SendStream, sending: Sending) => Promise<ConnectionReply>;

/** What the requests of an adapter have in common. */
interface SenderDeps extends Pick<StreamConnectionOptions, 'dial' | 'scheduler'> {
  readonly reuse: ConnectionReuse;
}

/** Creates the function that sends a request with the credentials of the adapter. */
function senderOf(settings: AdapterSettings, { dial, reuse, scheduler }: SenderDeps): SendOn {
  const credentialHeaders = credentialNames(settings.auth);
  const waitLimit = waitLimitOf(settings);
  return async (send, { request, endpoint, host, terms: { credentials, signal, progress } }) => {
    const { headers, parameter } = credentials;
    const url = confine(endpoint.base, request.path);
    const fullUrl = parameter === undefined ? url : withParameter(url, parameter);
    const { origin } = endpoint.base;
    const span = request.span?.request(
      { method: request.method, url },
      { breaker: endpoint.breaker.state() },
    );
    const outgoing = {
      method: request.method,
      target: usesForwardProxy(url, dial) ? fullUrl : fullUrl.slice(origin.length),
      headers: requestHeaders(request, {
        host,
        credentialHeaders,
        credentials: headers,
        trace: span?.headers,
      }),
      length: lengthOf(request),
      body: request.body,
    };
    const end = span?.end;
    const reply = await exchangeStream(send, outgoing, {
      waitLimit,
      scheduler,
      signal,
      progress,
      end,
      reuse,
    });
    checkTunnel(reply, request);
    const { head, tunnel, socket, stop } = reply;
    return { head, tunnel, socket, stop, url };
  };
}

/** Returns the limit of each wait for a reply: `firstByteMs`, or `totalMs` without it. */
function waitLimitOf({ timeouts: { firstByteMs, totalMs } }: AdapterSettings): WaitLimit {
  return firstByteMs === null
    ? { ms: totalMs, setting: 'timeouts.totalMs' }
    : { ms: firstByteMs, setting: 'timeouts.firstByteMs' };
}

interface StreamConnection {
  readonly agent: Agent;
  /** Loads the library with the first stream, because most servers have no streams for a long time. */
  readonly load: () => Promise<SendStream>;
}

/** Connections to one base URL: reused ones, and those for one request each. */
interface EndpointConnections {
  /** Value of `Host`. */
  readonly host: string;
  readonly reused: StreamConnection;
  readonly isolated: StreamConnection;
}

/** Creates the connections to one base URL. */
function connectionsTo(
  { base }: Endpoint,
  connect: (target: DialTarget) => ReturnType<Connector>,
): EndpointConnections {
  const open = (keepAlive: boolean): StreamConnection => {
    const agent = createStreamAgent(base, connect, keepAlive);
    let loading: Promise<SendStream> | undefined;
    const load = () =>
      (loading ??= import('./proxy.js').then(({ createStreamProxy }) =>
        createStreamProxy(base.origin, agent),
      ));
    return { agent, load };
  };
  return { host: new URL(base.origin).host, reused: open(true), isolated: open(false) };
}

/**
 * Returns the length to announce. Some servers require a length for methods that may have a body (RFC 9110
 * section 8.6).
 */
function lengthOf({ method, body }: StreamRequest): number | 'chunked' | 'none' {
  if (body) return body.length ?? 'chunked';
  return expectsBody(method) ? 0 : 'none';
}

function checkTunnel({ head, tunnel }: StreamedReply, request: StreamRequest): void {
  if (!tunnel) return;
  try {
    checkHandshake(head, request);
  } catch (error) {
    tunnel.destroy();
    throw error;
  }
}

import { setMaxListeners } from 'node:events';
import { Agent, type IncomingMessage } from 'node:http';
import type { AdapterSettings } from '../../core/adapter-settings.js';
import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import type { StreamRequest } from '../../core/stream.js';
import { credentialNames } from '../adapter-auth.js';
import type { Phase } from '../deadline.js';
import { createDialler, type ConnectorOptions, inTheOpen, bareHost, type Connector } from '../connector.js';
import type { Credentials } from '../login/session.js';
import { withParameter } from '../build-request.js';
import type { PrepareStream } from '../passthrough.js';
import { confine, type BaseUrl } from '../target.js';
import { ended } from '../with-tracing.js';
import type { Endpoint, Endpoints } from '../endpoint.js';
import { exchangeStream, type StreamedReply } from './exchange.js';
import { requestHeaders } from './request-headers.js';
import { createHash } from 'node:crypto';
import { Problem } from '../../core/problem.js';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Throws `upstream_bad_reply` for a change of protocol that is no answer to this WebSocket handshake (RFC 6455 section
 * 4.2.2): a tunnel to something else would be open for anything.
 */
export function checkHandshake(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { isUpgrade, headers: asked }: Pick<StreamRequest, 'isUpgrade' | 'headers'>,
): void {
  const key = asked.find(([name]) => name.toLowerCase() === 'sec-websocket-key')?.[1] ?? '';
  const expected = createHash('sha1')
    .update(key.trim() + GUID)
    .digest('base64');
  const isAccepted = isUpgrade && headers['sec-websocket-accept'] === expected;
  if (isAccepted && headers.upgrade?.toLowerCase() === 'websocket') return;
  throw new Problem('upstream_bad_reply', 'the target changed the protocol, but not to this WebSocket');
}

/** How long a connection is kept that nobody uses, in milliseconds: shorter than orchestrators keep theirs. */
const IDLE_MS = 4_000;

/**
 * Makes the connections to one base URL, whatever host it is asked for, and keeps those that can be used again. It sets no
 * limit of its own: whoever sends holds a place in the adapter's queue, and a second line behind it would hang.
 */
export function createStreamAgent({ origin }: BaseUrl, dialTo: Connector, signal: AbortSignal): Agent {
  const { hostname, protocol, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const target = { hostname: bareHost(hostname), port: Number(port || (isSecure ? 443 : 80)), isSecure };
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: IDLE_MS });
  agent.createConnection = (_options, callback) => {
    dialTo(target, signal).then(
      (socket) => callback?.(null, socket),
      // Node looks at the error first, and then at nothing else.
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

export interface LineOptions {
  readonly endpoints: Endpoints;
  readonly dial: ConnectorOptions;
  readonly scheduler: Scheduler;
}

/** What a request goes out with, and what ends it before its head has come. */
export interface LineTerms {
  readonly credentials: Credentials;
  readonly signal: CancelSignal;
  readonly progress: { phase: Phase };
}

/** A reply, and the URL that was asked for, without credentials. */
export interface LineReply extends StreamedReply {
  readonly url: string;
}

/** The connections for streams to each base URL of an adapter. */
export interface HeaderLines {
  /** Sends once. Throws `invalid_path` and what `exchangeStream` throws. */
  send(request: StreamRequest, endpoint: Endpoint, terms: LineTerms): Promise<LineReply>;
  /** Ends connections at once, those that are being opened as well. */
  close(): void;
}

/** Opens no connection before the first request. */
export function openLines(
  settings: AdapterSettings,
  { endpoints, dial, scheduler }: LineOptions,
): HeaderLines {
  const taken = credentialNames(settings.auth);
  const { firstByteMs } = settings.timeouts;
  const closing = new AbortController();
  // All connections that are being opened listen to it.
  setMaxListeners(0, closing.signal);
  const dialTo = createDialler(dial);
  const lines = new Map(endpoints.map((endpoint) => [endpoint, lineTo(endpoint, dialTo, closing.signal)]));
  return {
    async send(request, endpoint, { credentials, signal, progress }) {
      const { headers, parameter } = credentials;
      const url = confine(endpoint.base, request.path);
      const whole = parameter === undefined ? url : withParameter(url, parameter);
      const { origin } = endpoint.base;
      const span = request.span?.request({ method: request.method, url });
      const outgoing = {
        method: request.method,
        target: inTheOpen(url, dial) ? whole : whole.slice(origin.length),
        headers: requestHeaders(request, {
          host: new URL(origin).host,
          taken,
          credentials: headers,
          trace: span?.headers,
        }),
        length: lengthOf(request),
        body: request.body,
      };
      const { append: carry } = lines.get(endpoint) ?? lineTo(endpoint, dialTo, closing.signal);
      const sent = exchangeStream(carry, outgoing, { scheduler, firstByteMs, signal, progress });
      const reply = await (span?.end ? ended(sent, span.end, statusOf) : sent);
      checkTunnel(reply, request);
      return { ...reply, url };
    },
    close() {
      closing.abort();
      for (const { agent } of lines.values()) agent.destroy();
    },
  };
}

function lineTo(
  { base }: Endpoint,
  ...connect: [ReturnType<typeof createDialler>, AbortSignal]
): { readonly agent: Agent; readonly append: PrepareStream } {
  const agent = createStreamAgent(base, ...connect);
  let opened: Promise<PrepareStream> | undefined;
  return { agent, append: async (request) => (await (opened ??= openCarry(agent)))(request) };
}

/** Loaded with the first stream: most servers have none for a long time. */
async function openCarry(agent: Agent): Promise<PrepareStream> {
  const { createCarry } = await import('../passthrough.js');
  return createCarry(agent);
}

const EXPECT_BODY: ReadonlySet<string> = new Set(['PATCH', 'POST', 'PUT']);

/** Some servers insist on a length where a body could be (RFC 9110 section 8.6). */
function lengthOf({ method, body }: StreamRequest): number | 'chunked' | 'none' {
  if (body) return body.length ?? 'chunked';
  return EXPECT_BODY.has(method) ? 0 : 'none';
}

/** What lasts behind the head is the call's, not the request's. */
function statusOf({ head }: StreamedReply): number {
  return head.statusCode ?? 0;
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

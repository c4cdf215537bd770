import { setMaxListeners } from 'node:events';
import type { Agent } from 'node:http';
import type { AdapterSettings } from '../../core/adapter-settings.js';
import type { CancelSignal } from '../../core/cancel-signal.js';
import type { Scheduler } from '../../core/lib/clock.js';
import type { StreamRequest } from '../../core/stream.js';
import { credentialNames } from '../adapter-auth.js';
import type { Phase } from '../deadline.js';
import { createDialler, type ConnectorOptions, inTheOpen } from '../connector.js';
import type { Credentials } from '../login/session.js';
import { withParameter } from '../build-request.js';
import type { PrepareStream } from '../passthrough.js';
import { confine } from '../target.js';
import { ended } from '../with-tracing.js';
import type { Endpoint, Endpoints } from '../endpoint.js';
import { createStreamAgent } from './agent.js';
import { exchangeStream, type StreamedReply } from './exchange.js';
import { checkHandshake } from './handshake.js';
import { requestHeaders } from './request-headers.js';

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

import { Readable } from 'node:stream';
import type { Adapter, AdapterStream, OutboundRequest } from '../core/adapter.js';
import { isHeaderName, isHeaderValue, isOwnHeader, forwardedReplyHeaders } from '../core/header.js';
import { Problem } from '../core/problem.js';
import type { StreamReply, StreamRequest } from '../core/stream.js';
import type { CancelSignal } from '../lib/cancel-signal.js';
import { runWithin } from './run-within.js';

/** Streams of a plugin, in the form of the pass-through. */
export interface PluginStreams {
  /** Opens a stream. Throws the Problem of the plugin, or `upstream_unreachable` for any other failure. */
  pass(request: StreamRequest, signal: CancelSignal): Promise<StreamReply>;
  close(): void;
}

interface PluginStreamTerms {
  /** Time limit until a stream is open, in milliseconds. */
  readonly totalMs: number;
  /** Further headers that callers get. */
  readonly replyHeaders?: readonly string[] | undefined;
}

/** Returns the streams of an adapter; undefined if its plugin has none. */
export function pluginStreamsOf(
  adapter: Adapter,
  { totalMs, replyHeaders }: PluginStreamTerms,
): PluginStreams | undefined {
  const openStream = adapter.openStream?.bind(adapter);
  if (!openStream) return undefined;
  const forwarded = forwardedReplyHeaders(replyHeaders);
  const running = new Set<Readable>();
  return {
    async pass(request, signal) {
      const ending = new AbortController();
      const stream = await openWithin(
        openStream,
        { request: outbound(request), ending },
        { totalMs, signal },
      );
      const body = bodyOf(stream, ending);
      running.add(body);
      body.once('close', () => running.delete(body));
      // A plugin may copy the headers of its orchestrator.
      const headers = Object.entries(stream.headers).filter(([name]) => forwarded.has(name.toLowerCase()));
      return { status: stream.status, headers, body };
    },
    close() {
      const reason = new Problem('adapter_unavailable', 'the adapter was stopped or replaced');
      for (const body of running) body.destroy(reason);
    },
  };
}

type OpenStream = NonNullable<Adapter['openStream']>;

interface Opening {
  readonly request: OutboundRequest;
  /** Fires when the stream is to end, also after it has opened. */
  readonly ending: AbortController;
}

async function openWithin(
  openStream: OpenStream,
  { request, ending }: Opening,
  { totalMs, signal }: { readonly totalMs: number; readonly signal: CancelSignal },
): Promise<AdapterStream> {
  try {
    const opened = await runWithin(
      (limit) => {
        limit.addEventListener('abort', () => {
          ending.abort(limit.reason);
        });
        return openStream(request, ending.signal);
      },
      {
        ms: totalMs,
        timeoutMessage: `no stream within ${totalMs} ms (timeouts.totalMs)`,
        signal,
        abortProblem: () => new Problem('caller_gone', 'the caller left before the stream was open'),
      },
    );
    return checkStream(opened);
  } catch (error) {
    // A plugin that opens the stream late, or wrongly, has to release it.
    ending.abort(error);
    if (error instanceof Problem) throw error;
    throw new Problem('upstream_unreachable', "the stream of the adapter's plugin failed", { cause: error });
  }
}

/** Returns the request of a plugin. The token and the other headers of the caller are not for it. */
function outbound({ method, path, headers, isUpgrade, body }: StreamRequest): OutboundRequest {
  if (isUpgrade || body)
    throw new Problem('proxy_not_supported', 'the streams of this adapter take no body and no WebSocket');
  const accept = headers.filter(([name]) => name.toLowerCase() === 'accept').map(([, value]) => value);
  return { method, path, headers: accept.length > 0 ? { accept: accept.join(', ') } : {} };
}

/** Returns the stream after a check, because a plugin may be written without types. */
function checkStream(stream: unknown): AdapterStream {
  if (typeof stream !== 'object' || stream === null) throw new TypeError('the plugin opened no stream');
  const { status, headers, body } = stream as Partial<Record<keyof AdapterStream, unknown>>;
  const isStatus = Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
  if (!isStatus || !isBody(body) || !isHeaders(headers))
    throw new TypeError('the plugin opened something that is no stream');
  return stream as AdapterStream;
}

function isBody(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function isHeaders(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null) return false;
  return Object.entries(headers).every(
    ([name, value]: [string, unknown]) =>
      isHeaderName(name) && !isOwnHeader(name) && typeof value === 'string' && isHeaderValue(value),
  );
}

/**
 * Returns the body as a stream that asks the plugin for the next piece when the caller has room for it. Its end does not wait for
 * the plugin, which may wait for an event that never comes.
 */
function bodyOf({ body }: AdapterStream, ending: AbortController): Readable {
  const pieces = body[Symbol.asyncIterator]();
  const readable = new Readable({
    read() {
      pieces.next().then(
        ({ done, value }) => {
          readable.push(done === true ? null : value);
        },
        (cause: unknown) => {
          readable.destroy(cause instanceof Problem ? cause : brokenStream(cause));
        },
      );
    },
    destroy(error, done) {
      ending.abort(error ?? new Problem('caller_gone', 'the stream has ended'));
      pieces.return?.().catch(() => undefined);
      done(error);
    },
  });
  return readable;
}

function brokenStream(cause: unknown): Problem {
  return new Problem('upstream_bad_reply', "the stream of the adapter's plugin failed", { cause });
}

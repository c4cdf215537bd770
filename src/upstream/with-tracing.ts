import { errorTextOf } from '../core/attempt.js';
import type { HttpReply, HttpRequest, OpenHttpClient } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { ClientSpan, RequestTracer, TraceHeaders } from '../core/trace.js';
import type { Settlement } from './settlement.js';

/** Sends a request as a span of `parent`, if given. `send` adds the headers of the span, which name it, to the request. */
export function withTracing(
  parent: RequestTracer | undefined,
  request: HttpRequest,
  send: (trace: TraceHeaders | undefined) => Promise<HttpReply>,
): Promise<HttpReply> {
  if (!parent) return send(undefined);
  const span = parent.request(request);
  const reply = send(span.headers);
  return span.end ? endSpanWith(reply, span.end, { statusOf, textOf: errorTextOf }) : reply;
}

/** Ends the span of a request with its outcome, and then settles the request. A class for performance: each call creates one. */
export class TracedSettlement implements Settlement<HttpReply> {
  readonly #end: NonNullable<ClientSpan['end']>;
  readonly #settlement: Settlement<HttpReply>;

  constructor(end: NonNullable<ClientSpan['end']>, settlement: Settlement<HttpReply>) {
    this.#end = end;
    this.#settlement = settlement;
  }

  resolve(reply: HttpReply): void {
    this.#end(reply.status, errorTextOf(reply));
    this.#settlement.resolve(reply);
  }

  reject(error: unknown): void {
    endFailed(this.#end, error);
    this.#settlement.reject(error);
  }
}

/** Ends the span of a request that has failed. */
export function endFailed(end: NonNullable<ClientSpan['end']>, error: unknown): void {
  if (error instanceof Problem) end(error.code, error.message);
  else end('internal');
}

function statusOf({ status }: HttpReply): number {
  return status;
}

/** How a span reads the status of a reply, and the text of an error reply. */
interface ReplyReader<T> {
  readonly statusOf: (reply: T) => number;
  readonly textOf?: (reply: T) => string | undefined;
}

/** Waits for the work of a span, and ends the span. */
async function endSpanWith<T>(
  work: Promise<T>,
  end: NonNullable<ClientSpan['end']>,
  { statusOf, textOf }: ReplyReader<T>,
): Promise<T> {
  try {
    const reply = await work;
    end(statusOf(reply), textOf?.(reply));
    return reply;
  } catch (error) {
    endFailed(end, error);
    throw error;
  }
}

/** Returns true for a header that names a trace (W3C Trace Context); `name` is in lower case. */
export function isTraceHeader(name: string): boolean {
  return name === 'traceparent' || name === 'tracestate';
}

/**
 * Returns a caller's headers without trace headers: the call adds its own, and duplicates would be invalid.
 */
export function withoutTrace(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isTraceHeader(name.toLowerCase())));
}

/** Wraps a client factory so that every request starts a new trace. */
export function tracedClients(open: OpenHttpClient, tracer: RequestTracer): OpenHttpClient {
  return (options) => {
    const client = open(options);
    return {
      send: (request, limits, signal) =>
        withTracing(tracer, request, (trace) =>
          client.send({ ...request, headers: { ...request.headers, ...trace } }, limits, signal),
        ),
      close: () => client.close(),
    };
  };
}

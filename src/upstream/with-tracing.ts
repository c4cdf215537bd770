import { type AttemptFacts, errorTextOf } from '../core/attempt.js';
import type { HttpReply, HttpRequest, OpenHttpClient } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { ClientSpan, RequestTracer } from '../core/trace.js';

/** The span that a request belongs to, and what its call records about the attempt. */
export interface TracedIn {
  /** Absent: the request is not traced. */
  readonly parent: RequestTracer | undefined;
  readonly facts?: AttemptFacts | undefined;
}

/** Sends a request as a span of `parent`, if given; the request's headers name the span. */
export function withTracing(
  { parent, facts }: TracedIn,
  request: HttpRequest,
  send: (request: HttpRequest) => Promise<HttpReply>,
): Promise<HttpReply> {
  if (!parent) return send(request);
  const span = parent.request(request, facts);
  // Spreading two objects costs ten times as much, and every call runs this code.
  const headers = Object.assign({}, request.headers, span.headers);
  const reply = send({ ...request, headers });
  return span.end ? endSpanWith(reply, span.end, { statusOf, textOf: errorTextOf }) : reply;
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
export async function endSpanWith<T>(
  work: Promise<T>,
  end: NonNullable<ClientSpan['end']>,
  { statusOf, textOf }: ReplyReader<T>,
): Promise<T> {
  try {
    const reply = await work;
    end(statusOf(reply), textOf?.(reply));
    return reply;
  } catch (error) {
    if (error instanceof Problem) end(error.code, error.message);
    else end('internal');
    throw error;
  }
}

/**
 * Returns a caller's headers without trace headers: the call adds its own, and duplicates would be invalid.
 */
export function withoutTrace(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:traceparent|tracestate)$/i.test(name)),
  );
}

/** Wraps a client factory so that every request starts a new trace. */
export function tracedClients(open: OpenHttpClient, tracer: RequestTracer): OpenHttpClient {
  return (options) => {
    const client = open(options);
    return {
      send: (request, limits, signal) =>
        withTracing({ parent: tracer }, request, (traced) => client.send(traced, limits, signal)),
      close: () => client.close(),
    };
  };
}

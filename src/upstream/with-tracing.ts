import type { AttemptFacts } from '../core/attempt.js';
import type { HttpReply, HttpRequest, OpenHttpClient } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { ClientSpan, RequestTracer, TraceHeaders } from '../core/trace.js';

/** A request that is sent as a span, and what its span records beside it. */
interface TracedRequest {
  readonly request: HttpRequest;
  readonly facts?: AttemptFacts;
}

/** Sends a request as a span of `parent`, if given. `send` adds the headers of the span, which name it, to the request. */
export async function withTracing(
  parent: RequestTracer | undefined,
  { request, facts }: TracedRequest,
  send: (trace: TraceHeaders | undefined) => Promise<HttpReply>,
): Promise<HttpReply> {
  if (!parent) return send(undefined);
  const { headers, end } = parent.request(request, facts);
  try {
    const reply = await send(headers);
    end?.(reply.status, errorTextOf(reply));
    return reply;
  } catch (error) {
    if (end) endFailed(end, error);
    throw error;
  }
}

/** Ends the span of a request that has failed. */
export function endFailed(end: NonNullable<ClientSpan['end']>, error: unknown): void {
  if (error instanceof Problem) end(error.code, error.message);
  else end('internal');
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
        withTracing(tracer, { request }, (trace) =>
          client.send({ ...request, headers: { ...request.headers, ...trace } }, limits, signal),
        ),
      close: () => client.close(),
    };
  };
}

/** Maximum length of the text before its secrets are removed. A secret that this cuts off is past the final length. */
const MAX_SEARCHED_BYTES = 8_000;

/** Returns the readable start of the body of an error reply; undefined for other replies and bodies. */
function errorTextOf({
  status,
  body,
}: {
  readonly status: number;
  readonly body: Buffer;
}): string | undefined {
  if (status < 400 || body.length === 0) return undefined;
  const text = body.subarray(0, MAX_SEARCHED_BYTES).toString().trim();
  // A character may be cut at the end; elsewhere, a replacement character means that the body is not text.
  const isText = !/[\0\uFFFD]/.test(text.slice(0, -3));
  return isText && text !== '' ? text : undefined;
}

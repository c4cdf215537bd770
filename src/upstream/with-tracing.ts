import type { HttpReply, HttpRequest, OpenHttpClient } from '../core/http.js';
import { Problem } from '../core/problem.js';
import type { ClientSpan, RequestTracer } from '../core/trace.js';

/** Sends a request as a span, where there is anything that it can be a part of: its headers name the span. */
export function withTracing(
  parent: RequestTracer | undefined,
  request: HttpRequest,
  send: (request: HttpRequest) => Promise<HttpReply>,
): Promise<HttpReply> {
  if (!parent) return send(request);
  const span = parent.request(request);
  // A spread of two objects costs ten times as much, and this is done for every call.
  const headers = Object.assign({}, request.headers, span.headers);
  const reply = send({ ...request, headers });
  return span.end ? ended(reply, span.end, ({ status }) => status) : reply;
}

/** Waits for what a span is about, and ends it. */
export async function ended<T>(
  work: Promise<T>,
  end: NonNullable<ClientSpan['end']>,
  statusOf: (reply: T) => number,
): Promise<T> {
  try {
    const reply = await work;
    end(statusOf(reply));
    return reply;
  } catch (error) {
    end(error instanceof Problem ? error.code : 'internal');
    throw error;
  }
}

/** Headers of a caller's choice without those of a trace: the call has its own, and two would be none. */
export function withoutTrace(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:traceparent|tracestate)$/i.test(name)),
  );
}

/** Opens clients whose every request begins a trace of its own. */
export function tracedClients(open: OpenHttpClient, tracer: RequestTracer): OpenHttpClient {
  return (options) => {
    const client = open(options);
    return {
      send: (request, limits, signal) =>
        withTracing(tracer, request, (whole) => client.send(whole, limits, signal)),
      close: () => client.close(),
    };
  };
}

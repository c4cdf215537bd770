import type { HttpRequest } from './http.js';
import type { AnsweredRequest } from './metric.js';

/** Headers that carry a trace between servers (W3C Trace Context, level 1, section 3). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Destination of a request. */
export type RequestTarget = Pick<HttpRequest, 'method' | 'url'>;

/** A request to another server, as part of a trace. */
export interface ClientSpan {
  /** Headers to send with the request, in place of others with these names. */
  readonly headers: TraceHeaders;
  /**
   * Ends the span with the status of the reply or the code of the Problem. Absent if spans are not collected.
   */
  readonly end?: (outcome: number | string) => void;
}

/** Starts spans of requests to other servers; each attempt of a request has a separate span. */
export interface RequestTracer {
  request(target: RequestTarget): ClientSpan;
}

/** A running call, on whose behalf requests are made. */
export interface CallSpan extends RequestTracer {
  /** Returns headers for requests that other code sends. */
  headers(): TraceHeaders;
}

/** An incoming call, as part of a trace. */
export interface ServerSpan extends CallSpan {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  /** Ends the span with the result of the call. */
  end(answered: AnsweredRequest): void;
}

/** Assigns each call and each request to a trace. A request that no call caused starts a new trace. */
export interface Tracer extends RequestTracer {
  /** Continues the trace that the headers of a call name; starts a new one if they name no valid trace. */
  receive(headers: Readonly<Record<string, unknown>>): ServerSpan;
}

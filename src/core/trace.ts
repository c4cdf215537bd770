import type { HttpRequest } from './http.js';
import type { AnsweredRequest } from './metric.js';

/** The headers that carry a trace from server to server (W3C Trace Context, level 1, section 3). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Where a request goes. */
export type RequestTarget = Pick<HttpRequest, 'method' | 'url'>;

/** A request to another server, as a part of a trace. */
export interface ClientSpan {
  /** To be sent with it, in place of any others of these names. */
  readonly headers: TraceHeaders;
  /** To be told the status of the reply, or the code of the Problem. Absent where nobody collects spans. */
  readonly end?: (outcome: number | string) => void;
}

/** Begins requests to other servers; each try of one is a span of its own. */
export interface RequestTracer {
  request(target: RequestTarget): ClientSpan;
}

/** A call on its way, as requests are made on its behalf. */
export interface CallSpan extends RequestTracer {
  /** For requests that somebody else sends. */
  headers(): TraceHeaders;
}

/** A call that came in, as a part of a trace. */
export interface ServerSpan extends CallSpan {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  /** To be told how the call was answered. */
  end(answered: AnsweredRequest): void;
}

/** Gives each call and each request its place in a trace. A request that no call causes begins a trace of its own. */
export interface Tracer extends RequestTracer {
  /** Continues the trace that a call names in its headers; begins one where it names none, or none that is valid. */
  receive(headers: Readonly<Record<string, unknown>>): ServerSpan;
}

import type { HttpRequest } from './http.js';
import type { AnsweredRequest } from './metric.js';
import type { Secret } from './secret.js';

/** Headers that carry a trace between servers (W3C Trace Context, level 1, section 3). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Destination of a request. */
export type RequestTarget = Pick<HttpRequest, 'method' | 'url'>;

/** Span of a request to another server. */
export interface ClientSpan {
  /** Headers to send with the request; they replace headers with the same names. */
  readonly headers: TraceHeaders;
  /**
   * Ends the span with the status of the reply or the code of the Problem. Absent if spans are not exported.
   */
  readonly end?: (outcome: number | string) => void;
}

/** Starts spans of requests to other servers; each attempt of a request has a separate span. */
export interface RequestTracer {
  request(target: RequestTarget): ClientSpan;
}

/** Span of a running call, which is the parent of spans of its requests. */
export interface CallSpan extends RequestTracer {
  /** Returns headers for requests that other code sends. */
  headers(): TraceHeaders;
}

/** Span of an incoming call. */
export interface ServerSpan extends CallSpan {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  /** Ends the span with the result of the call. */
  end(answered: AnsweredRequest): void;
}

/** Creates the spans of calls and requests. A request without a call starts a new trace. */
export interface Tracer extends RequestTracer {
  /**
   * Continues the trace in the headers of a call. Starts a new trace if the headers contain no valid trace.
   */
  receive(headers: Readonly<Record<string, unknown>>): ServerSpan;
}

/** Settings for the export of spans. */
export interface TracingSettings {
  /** URL of an OTLP receiver over HTTP; null disables the export. */
  readonly otlpEndpoint: string | null;
  readonly headers: Readonly<Record<string, Secret>>;
  /** Share of the traces of this server that is exported, from 0 to 1. */
  readonly sampleRatio: number;
  readonly serviceName: string;
  readonly caFile: string | null;
}

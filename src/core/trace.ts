import type { Attempt, AttemptFacts } from './attempt.js';
import type { HttpRequest } from './http.js';
import type { AnsweredRequest } from './metric.js';

/** Headers that carry a trace between servers (W3C Trace Context, level 1, section 3). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string;
}

export type RequestTarget = Pick<HttpRequest, 'method' | 'url'>;

/** Span of a request to another server. */
export interface ClientSpan {
  /** Headers to send with the request; they replace headers with the same names. */
  readonly headers: TraceHeaders;
  /**
   * Ends the span with the status of the reply or the code of the Problem, and the reason of a failure. Absent if neither
   * a call records its attempts nor spans are exported.
   */
  readonly end?: (outcome: number | string, text?: string) => void;
}

/** Starts spans of requests to other servers; each attempt of a request has a separate span. */
export interface RequestTracer {
  request(target: RequestTarget, facts?: AttemptFacts): ClientSpan;
}

/** Span of a running call, which is the parent of spans of its requests. */
export interface CallSpan extends RequestTracer {
  /** Request id of the call, for the lines of the log about its requests. */
  readonly requestId?: string | undefined;
  /** Returns headers for requests that other code sends. */
  headers(): TraceHeaders;
}

/** What the span of a call reports about its request, besides the result. */
export interface ServedRequest {
  readonly scheme: 'http' | 'https';
  /** Value of `Host`, or the authority of the target; absent in a request of HTTP/1.0. */
  readonly host: string | undefined;
  /** Pattern of the path, such as `/orchestrator_manager/restQuery/:adapterId`; absent if no operation matches. */
  readonly route: string | undefined;
  /** IP address of the client; empty if the client has left. */
  readonly clientAddress: string;
  /** Version of HTTP, for example `1.1`. */
  readonly protocolVersion: string;
  readonly userAgent: string | undefined;
}

export interface ServerSpan extends CallSpan {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  /** The attempts that have ended, oldest first; absent if the call has sent no request. */
  readonly attempts?: readonly Attempt[] | undefined;
  /** False if the span is not collected, so that its end needs no request; absent: it may be collected. */
  readonly isRecording?: boolean;
  /** Ends the span with the result of the call. */
  end(answered: AnsweredRequest, request: ServedRequest): void;
}

/** Creates the spans of calls and requests. A request without a call starts a new trace. */
export interface Tracer extends RequestTracer {
  /**
   * Continues the trace in the headers of a call. Starts a new trace if the headers contain no valid trace.
   */
  receive(headers: Readonly<Record<string, unknown>>, requestId?: string): ServerSpan;
}

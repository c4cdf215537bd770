import type { Connection } from './connection.js';
import type { HttpReply, ReplyHeaders } from './http.js';
import type { Log } from './log.js';
import type { RequestError } from './problem.js';
import type { JsonSchema } from './schema.js';

/** A call to an orchestrator, in the terms of the specification (sections 2.3 and 2.5). */
export interface RestCall {
  readonly kind: 'query' | 'action';
  /** Upper case. */
  readonly method: 'GET' | 'PATCH' | 'PUT' | 'POST' | 'DELETE';
  /** `params.path` as the caller sent it. */
  readonly path: string;
  readonly accept: string;
  readonly contentType?: string;
  /** JSON text of the body, exactly as it is sent; absent for a call without a body. */
  readonly body?: Buffer;
}

/** A request to the orchestrator. The host restricts `path` to the base URL and adds the credentials. */
export interface OutboundRequest {
  readonly method: string;
  /** Path and query below the base URL, starting with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export type UpstreamReply = HttpReply;

/** An error that the orchestrator reports, in words that a caller can act on. */
export interface UpstreamErrorInfo {
  readonly detail: string;
  readonly errors?: readonly RequestError[];
}

/** Context of a plugin: its name, its log and its only way to reach the orchestrator. */
export interface AdapterContext {
  /** The adapterId. */
  readonly name: string;
  readonly log: Log;
  /**
   * Sends a request below the base URL with the adapter's credentials, time-outs and limits. Throws a Problem
   * if no reply arrives.
   */
  send(request: OutboundRequest, signal: AbortSignal): Promise<UpstreamReply>;
}

/** A running adapter instance for one orchestrator. */
export interface Adapter {
  /**
   * Returns the requests that carry out the call, in order. Requests after a reply of 400 or above are not
   * sent. Pure.
   */
  translate(call: RestCall): readonly [OutboundRequest, ...OutboundRequest[]];
  /**
   * Returns the result of a query: any JSON value, or a `RawJson`. Pure. Without this method, JSON is passed
   * on byte for byte, and other media types become `{"result": ["<text>"]}` (wire decision 2).
   */
  shape?(call: RestCall, reply: UpstreamReply): unknown;
  /** Returns an explanation of a reply of 400 or above, if the orchestrator's error format is known. Pure. */
  explain?(reply: UpstreamReply): UpstreamErrorInfo | undefined;
  /**
   * Loads the information that the adapter needs before its first call. The host calls this method again
   * until it succeeds.
   */
  start?(signal: AbortSignal): Promise<void>;
  stop?(signal: AbortSignal): Promise<void>;
  /**
   * Carries out a request of `translate` in place of the host's upstream; only for a plugin with its own
   * transport. `signal` fires when the adapter's `timeouts.totalMs` is over and when the caller leaves.
   * Throws a Problem if no reply arrives.
   */
  send?(request: OutboundRequest, signal: AbortSignal): Promise<UpstreamReply>;
  /**
   * Returns the state of the transport's connection; only together with `send`. Without this method, the host
   * derives the state from every call.
   */
  connection?(): Connection;
}

/** Contract of a folder in `plugins/`, whose `index.ts` exports an `AdapterPlugin` as `plugin`. */
export interface AdapterPlugin<Options = unknown> {
  /** Equal to the folder's name. */
  readonly type: string;
  readonly apiVersion: 1;
  /** One-sentence description for lists of the known types. */
  readonly summary: string;
  /** Schema of the adapter's `options`. `"x-secret": true` marks a string that is passed as a `Secret`. */
  readonly options: JsonSchema;
  /**
   * Completes the schema if parts of it depend on options that satisfy `options`. May read files. Returns the
   * same object for the same schema. Throws an Error with a sentence that says what to do.
   */
  optionsFor?(options: Options): Promise<JsonSchema>;
  /** Creates an instance. Opens no socket and starts no timer, so that `check` can call it. */
  create(options: Options, context: AdapterContext): Adapter;
}

/** Returns the value of a reply header, or the first value if there are several. */
export function headerOf(headers: ReplyHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

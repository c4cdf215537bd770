import type { Connection } from './connection.js';
import type { HttpReply, ReplyHeaders } from './http.js';
import type { Log } from './log.js';
import type { RequestError } from './problem.js';
import type { JsonSchema } from './schema.js';

/** What a caller asks of an orchestrator, in the specification's terms (sections 2.3 and 2.5). */
export interface RestCall {
  readonly kind: 'query' | 'action';
  /** Upper case. */
  readonly method: 'GET' | 'PATCH' | 'PUT' | 'POST' | 'DELETE';
  /** `params.path` as the caller sent it. */
  readonly path: string;
  readonly accept: string;
  readonly contentType?: string;
  /** JSON text of the body, exactly as it is to be sent; absent when there is none. */
  readonly body?: Buffer;
}

/** A request towards the orchestrator. The host confines `path` to the base URL and adds the credentials. */
export interface OutboundRequest {
  readonly method: string;
  /** Path and query below the base URL, starting with `/`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export type UpstreamReply = HttpReply;

/** What the orchestrator says went wrong, in words that a caller can act on. */
export interface UpstreamErrorInfo {
  readonly detail: string;
  readonly errors?: readonly RequestError[];
}

/** What a plugin is given: its name, a log, and the one way to its orchestrator. */
export interface AdapterContext {
  /** The adapterId. */
  readonly name: string;
  readonly log: Log;
  /** Sends below the base URL with the adapter's credentials, time-outs and limits. Throws a Problem when no reply came. */
  send(request: OutboundRequest, signal: AbortSignal): Promise<UpstreamReply>;
}

/** A running instance towards one orchestrator. */
export interface Adapter {
  /** The requests that carry out the call, in order; those after a reply of 400 or above are not sent. Pure. */
  translate(call: RestCall): readonly [OutboundRequest, ...OutboundRequest[]];
  /**
   * Result of a query: any JSON value, or a `RawJson`. Pure. Absent: JSON is passed on byte for byte,
   * other media types become `{"result": ["<text>"]}` (wire decision 2).
   */
  shape?(call: RestCall, reply: UpstreamReply): unknown;
  /** Words for a reply of 400 or above, where the orchestrator's error format is known. Pure. */
  explain?(reply: UpstreamReply): UpstreamErrorInfo | undefined;
  /** Learns what the adapter must know before its first call. The host calls it again until it succeeds. */
  start?(signal: AbortSignal): Promise<void>;
  stop?(signal: AbortSignal): Promise<void>;
  /**
   * Only for a plugin that brings its own transport: carries out a request of `translate`, instead of the host's upstream.
   * `signal` fires when the adapter's `timeouts.totalMs` is over and when the caller leaves. Throws a Problem when no reply came.
   */
  send?(request: OutboundRequest, signal: AbortSignal): Promise<UpstreamReply>;
  /** Only beside `send`: what the transport knows of its connection. Absent: the host notes it from every call. */
  connection?(): Connection;
}

/** The contract of a folder of `plugins/`: its `index.ts` exports one of these as `plugin`. */
export interface AdapterPlugin<Options = unknown> {
  /** Equal to the folder's name. */
  readonly type: string;
  readonly apiVersion: 1;
  /** One sentence for lists of the known types. */
  readonly summary: string;
  /** Schema of the adapter's `options`; `"x-secret": true` marks a string that arrives as a `Secret`. */
  readonly options: JsonSchema;
  /**
   * Completes the schema where the rest of it depends on options that satisfy `options`. May read files. Gives the same
   * object for the same schema; throws an Error with a sentence that says what to do.
   */
  optionsFor?(options: Options): Promise<JsonSchema>;
  /** Makes an instance. Opens no socket and starts no timer, so that `check` can call it. */
  create(options: Options, context: AdapterContext): Adapter;
}

/** One value of a reply header, the first when there are several. */
export function headerOf(headers: ReplyHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

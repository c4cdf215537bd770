import type { AdapterMethod, MethodCall } from './adapter-method.js';
import type { HttpReply, ReplyHeaders } from './http.js';
import type { Log } from './log.js';
import type { PagingBounds, PagingRule } from './paging.js';
import type { RequestError } from './problem.js';
import type { JsonSchema } from './schema.js';
import type { ByteTunnel } from './stream.js';

/** A call of a client that an adapter translates into requests to its orchestrator. */
export interface RestCall {
  /** `query` for restQuery, which reads; `action` for restAction, which may change something. */
  readonly kind: 'query' | 'action';
  /** HTTP method. */
  readonly method: 'GET' | 'PATCH' | 'PUT' | 'POST' | 'DELETE';
  /** `params.path` as the caller sent it. */
  readonly path: string;
  /** Media types that the caller accepts, as in the header `accept`. */
  readonly accept: string;
  /** Media type of the body. */
  readonly contentType?: string;
  /**
   * Body, exactly as it is sent: JSON text, or a form if `contentType` is `application/x-www-form-urlencoded`. Absent
   * for a call without a body.
   */
  readonly body?: Buffer;
}

/**
 * A request to the orchestrator. The host adds the credentials, and rejects a `path` outside of the base URL.
 */
export interface OutboundRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path and query below the base URL, starting with `/`. */
  readonly path: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cookies in the form of the header, besides those of the adapter's credentials. */
  readonly cookie?: string;
  readonly body?: Buffer;
}

/** A complete reply of the orchestrator: its `status`, its `headers` by lower-case name, and its `body` as a Buffer. */
export type UpstreamReply = HttpReply;

/**
 * Header in which a plugin with its own transport names the parts of a reply for which it has no schema. Callers get it from such a
 * plugin alone.
 */
export const UNKNOWN_NODES_HEADER = 'x-gatehouse-unknown-nodes';

/** A reply of a plugin's own transport whose body arrives in pieces, for example server-sent events. */
export interface AdapterStream {
  readonly status: number;
  /** Headers for the caller, who gets those that callers also get from other orchestrators. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces of the body. The host asks for the next one when the caller has room for it. */
  readonly body: AsyncIterable<string | Uint8Array>;
}

/** An error that the orchestrator reports, as a text for the caller. */
export interface UpstreamErrorInfo {
  /** One or more sentences. */
  readonly detail: string;
  /** Errors at locations in the request. */
  readonly errors?: readonly RequestError[];
}

/** Target of a TCP connection. */
export interface ConnectTarget {
  /** Host name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Time limit of the connection, in milliseconds. */
  readonly connectMs: number;
}

/** Context of an adapter: its name, its log and its access to the orchestrator. */
export interface AdapterContext {
  /** adapterId of the adapter. */
  readonly name: string;
  /** Log whose lines have the name of the adapter. */
  readonly log: Log;
  /**
   * Sends a request below the base URL with the adapter's credentials, time-outs and limits. Throws a Problem
   * if no reply arrives.
   */
  send(request: OutboundRequest, signal: AbortSignal): Promise<UpstreamReply>;
  /**
   * Returns the path below the base URL that a URI in the reply to the request with `path` leads to, such as the link to the next page;
   * undefined for a URI elsewhere. Absent for an adapter without an HTTP interface, and in tests.
   */
  linkedPath?(link: string, path: string): string | undefined;
  /**
   * Opens a TCP connection (a `Socket` of Node) for a plugin with a transport of its own, within `connectMs` milliseconds. Throws `egress_denied`, before
   * any byte is written, if the address that the host name led to is one that the adapter must not reach, and `upstream_unreachable` or
   * `upstream_timeout` if no connection opens.
   */
  connect(target: ConnectTarget, signal: AbortSignal): Promise<ByteTunnel>;
  /** Slots for starts that take processor time. */
  readonly starts: StartSlots;
  /** Maximum size of a reply, in bytes: the host refuses larger ones of a transport, which should not make them. Absent: unknown. */
  readonly replyBytes?: number;
}

/**
 * Slots of the process for starts that take processor time, such as loading code in a thread: adapters that start
 * together must not slow each other down until all are late. An adapter that only sends requests takes no slot.
 */
export interface StartSlots {
  /** Time limit of one start, in milliseconds. The host applies it to `start`; the wait for a slot does not count. */
  readonly timeoutMs: number;
  /**
   * Waits for a free slot, and returns the function that releases it. Throws the reason of the signal if it fires first.
   */
  takeSlot(signal: AbortSignal): Promise<() => void>;
}

/** A running adapter instance for one orchestrator. */
export interface Adapter {
  /**
   * Returns the requests that carry out the call, in order. After a reply of 400 or above, the host sends no
   * further request. Pure.
   */
  translate(call: RestCall): readonly [OutboundRequest, ...OutboundRequest[]];
  /**
   * Returns the headers that every request of `translate` contains, by lower-case name. The host adds them to the
   * requests of `/proxy` and leaves out the caller's headers of the same names. Called once.
   */
  fixedHeaders?(): Readonly<Record<string, string>>;
  /**
   * Returns the result of a query: any JSON value, or a `RawJson`. Pure. Without this method, the host
   * forwards JSON byte for byte, and other media types become `{"result": ["<text>"]}`.
   */
  shape?(call: RestCall, reply: UpstreamReply): unknown;
  /**
   * Returns how the orchestrator divides the list at the path of a query into pages; undefined if it does not. The host then reads
   * all pages for a caller who asks for them. Pure. Only for a plugin whose `translate` keeps the paths of queries.
   */
  paging?(path: string): { readonly rule: PagingRule; readonly bounds?: Partial<PagingBounds> } | undefined;
  /** Returns the error in a reply of 400 or above; undefined for an unknown error format. Pure. */
  explain?(reply: UpstreamReply): UpstreamErrorInfo | undefined;
  /**
   * Loads the data that the adapter needs before its first call. The host repeats the call until it succeeds.
   */
  start?(signal: AbortSignal): Promise<void>;
  /** Releases the resources of the adapter. */
  stop?(signal: AbortSignal): Promise<void>;
  /**
   * Sends a request of `translate` in place of the host's upstream; only for a plugin with its own transport. `signal` fires after the
   * adapter's `timeouts.totalMs`, and when the caller disconnects. Throws a Problem if no reply arrives. After `upstream_auth`, the
   * host sends a change again only if the Problem has the extra `isUnsent`: the plugin has sent nothing but a login.
   */
  send?(request: OutboundRequest, signal: AbortSignal): Promise<UpstreamReply>;
  /**
   * Opens a stream for a request of `/proxy`; only together with `send`. The request has the header `accept` alone. `signal` fires
   * when the caller disconnects or the adapter is closed, also after the stream has opened, and when the stream is not open after
   * `timeouts.totalMs`. Throws a Problem if there is no such stream. Without this method, `/proxy` is refused.
   */
  openStream?(request: OutboundRequest, signal: AbortSignal): Promise<AdapterStream>;
  /**
   * Returns the state of the transport's connection; only together with `send`. Without this method, the host
   * derives the state from the results of calls.
   */
  connection?(): Connection;
  /**
   * Returns the methods that callers can call by their names; only together with `callMethod`. Returns the same objects while
   * the methods are unchanged, because the host compiles the schema of each object once.
   */
  methods?(): Promise<readonly AdapterMethod[]>;
  /**
   * Calls one of `methods`; only together with `methods`. Returns the result: any JSON value, or a `RawJson`. `signal` fires after
   * the adapter's `timeouts.totalMs`, and when the caller disconnects. Throws a Problem if the method fails.
   */
  callMethod?(call: MethodCall, signal: AbortSignal): Promise<unknown>;
}

/**
 * A plugin: the export `plugin` of the main module of a package, or of a folder of `plugins/`.
 *
 * @example
 * ```ts
 * export const plugin: AdapterPlugin<{ readonly region: string }> = {
 *   type: 'acme',
 *   apiVersion: 1,
 *   summary: 'The inventory of Acme.',
 *   options: {
 *     type: 'object',
 *     additionalProperties: false,
 *     required: ['region'],
 *     properties: { region: { description: 'Region of the inventory.', type: 'string' } },
 *   },
 *   create: ({ region }) => ({
 *     translate: ({ method, path, accept, contentType, body }) => [
 *       {
 *         method,
 *         path: `/regions/${region}${path}`,
 *         headers: { accept, ...(contentType && { 'content-type': contentType }) },
 *         ...(body && { body }),
 *       },
 *     ],
 *   }),
 * };
 * ```
 */
export interface AdapterPlugin<Options = unknown> {
  /** Type of the plugin, which is the name of its folder. */
  readonly type: string;
  /** Version of this API that the plugin uses. */
  readonly apiVersion: 1;
  /** One-sentence description for lists of plugins. */
  readonly summary: string;
  /** Schema of the adapter's `options`. `"x-secret": true` marks a string that is passed as a `Secret`. */
  readonly options: JsonSchema;
  /**
   * True if `translate` moves paths below the root of the API that the adapter knows. Without it, the base URL has to end
   * with the path of the server in an OpenAPI document.
   */
  readonly movesPaths?: boolean;
  /**
   * Returns the complete schema if it depends on the options, which are valid against `options`. May read
   * files. Returns the same object for the same schema. Throws an Error with advice for the operator.
   */
  optionsFor?(options: Options): Promise<JsonSchema>;
  /**
   * Creates an adapter. Opens no socket and starts no timer, because the command `check` also calls this
   * method.
   */
  create(options: Options, context: AdapterContext): Adapter;
}

/**
 * Returns the value of a reply header; the first value of a repeated header.
 *
 * @param name - Name of the header in lower case.
 *
 * @example
 * ```ts
 * const contentType = headerOf(reply.headers, 'content-type');
 * ```
 */
export function headerOf(headers: ReplyHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Reachability of the orchestrator, according to the latest call or probe. */
export interface Connection {
  /**
   * `UNKNOWN` before the first call or probe. `LOGIN_REFUSED` if the orchestrator answers and refuses the credentials,
   * `OFFLINE` if it does not answer or fails.
   */
  readonly state: 'ONLINE' | 'OFFLINE' | 'LOGIN_REFUSED' | 'UNKNOWN';
  /** Start of this state, in milliseconds since 1970. */
  readonly since: number;
  /** Reason for `OFFLINE` and `LOGIN_REFUSED`. */
  readonly reason?: string;
  /** True if `OFFLINE` only means that no connection could be opened; the next connection that opens disproves it. */
  readonly isUnreachable?: boolean;
  /** Time of the latest call or probe that had a result, in milliseconds since 1970; absent before the first. */
  readonly lastTriedAt?: number;
  /** Origin of the result at `lastTriedAt`. */
  readonly lastTriedBy?: 'call' | 'probe';
  /** Time of the latest call or probe that reached the orchestrator, in milliseconds since 1970; absent before the first. */
  readonly lastOkAt?: number;
}

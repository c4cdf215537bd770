import type { CancelSignal } from '../lib/cancel-signal.js';
import type { AdapterMethod, MethodCall } from './adapter-method.js';
import type { AdapterContext, OutboundRequest, UpstreamReply } from './adapter.js';
import type { CertificateFile } from './certificate.js';
import type { ReplyHeaders } from './http.js';
import type { ReadCache, ReadCacheStatus } from './read-cache.js';
import type { ReplyMemory } from './reply-memory.js';
import type { StreamReply, StreamRequest } from './stream.js';
import type { CallSpan } from './trace.js';

/** What a request has of the call that causes it. */
export interface CallTerms {
  readonly span?: CallSpan | undefined;
  readonly memory?: ReplyMemory | undefined;
}

/**
 * Access to the orchestrator of an adapter. Restricts paths, queues and authenticates requests, and limits
 * time and size.
 */
export interface Upstream {
  /**
   * Sends a request. Throws `invalid_path`, `upstream_busy` or `upstream_suspended` if nothing was sent,
   * `upstream_auth` if the login failed, or a Problem of `HttpClient.send`. A request that may change state
   * is sent at most once, or once more after a 401. Each attempt has a span below the span of the call. A large reply is reserved of
   * the memory while it is read; `overloaded` is thrown if the memory is full.
   */
  send(request: OutboundRequest, signal: CancelSignal, terms?: CallTerms): Promise<UpstreamReply>;
  /**
   * Forwards a request without buffering, and resolves when the status and headers of the reply have arrived.
   * Throws the same Problems as `send`. Sends the request once, or once more if it has no body and a 401
   * reports the end of the session. Occupies a slot until the reply has ended. Absent if requests cannot be
   * forwarded.
   */
  readonly pass?: (request: StreamRequest, signal: CancelSignal) => Promise<StreamReply>;
  /**
   * Calls a method of the adapter's plugin, or of its OpenAPI document, within the limits of time and size. Returns the result as a
   * reply with JSON, or with 300 or above the reply of the orchestrator. Throws the Problem of the plugin, or `plugin_failed`. Absent
   * if the adapter has no methods.
   */
  readonly callMethod?: (call: MethodCall, signal: CancelSignal, terms?: CallTerms) => Promise<UpstreamReply>;
  /**
   * Returns the methods of the adapter's plugin within the limit of time. Throws the Problem of the plugin, or `plugin_failed`.
   * Absent if the plugin has no methods.
   */
  readonly methods?: (signal: CancelSignal) => Promise<readonly AdapterMethod[]>;
  /**
   * Answers a query from the cache of the adapter, or by `send`; undefined if the cache does not cover the query. Absent
   * without a cache.
   */
  readonly cachedRead?: ReadCache['read'];
  /**
   * Opens a TCP connection for the plugin's own transport. Throws the Problems of `AdapterContext.connect`. Absent: the adapter has no
   * check of addresses of its own.
   */
  readonly connect?: AdapterContext['connect'];
  /** Waits a limited time for streams to end, then aborts them. */
  close(): Promise<void>;
  /** Removes the adapter's own credentials from the body of a reply. Absent if the adapter does not want this. */
  readonly redactReply?: (reply: UpstreamReply) => UpstreamReply | Promise<UpstreamReply>;
  /**
   * Returns the headers of a reply for the caller: without headers of the connection, cookies and the adapter's own
   * credentials. `path` is the path of the answered request: with it, a `Location` below a base URL becomes a path below
   * that base URL, and any other `Location` an absolute URL. Absent: the caller sees no headers.
   */
  readonly callerHeaders?: (headers: ReplyHeaders, path?: string) => ReplyHeaders;
  /**
   * Returns the path below a base URL that a URI in the reply to the request with `path` leads to; undefined for a URI elsewhere.
   * Absent: no path is known.
   */
  readonly linkedPath?: (link: string, path: string) => string | undefined;
  /**
   * Requests the health path of each base URL, without the queue and the breaker, and reports the results to
   * the breaker. Returns the lowest status. Throws the Problem of the last URL if no URL replies below 500 and accepts
   * the credentials. Absent if no health path is configured. `fixedHeaders` are headers of every request of the adapter.
   */
  readonly probe?: (signal: AbortSignal, fixedHeaders?: Readonly<Record<string, string>>) => Promise<number>;
  /**
   * Opens a session at the first base URL, unless there is one. Throws the Problem of the login. Absent if the credentials
   * need no login.
   */
  readonly login?: (signal: CancelSignal) => Promise<void>;
  /**
   * Opens a connection to each base URL and closes it, without a request. Resolves if one base URL accepts the connection;
   * throws the Problem of the last one otherwise. Absent for the health type "none", for recorded replies, for an
   * `http:` base URL behind a proxy, and for a plugin with its own transport.
   */
  readonly checkConnection?: (signal: AbortSignal) => Promise<void>;
  /** Certificates of its connections; absent: none is configured. */
  readonly certificates?: readonly CertificateFile[];
  readonly status?: () => UpstreamStatus;
}

/** Status for health checks and metrics. Counters start at zero when the upstream is created. */
export interface UpstreamStatus {
  /** Calls that occupy a slot. */
  readonly inFlight: number;
  /** Calls that wait for a slot. */
  readonly waiting: number;
  /** Calls that were refused a slot, or waited too long for a slot. */
  readonly refused: number;
  /** Number of retries: all attempts except the first attempt of each call. */
  readonly retries: number;
  readonly logins: number;
  readonly failedLogins: number;
  /** Open connections, including idle connections. */
  readonly connections: number;
  readonly idleConnections: number;
  /** Whether connections serve further requests: `off` by a setting, `stopped` because the orchestrator dropped several in a row. */
  readonly connectionReuse: ConnectionReuseState;
  readonly cache?: ReadCacheStatus;
  /** Base URLs, in the order of the configuration. */
  readonly baseUrls: readonly BaseUrlStatus[];
  /** Base URL of the latest call; before the first call, the base URL that the first call will use. */
  readonly current: string;
}

export type ConnectionReuseState = 'on' | 'off' | 'stopped';

export interface BaseUrlStatus {
  readonly url: string;
  readonly breaker: 'closed' | 'open' | 'half-open';
  /** Milliseconds until an open breaker admits a call; 0 while it admits calls. */
  readonly waitMs: number;
  /** Consecutive failures. */
  readonly failures: number;
  readonly inFlight: number;
}

import type { AccessRule } from './access.js';
import type { ReadCacheSettings } from './read-cache.js';
import type { PemFile, Secret } from './secret.js';

/** Settings of an adapter with all defaults filled in and all secrets resolved. Paths are absolute. */
export interface AdapterSettings {
  /** Name of a folder in `plugins/`. */
  readonly plugin: string;
  /** Base URL of the orchestrator; exactly one of `baseUrl` and `baseUrls` is set. */
  readonly baseUrl?: string;
  /** Several base URLs of the same orchestrator. */
  readonly baseUrls?: readonly string[];
  readonly balance: 'primary' | 'round-robin' | 'least-pending';
  readonly auth: AdapterAuthSettings;
  readonly tls: {
    readonly caFile: PemFile | null;
    readonly certFile: PemFile | null;
    readonly keyFile: PemFile | null;
    readonly serverName: string | null;
    readonly insecure: boolean;
  };
  /** URL of the HTTP proxy to use. Proxies from environment variables are never used. */
  readonly proxy: string | null;
  readonly timeouts: TimeoutSettings;
  readonly retry: RetrySettings;
  readonly queue: QueueSettings;
  readonly breaker: BreakerSettings;
  readonly health: HealthSettings;
  /** Access rules. If empty, only the roles of the operation decide. */
  readonly access: readonly AccessRule[];
  /** Cache for queries; null: every query is sent. */
  readonly cache: ReadCacheSettings | null;
  /** Maximum size of a reply body, in bytes. */
  readonly replyBytes: number;
  /**
   * True sends a body on a connection of its own if the method gives it no meaning (RFC 9110 section 9.3.1): an
   * orchestrator that ignores the body would read it as the next request, which may belong to another caller.
   */
  readonly isolateBodies: boolean;
  /** False sends each request on a new connection, for an orchestrator that drops connections when they are used again. */
  readonly reuseConnections: boolean;
  /** True replaces the adapter's own credentials in the replies of restAction and restQuery. */
  readonly redactReplies: boolean;
  /** True answers from recorded replies and never calls the orchestrator. */
  readonly stub: boolean;
  /** True saves each reply in the folder of recordings. */
  readonly record: boolean;
  /** Folder of recorded replies. */
  readonly recordings: string;
  readonly enabled: boolean;
  /** Options of the plugin, valid against its schema. */
  readonly options: unknown;
}

/** Time-outs of calls, all in milliseconds. */
interface TimeoutSettings {
  readonly connectMs: number;
  /** Maximum time from the last byte of a request to the headers of its reply, for each attempt; null: `totalMs`. */
  readonly firstByteMs: number | null;
  /** Maximum duration of a call; does not apply to streams. */
  readonly totalMs: number;
  /** Maximum time in which a stream may transfer no byte in either direction. */
  readonly idleMs: number;
  /** Maximum duration of a start of the adapter; the wait for the starts of other adapters does not count. */
  readonly startMs: number;
}

/** Conditions for retries. A request that was never sent may be retried with any method. */
export interface RetrySettings {
  /** Maximum number of attempts per call, at least 1. */
  readonly attempts: number;
  /**
   * Methods that are retried. Only safe methods (RFC 9110 section 9.2.1) are allowed, so that a change is
   * never sent twice.
   */
  readonly methods: readonly ('GET' | 'HEAD' | 'OPTIONS')[];
  /** Statuses that cause a retry. */
  readonly statuses: readonly number[];
  /** Maximum number of retries per hundred calls, in addition to a small reserve. */
  readonly budgetPercent: number;
}

/** Limits for concurrent and queued calls. */
export interface QueueSettings {
  /** Maximum number of concurrent calls, and of connections to each base URL. */
  readonly concurrent: number;
  /** Maximum number of calls in the queue. */
  readonly waiting: number;
  /** Maximum time in the queue, in milliseconds. */
  readonly waitMs: number;
}

/** Settings of the circuit breaker. */
export interface BreakerSettings {
  /** Consecutive failures after which the breaker of a base URL opens; 0 disables the breaker. */
  readonly failures: number;
  /** Minimum time for which the breaker stays open, in milliseconds. */
  readonly openMs: number;
}

/** Settings of health probes. */
interface HealthSettings {
  readonly type: 'none' | 'startup' | 'intermittent';
  /** Path below the base URL that probes request; null: probes open a connection and send no request. */
  readonly path: string | null;
  /** Seconds between two probes; 0 disables probes. */
  readonly intervalSeconds: number;
}

/** Authentication to the orchestrator. */
export type AdapterAuthSettings =
  | { readonly type: 'none' }
  | { readonly type: 'basic'; readonly username: string; readonly password: Secret }
  | { readonly type: 'bearer'; readonly token: Secret }
  | { readonly type: 'header'; readonly name: string; readonly value: Secret }
  | { readonly type: 'query'; readonly name: string; readonly value: Secret }
  | OAuth2Settings
  | LoginSettings;

/** Client credentials grant (RFC 6749 section 4.4). */
export interface OAuth2Settings {
  readonly type: 'oauth2';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly scope: string | null;
  /** Location of the client id and secret in the token request. */
  readonly clientAuth: 'basic' | 'body';
  /** Encoding of the token request's body; the RFC defines only `form`. */
  readonly encoding: 'form' | 'json';
}

/** Requests that open a session, and the values from their replies that are added to every call. */
export interface LoginSettings {
  readonly type: 'login';
  readonly steps: readonly LoginStepSettings[];
  readonly apply: {
    /** Header to add, written as `Name: value with {names}`. */
    readonly header: string | null;
    /** Further headers to add, by name. */
    readonly headers: Readonly<Record<string, string>>;
    /** True sends the cookies that the steps received. */
    readonly cookies: boolean;
  };
  /**
   * Lifetime of the session: seconds, or a JSON pointer to the seconds in a step's reply; null if unknown.
   */
  readonly expiresIn: number | string | null;
  /** Statuses that mean that the session has expired. */
  readonly refreshOn: readonly number[];
  /**
   * Text of an HTML page that arrives with a success status after the session has expired; null if there is
   * no such page.
   */
  readonly loginPage: string | null;
}

/** One request of a login. Strings may contain `{names}` of values from earlier steps. */
export interface LoginStepSettings {
  readonly request: {
    readonly method: 'GET' | 'POST' | 'PUT';
    /** Path below the base URL. */
    readonly path: string;
    readonly headers: Readonly<Record<string, Secret>>;
    readonly basic?: { readonly username: Secret; readonly password: Secret };
    /** Body sent as JSON; its strings are `Secret`s. */
    readonly body?: Readonly<Record<string, unknown>>;
    /** Body sent as a form. */
    readonly form?: Readonly<Record<string, Secret>>;
  };
  /**
   * Location of each value, by name: a JSON pointer, `` (the whole text), `header:<name>` or `cookie:<name>`.
   */
  readonly take: Readonly<Record<string, string>>;
  /** Text in a successful reply that means that the login was refused. */
  readonly refusedBy: string | null;
}

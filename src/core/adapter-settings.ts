import type { AccessRule } from './access.js';
import type { PemFile } from './pem-file.js';
import type { Secret } from './secret.js';

/** One adapter with every default filled in and every secret resolved. Paths are absolute. */
export interface AdapterSettings {
  /** Name of a folder of `plugins/`. */
  readonly plugin: string;
  /** Absent where `baseUrls` says it; exactly one of the two is there. */
  readonly baseUrl?: string;
  /** Several ways to the same orchestrator. */
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
  /** URL of an HTTP proxy on the way; those that the environment names are never used. */
  readonly proxy: string | null;
  readonly timeouts: TimeoutSettings;
  readonly retry: RetrySettings;
  readonly queue: QueueSettings;
  readonly breaker: BreakerSettings;
  readonly health: HealthSettings;
  /** Empty: the operation's own roles decide alone. */
  readonly access: readonly AccessRule[];
  /** Largest reply body, in bytes. */
  readonly replyBytes: number;
  /** True answers from recorded replies and never calls out. */
  readonly stub: boolean;
  /** True keeps each reply in the folder of recordings. */
  readonly record: boolean;
  /** Folder of the recorded replies. */
  readonly recordings: string;
  readonly enabled: boolean;
  /** The plugin's own, valid against its schema. */
  readonly options: unknown;
}

/** All in milliseconds. */
export interface TimeoutSettings {
  readonly connectMs: number;
  readonly firstByteMs: number;
  /** For a whole call; not for streams. */
  readonly totalMs: number;
  /** How long a stream may be without a byte in either direction. */
  readonly idleMs: number;
}

/** When a call is tried again. What was never sent may be repeated whatever the method. */
export interface RetrySettings {
  /** Tries of one call at most, from 1. */
  readonly attempts: number;
  /** Safe methods (RFC 9110 section 9.2.1) alone: what changes state is never sent twice. */
  readonly methods: readonly ('GET' | 'HEAD' | 'OPTIONS')[];
  /** Statuses that are worth another try. */
  readonly statuses: readonly number[];
  /** Retries in a hundred calls, beyond a small reserve. */
  readonly budgetPercent: number;
}

export interface QueueSettings {
  /** Calls on their way at a time; connections to each base URL. */
  readonly concurrent: number;
  /** Calls that may wait for their turn. */
  readonly waiting: number;
  /** Longest wait, in milliseconds. */
  readonly waitMs: number;
}

export interface BreakerSettings {
  /** Failures in a row after which a base URL is left alone; 0 never does so. */
  readonly failures: number;
  /** For how long it is left alone, in milliseconds. */
  readonly openMs: number;
}

export interface HealthSettings {
  readonly type: 'none' | 'startup' | 'intermittent';
  /** Path below the base URL that is asked for; null probes nothing. */
  readonly path: string | null;
  readonly intervalSeconds: number;
}

/** How calls are authenticated to the orchestrator. */
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
  /** Where the client's id and secret stand in the request for a token. */
  readonly clientAuth: 'basic' | 'body';
  /** Body of that request; the RFC knows `form` alone. */
  readonly encoding: 'form' | 'json';
}

/** Requests that open a session, and what of their replies goes with every call. */
export interface LoginSettings {
  readonly type: 'login';
  readonly steps: readonly LoginStepSettings[];
  readonly apply: {
    /** `Name: value with {names}`. */
    readonly header: string | null;
    /** More of them, by header name. */
    readonly headers: Readonly<Record<string, string>>;
    /** True sends the cookies that the steps were given. */
    readonly cookies: boolean;
  };
  /** Life of the session: seconds, or a JSON pointer to them in a step's reply; null when nothing tells. */
  readonly expiresIn: number | string | null;
  /** Statuses that say that the session is over. */
  readonly refreshOn: readonly number[];
  /** Text of the HTML page that comes with a status of success when the session is over; null when none does. */
  readonly loginPage: string | null;
}

/** One request of a login. Texts may hold `{names}` of what earlier steps took. */
export interface LoginStepSettings {
  readonly request: {
    readonly method: 'GET' | 'POST' | 'PUT';
    /** Below the base URL. */
    readonly path: string;
    readonly headers: Readonly<Record<string, Secret>>;
    readonly basic?: { readonly username: Secret; readonly password: Secret };
    /** Sent as JSON; its texts are `Secret`s. */
    readonly body?: Readonly<Record<string, unknown>>;
    /** Sent as a form. */
    readonly form?: Readonly<Record<string, Secret>>;
  };
  /** Name to where its value stands: a JSON pointer, `` (the whole text), `header:<name>` or `cookie:<name>`. */
  readonly take: Readonly<Record<string, string>>;
  /** Text in a reply of success that says that the login was refused all the same. */
  readonly refusedBy: string | null;
}

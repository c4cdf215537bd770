/** How an adapter stands. */
export type AdapterState = 'STARTING' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'DEAD';

/** Whether requests are let through to a base URL. */
export type Breaker = 'closed' | 'open' | 'half-open';

/** Traffic of the last five minutes. */
export interface Rates {
  readonly perMinute: number;
  /** Those that ended with 5xx. */
  readonly errorsPerMinute: number;
  /** Null: no call. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** An adapter, as `GET /console/overview` tells it; times in milliseconds since 1970. */
export interface ObservedAdapter {
  readonly name: string;
  /** The plugin. */
  readonly type: string;
  /** As clients see it. */
  readonly model: string;
  readonly state: AdapterState;
  readonly suspended: 'paused' | 'refusing' | null;
  readonly connection: 'ONLINE' | 'OFFLINE' | 'UNKNOWN';
  readonly connectionSince: number | null;
  /** Runs since. */
  readonly since: number | null;
  /** Why it is broken, in clear words. */
  readonly cause: string | null;
  readonly origin:
    { readonly kind: 'file'; readonly file: string } | { readonly kind: 'record'; readonly revision: number };
  readonly baseUrls: readonly { readonly origin: string; readonly breaker: Breaker | null }[];
  /** The worst of them; null: it has none. */
  readonly breaker: Breaker | null;
  readonly inFlight: number;
  readonly waiting: number;
  readonly traffic: Rates;
}

/** Something that somebody should look at. */
export interface Trouble {
  readonly severity: 'danger' | 'warning';
  readonly title: string;
  readonly cause: string;
  readonly since: number | null;
  readonly about: {
    readonly kind: 'adapter' | 'secret' | 'configuration' | 'service';
    readonly name: string;
  };
}

/** Calls of one caller; the name is empty for all beyond the busiest. */
export interface ObservedCaller {
  readonly name: string;
  readonly perMinute: number;
  readonly errorsPerMinute: number;
}

/** What `GET /console/overview` tells. */
export interface OverviewReply {
  readonly server: {
    readonly version: string;
    readonly release: string;
    readonly since: number;
    readonly now: number;
    readonly activeProfile: string | null;
    readonly revision: number;
    readonly generation: number;
    readonly ready: boolean;
    readonly configurationUpToDate: boolean;
    readonly traffic: Rates;
  };
  readonly adapters: readonly ObservedAdapter[];
  readonly callers: readonly ObservedCaller[];
  readonly problems: readonly Trouble[];
  readonly problemsLeft: number;
}

/** Calls of five minutes. */
export interface TrafficCell {
  readonly at: number;
  readonly calls: number;
  readonly errors: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Something that happened to an adapter, or to the server (`adapter` null). */
export interface TrafficMark {
  readonly at: number;
  readonly adapter: string | null;
  readonly kind:
    | 'started'
    | 'restarted'
    | 'stopped'
    | 'broken'
    | 'configured'
    | 'removed'
    | 'offline'
    | 'online'
    | 'breaker-open'
    | 'breaker-closed';
  readonly text: string;
}

/** What `GET /console/traffic` tells; cells without calls are left out. */
export interface TrafficReply {
  readonly cellSeconds: number;
  readonly from: number;
  readonly to: number;
  readonly adapters: readonly { readonly name: string; readonly cells: readonly TrafficCell[] }[];
  readonly marks: readonly TrafficMark[];
}

/** A call that came through an adapter. */
export interface ObservedCall {
  readonly at: number;
  readonly requestId: string;
  readonly adapter: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** What was asked of the orchestrator: `GET /restconf/data`; absent where that is not known. */
  readonly about?: string | null;
  readonly status: number;
  readonly ms: number;
  readonly caller: string;
  /** `ok`, or the code of the problem. */
  readonly outcome: string;
}

/** Loudest first. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace', 'spam'] as const;

/** How loud a line of the log is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A line of the log. */
export interface LogLine {
  readonly id: number;
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What `GET /console/log` tells, oldest first. */
export interface LogReply {
  readonly lines: readonly LogLine[];
  /** To be handed back as `after`. */
  readonly next: number;
  /** True: some lines since `after` were dropped. */
  readonly missed: boolean;
  readonly writtenLevel: LogLevel;
  /** There when more is asked for than is written. */
  readonly hint: string | null;
}

/** The server's event `traffic`: rates of now, of all and by adapter. */
export interface TrafficEvent extends Rates {
  readonly adapters: Readonly<Record<string, Rates>>;
}

/** Where the latest {@link TrafficEvent} is kept (`app/use-live.ts`). */
export const TRAFFIC_EVENT = '/console/events/traffic';

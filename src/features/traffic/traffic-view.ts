import type { ActAction } from '../../core/record-history.js';

/** An event that may explain a change of traffic. */
export interface TimelineEvent {
  /** Time when the event was seen, in milliseconds since 1970. */
  readonly at: number;
  /** Name of the adapter; null for the server. */
  readonly adapter: string | null;
  readonly kind:
    | 'started'
    | 'restarted'
    | 'stopped'
    | 'broken'
    | 'configured'
    | 'reloaded'
    | 'rotated'
    | 'secret-accepted'
    | 'secret-refused'
    | 'secret-untested'
    | 'removed'
    | 'offline'
    | 'login-refused'
    | 'online'
    | 'breaker-open'
    | 'breaker-closed'
    | ActAction;
  readonly text: string;
  /** Name of the operator; null for a state change, and for an act of the server. */
  readonly by: string | null;
  readonly reason: string | null;
  /** Time at which the act ends automatically. */
  readonly until: number | null;
  /** True for an act of an operator or of a time limit, false for a state change that was observed. */
  readonly isAct: boolean;
  /** Profile that the act is about. */
  readonly profile: string | null;
}

/** Numbers of the latest calls. */
export interface CallRates {
  /** Number of calls of the last five minutes. */
  readonly calls: number;
  /** Number of those calls that ended with a status of 500 or above. */
  readonly errors: number;
  /** Number of those calls that ended with a status of 400 to 499. */
  readonly clientErrors: number;
  /** Calls per minute, with one decimal. */
  readonly perMinute: number;
  /** Calls per minute that ended with a status of 500 or above, with one decimal. */
  readonly errorsPerMinute: number;
}

/** Recent calls, their rates and latencies. The share of errors is `errors / calls`: rates are rounded. */
export interface Rates extends CallRates {
  /** Median latency in milliseconds; null without a call. */
  readonly p50Ms: number | null;
  /** 95th percentile of the latency in milliseconds; null without a call. */
  readonly p95Ms: number | null;
}

/** Time and adapters of a {@link TrafficReport}. */
export interface TrafficQuery {
  /** Start and end, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** The only adapter; undefined: all adapters. */
  readonly adapter?: string | undefined;
  /** Names of the adapters in the list; undefined: those with the most errors and calls. */
  readonly adapters?: readonly string[] | undefined;
  /** Maximum number of adapters in the list. */
  readonly limit: number;
}

/** Numbers of calls in a time. */
export interface TrafficNumbers {
  /** Length of the cells. */
  readonly cellSeconds: number;
  /** Start of the first cell, and end of the last cell, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** False if the store did not answer: the report has only the latest calls. */
  readonly isComplete: boolean;
  /** Cells of all adapters together, or of the only adapter, oldest first; empty cells are omitted. */
  readonly cells: readonly TrafficCell[];
  /** Calls by duration, shortest first. */
  readonly latencies: readonly LatencyBar[];
  /** Length of the cells of the adapters in the list. */
  readonly columnSeconds: number;
  /** Adapters with calls: most errors first, then most calls. Empty in the report of one adapter. */
  readonly adapters: readonly {
    readonly name: string;
    readonly calls: number;
    readonly errors: number;
    readonly clientErrors: number;
    readonly cells: readonly TrafficColumn[];
  }[];
  /** Number of adapters with calls that are not in the list. */
  readonly adaptersLeft: number;
  /** Calls by caller and adapter, for the 40 busiest adapters of the report, most calls first. */
  readonly flows: readonly TrafficFlow[];
}

/** Traffic of a time. */
export interface TrafficReport extends TrafficNumbers {
  readonly marks: readonly TimelineEvent[];
}

/** Calls of some minutes. */
export interface TrafficColumn {
  /** Start, in milliseconds since 1970; a multiple of the length. */
  readonly at: number;
  readonly calls: number;
  /** Calls that ended with a status of 500 or above. */
  readonly errors: number;
  /** Calls that ended with a status of 400 to 499. */
  readonly clientErrors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Calls of some minutes, with the state of the upstream. */
export interface TrafficCell extends TrafficColumn {
  readonly maxInFlight: number;
  readonly maxWaiting: number;
  /** Time in which a circuit breaker was open. */
  readonly openSeconds: number;
  readonly halfOpenSeconds: number;
}

/** Number of calls that took longer than the bar before, and at most `toMs`. */
export interface LatencyBar {
  /** Null for all longer calls. */
  readonly toMs: number | null;
  readonly calls: number;
}

/** Calls of a caller through an adapter. */
export interface TrafficFlow {
  /** Name of the caller for people; empty for the sum of all other callers. */
  readonly caller: string;
  readonly adapter: string;
  readonly calls: number;
  readonly errors: number;
  readonly clientErrors: number;
}

/** Recent call rates of one caller. */
export interface CallerRates extends CallRates {
  /** Name of the caller for people; empty for the sum of all other callers. */
  readonly name: string;
}

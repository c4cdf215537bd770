import type { CancelSignal } from './cancel-signal.js';
import type { AnsweredRequest } from './metric.js';
import type { FindLines, LogLevel } from './log.js';
import type { LocatedFault } from './fault.js';
import type { ActAction } from './record-history.js';
import type { AdapterState } from './snapshot.js';
import type { Connection } from './adapter.js';
import type { UpstreamStatus } from './upstream.js';

/** Topics of change events. */
export const TOPICS = ['adapters', 'profiles', 'forms', 'tasks', 'secrets', 'deprecations'] as const;
export type EventType = (typeof TOPICS)[number];

export type BreakerState = UpstreamStatus['baseUrls'][number]['breaker'];

/** Who requested a state of an adapter, when, why and until when. `by` is a name for people. */
export interface StateRequestView {
  readonly by: string | null;
  readonly at: number;
  readonly reason: string | null;
  /** Null if the state has no end. */
  readonly until: number | null;
}

/** A change that is undone at `until` unless it is confirmed. */
export interface PendingChangeView extends Omit<StateRequestView, 'until'> {
  readonly until: number;
}

/** Status of an adapter for operators. Times are in milliseconds since 1970. */
export interface AdapterStatusView {
  readonly name: string;
  /** Name of the plugin. */
  readonly type: string;
  /** Model of the adapter in the API. */
  readonly model: string;
  readonly state: AdapterState['name'];
  readonly suspended: 'paused' | 'refusing' | null;
  /** Who requested that the adapter is stopped or suspended; null if nobody did. */
  readonly request: StateRequestView | null;
  /** Change of the adapter that is undone unless it is confirmed. */
  readonly pending: PendingChangeView | null;
  readonly connection: Connection['state'];
  readonly connectionSince: number | null;
  /** Start time; null if the adapter is not running. */
  readonly since: number | null;
  /** Reason why the adapter does not work fully; null if it does. */
  readonly cause: string | null;
  readonly origin:
    { readonly kind: 'file'; readonly file: string } | { readonly kind: 'record'; readonly revision: number };
  /** Base URLs, reduced to scheme, host and port. */
  readonly baseUrls: readonly { readonly origin: string; readonly breaker: BreakerState | null }[];
  /** Worst breaker state of the base URLs. */
  readonly breaker: BreakerState | null;
  readonly inFlight: number;
  readonly waiting: number;
  readonly traffic: Rates;
}

/** An issue that needs the attention of an operator. */
export interface MonitoringIssue {
  readonly severity: 'danger' | 'warning';
  readonly title: string;
  readonly cause: string;
  /** Time when the issue was first seen, in milliseconds since 1970. */
  readonly since: number;
  readonly about: {
    readonly kind: 'adapter' | 'secret' | 'configuration' | 'service';
    /** Empty if there is only one object of this kind. */
    readonly name: string;
  };
}

/** Most important status of the server for operators. */
export interface Overview {
  readonly server: {
    readonly version: string;
    readonly release: string;
    readonly since: number;
    readonly now: number;
    readonly activeProfile: string | null;
    /** Profiles whose change or activation is undone unless it is confirmed. */
    readonly pendingProfiles: readonly (PendingChangeView & { readonly profile: string })[];
    /** Revision of the platform state. */
    readonly revision: number;
    /** Number of configuration loads in this process. */
    readonly generation: number;
    readonly ready: boolean;
    readonly configurationUpToDate: boolean;
    readonly traffic: Rates;
  };
  readonly adapters: readonly AdapterStatusView[];
  readonly callers: readonly CallerRates[];
  /** Issues, the most severe first. */
  readonly problems: readonly MonitoringIssue[];
  /** Number of issues that are not listed. */
  readonly problemsLeft: number;
}

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
    | 'removed'
    | 'offline'
    | 'online'
    | 'breaker-open'
    | 'breaker-closed'
    | ActAction;
  readonly text: string;
  /** Name of the operator; null for a state change, and for an act of the server. */
  readonly by: string | null;
  readonly reason: string | null;
  /** Time when the act ends by itself. */
  readonly until: number | null;
  /** True for an act of an operator or of a time limit, false for a state change that was observed. */
  readonly isAct: boolean;
  /** Profile that the act is about. */
  readonly profile: string | null;
}

/** Status of one reference to a secret for operators. Does not contain the value of the secret. */
export interface SecretStatusView {
  readonly reference: string;
  readonly usedBy: readonly {
    readonly kind: 'adapter' | 'settings';
    /** Empty for settings. */
    readonly name: string;
    readonly pointer: string;
  }[];
  /** Null if the reference has not been resolved yet. */
  readonly resolves: boolean | null;
  readonly cause: string | null;
  readonly fix: string | null;
  /** Time when Vault last confirmed the value. */
  readonly fetchedAt: number | null;
  readonly version: number | null;
  /** Remaining seconds of the lease; null for a secret without a lease. */
  readonly leaseSeconds: number | null;
  readonly renewable: boolean | null;
  /**
   * `stale`: the previous value is in use; `ended`: the lease has expired; `pending`: a new value exists but
   * is not in use.
   */
  readonly rotation: 'current' | 'stale' | 'ended' | 'pending';
}

/** Status of all secrets. */
export interface SecretsStatusView {
  /** Null if no Vault is configured. */
  readonly vault: {
    readonly state: 'ok' | 'degraded' | 'down';
    readonly since: number;
    readonly addresses: readonly string[];
    readonly authMethod: string;
    readonly mount: string;
    /** Null if unknown, and for a token that never expires. */
    readonly tokenTtlSeconds: number | null;
  } | null;
  readonly references: readonly SecretStatusView[];
  /** Number of encrypted values in the platform state; gatehouse refuses such values. */
  readonly encLeft: number;
}

/** Result of testing a reference, or the reason why it was not tested. */
export type SecretTest =
  | { readonly ok: true }
  | { readonly ok: false; readonly cause: string; readonly fix: string }
  | { readonly untried: 'unknown' }
  | { readonly untried: 'too soon'; readonly waitMs: number };

/** Effect that the activation of a profile would have on the running components. */
export interface ProfileImpact {
  readonly starts: readonly string[];
  readonly stops: readonly string[];
  readonly restarts: readonly string[];
  readonly settings: readonly string[];
  readonly level?: { readonly from: string; readonly to: string };
  readonly unchanged: number;
  /** Faults that would prevent the activation. */
  readonly faults: readonly LocatedFault[];
}

/** A client that subscribes to change events. */
export interface Listener {
  /** End of the subscription, in milliseconds since 1970. */
  readonly until: number;
  /** Fires when the client leaves. */
  readonly signal: CancelSignal;
}

/** Read access to the status of a running server. Contains no secrets. */
export interface Monitoring {
  readonly overview: () => Promise<Overview>;
  /** Returns the traffic of the past hours by adapter, with the events of that time. */
  readonly traffic: (hours: number) => Promise<{
    readonly from: number;
    readonly to: number;
    readonly adapters: ReadonlyMap<string, readonly TrafficCell[]>;
    readonly marks: readonly TimelineEvent[];
  }>;
  /** Returns recent calls, newest first. */
  readonly calls: (most: number, adapter?: string) => readonly AnsweredRequest[];
  readonly lines: FindLines;
  /**
   * Returns the least important level that any transport writes: for an adapter, or for components without a
   * specific level.
   */
  readonly writtenLevel: (adapter?: string) => LogLevel;
  readonly secrets: () => SecretsStatusView;
  readonly testSecret: (reference: string) => Promise<SecretTest>;
  /** Returns the impact of activating the profile with this id; undefined if the profile does not exist. */
  readonly impact: (profile: string) => Promise<ProfileImpact | undefined>;
  /** Returns the text of server-sent events as they occur. Throws `too_many_listeners`. */
  readonly listen: (listener: Listener) => AsyncIterable<string>;
}

/** Recent call rates and latencies. */
export interface Rates {
  /** Calls per minute, with one decimal. */
  readonly perMinute: number;
  /** Calls per minute that ended with a status of 500 or above. */
  readonly errorsPerMinute: number;
  /** Median latency in milliseconds; null without a call. */
  readonly p50Ms: number | null;
  /** 95th percentile of the latency in milliseconds; null without a call. */
  readonly p95Ms: number | null;
}

/** Calls within five minutes. */
export interface TrafficCell {
  /** Start of the five minutes, in milliseconds since 1970; a multiple of five minutes. */
  readonly at: number;
  readonly calls: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
}

/** Recent call rates of one caller. */
export interface CallerRates extends Pick<Rates, 'perMinute' | 'errorsPerMinute'> {
  /** Name of the caller for people; empty for the sum of all other callers. */
  readonly name: string;
}

/** Length of a {@link TrafficCell}, in seconds. */
export const CELL_SECONDS = 300;

import type { CancelSignal } from './cancel-signal.js';
import type { AnsweredRequest } from './metric.js';
import type { CallerRates, Rates, TrafficCell } from './traffic.js';
import type { FindLines } from './log-lines.js';
import type { LogLevel } from './log.js';
import type { LocatedFault } from './fault.js';
import type { AdapterState } from './snapshot.js';
import type { Connection } from './connection.js';
import type { UpstreamStatus } from './upstream.js';

/** What something that is watched can change in. */
export const TOPICS = ['adapters', 'profiles', 'forms', 'tasks', 'secrets', 'deprecations'] as const;
export type EventType = (typeof TOPICS)[number];

export type BreakerState = UpstreamStatus['baseUrls'][number]['breaker'];

/** How an adapter stands, for people. Times are milliseconds since 1970. */
export interface AdapterStatusView {
  readonly name: string;
  /** The plugin. */
  readonly type: string;
  /** As clients name what it is made of. */
  readonly model: string;
  readonly state: AdapterState['name'];
  readonly suspended: 'paused' | 'refusing' | null;
  readonly connection: Connection['state'];
  readonly connectionSince: number | null;
  /** Since when it runs. */
  readonly since: number | null;
  /** Why it does not do all that it should. */
  readonly cause: string | null;
  readonly origin:
    { readonly kind: 'file'; readonly file: string } | { readonly kind: 'record'; readonly revision: number };
  /** Scheme, host and port alone. */
  readonly baseUrls: readonly { readonly origin: string; readonly breaker: BreakerState | null }[];
  /** The worst of them. */
  readonly breaker: BreakerState | null;
  readonly inFlight: number;
  readonly waiting: number;
  readonly traffic: Rates;
}

/** Something that an operator should look after. */
export interface MonitoringIssue {
  readonly severity: 'danger' | 'warning';
  readonly title: string;
  readonly cause: string;
  /** When it was seen first, in milliseconds since 1970. */
  readonly since: number;
  readonly about: {
    readonly kind: 'adapter' | 'secret' | 'configuration' | 'service';
    /** Empty where there is one alone. */
    readonly name: string;
  };
}

/** All that people want to see first. */
export interface Overview {
  readonly server: {
    readonly version: string;
    readonly release: string;
    readonly since: number;
    readonly now: number;
    readonly activeProfile: string | null;
    /** Counts what was asked for through the API. */
    readonly revision: number;
    /** Counts the loads of this process. */
    readonly generation: number;
    readonly ready: boolean;
    readonly configurationUpToDate: boolean;
    readonly traffic: Rates;
  };
  readonly adapters: readonly AdapterStatusView[];
  readonly callers: readonly CallerRates[];
  /** The worst first. */
  readonly problems: readonly MonitoringIssue[];
  /** How many more there are. */
  readonly problemsLeft: number;
}

/** A moment that a change of traffic may come from. */
export interface TimelineEvent {
  /** When it was seen, in milliseconds since 1970. */
  readonly at: number;
  /** Null: the server itself. */
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

/** One reference to a secret, for people; its value is not in here. */
export interface SecretStatusView {
  readonly reference: string;
  readonly usedBy: readonly {
    readonly kind: 'adapter' | 'settings';
    /** Empty for settings. */
    readonly name: string;
    readonly pointer: string;
  }[];
  /** Null: nobody has asked yet. */
  readonly resolves: boolean | null;
  readonly cause: string | null;
  readonly fix: string | null;
  /** When Vault last confirmed it. */
  readonly fetchedAt: number | null;
  readonly version: number | null;
  /** What is left; null where it is not lent. */
  readonly leaseSeconds: number | null;
  readonly renewable: boolean | null;
  /** `stale`: serves on from before; `ended`: lent, and over; `pending`: another value is there and not taken up. */
  readonly rotation: 'current' | 'stale' | 'ended' | 'pending';
}

/** How the secrets stand. */
export interface SecretsStatusView {
  /** Null without one. */
  readonly vault: {
    readonly state: 'ok' | 'degraded' | 'down';
    readonly since: number;
    readonly addresses: readonly string[];
    readonly authMethod: string;
    readonly mount: string;
    /** Null where none is known, and for a token that never ends. */
    readonly tokenTtlSeconds: number | null;
  } | null;
  readonly references: readonly SecretStatusView[];
  /** Encrypted values in what was asked for, which are refused. */
  readonly encLeft: number;
}

/** Whether a reference resolves, or why it was not tried. */
export type SecretTest =
  | { readonly ok: true }
  | { readonly ok: false; readonly cause: string; readonly fix: string }
  | { readonly untried: 'unknown' }
  | { readonly untried: 'too soon'; readonly waitMs: number };

/** What would become of what runs if a profile were made active. */
export interface ProfileImpact {
  readonly starts: readonly string[];
  readonly stops: readonly string[];
  readonly restarts: readonly string[];
  readonly settings: readonly string[];
  readonly level?: { readonly from: string; readonly to: string };
  readonly unchanged: number;
  /** What would refuse it. */
  readonly faults: readonly LocatedFault[];
}

/** Somebody who wants to be told of changes. */
export interface Listener {
  /** When nothing is told any more, in milliseconds since 1970. */
  readonly until: number;
  /** Fires when it leaves. */
  readonly signal: CancelSignal;
}

/** What there is to see of a running server. Nothing in it is a secret. */
export interface Monitoring {
  readonly overview: () => Promise<Overview>;
  /** By adapter, for so many hours back. */
  readonly traffic: (hours: number) => {
    readonly from: number;
    readonly to: number;
    readonly adapters: ReadonlyMap<string, readonly TrafficCell[]>;
    readonly marks: readonly TimelineEvent[];
  };
  /** Newest first. */
  readonly calls: (most: number, adapter?: string) => readonly AnsweredRequest[];
  readonly lines: FindLines;
  /** The quietest level that is written anywhere: of an adapter, or of what has no level of its own. */
  readonly writtenLevel: (adapter?: string) => LogLevel;
  readonly secrets: () => SecretsStatusView;
  readonly testSecret: (reference: string) => Promise<SecretTest>;
  /** Of the profile of this id; undefined when there is none. */
  readonly impact: (profile: string) => Promise<ProfileImpact | undefined>;
  /** Text of server-sent events, as they come. Throws `too_many_listeners`. */
  readonly listen: (listener: Listener) => AsyncIterable<string>;
}

import type { Connection } from '../../core/adapter.js';
import type { LocatedFault } from '../../core/fault.js';
import type { MonitoringIssue } from '../../core/issue.js';
import type { FoundLines, LineQuery, LogLevel, LogLine } from '../../core/log.js';
import type { AnsweredRequest } from '../../core/metric.js';
import type { AdapterState } from '../../core/snapshot.js';
import type { ConnectionReuseState, UpstreamStatus } from '../../core/upstream.js';
import type { CancelSignal } from '../../lib/cancel-signal.js';
import type { SecretsStatusView, SecretTest, SecretTestQuery } from '../secrets-page/secret-status-view.js';
import type { VaultBrowse, VaultBrowseQuery } from '../secrets-page/vault-browse-view.js';
import type { CallerRates, Rates, TrafficQuery, TrafficReport } from '../traffic/traffic-view.js';

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

/** A suspension that begins at `from`. */
interface ScheduledSuspensionView extends StateRequestView {
  readonly wanted: 'paused' | 'refusing';
  readonly from: number;
}

/** Kind of a reason why an adapter does not work fully, from which pages form their text. */
export type AdapterCauseKind =
  | 'starting'
  | 'stopped'
  | 'disabled'
  | 'left-out'
  | 'failed'
  | 'offline'
  | 'login-refused'
  | 'breaker-open'
  | 'outdated'
  | 'paused'
  | 'refusing';

/** A reason why an adapter does not work fully. */
export interface AdapterCause {
  readonly kind: AdapterCauseKind;
  /** What failed, the file of `disabled`, or the profile of `left-out`; null if the kind says all. */
  readonly detail: string | null;
}

/** Status of an adapter for operators. Times are in milliseconds since 1970. */
export interface AdapterStatusView {
  readonly name: string;
  readonly type: string;
  readonly model: string;
  readonly state: AdapterState['name'];
  readonly suspended: 'paused' | 'refusing' | null;
  /** Author of the request that stopped or suspended the adapter; null without one. */
  readonly request: StateRequestView | null;
  /** The suspension that begins next; null without one. */
  readonly scheduled: ScheduledSuspensionView | null;
  /** Change of the adapter that is undone unless it is confirmed. */
  readonly pending: PendingChangeView | null;
  readonly connection: Connection['state'];
  readonly connectionSince: number | null;
  /** Time of the latest call or probe that had a result; null before the first. */
  readonly lastTriedAt: number | null;
  /** Origin of the result at `lastTriedAt`. */
  readonly lastTriedBy: 'call' | 'probe' | null;
  /** Time of the latest call or probe that reached the orchestrator; null before the first. */
  readonly lastOkAt: number | null;
  /** Start time; null if the adapter is not running. */
  readonly since: number | null;
  /** Reason why the adapter does not work fully; null if it does. */
  readonly cause: string | null;
  /** The reasons in `cause`; empty if the adapter works. */
  readonly causes: readonly AdapterCause[];
  readonly origin:
    | { readonly kind: 'file'; readonly file: string }
    | { readonly kind: 'record'; readonly revision: number };
  /** Base URLs, reduced to scheme, host and port. */
  readonly baseUrls: readonly { readonly origin: string; readonly breaker: BreakerState | null }[];
  /** Worst breaker state of the base URLs. */
  readonly breaker: BreakerState | null;
  /** Time when the first of its open breakers admits a call, in milliseconds since 1970; null if none is open. */
  readonly breakerUntil: number | null;
  /** Whether connections to the orchestrator serve further requests; null if the adapter takes no calls. */
  readonly connectionReuse: ConnectionReuseState | null;
  readonly inFlight: number;
  readonly waiting: number;
  readonly tags: readonly string[];
  readonly traffic: Rates;
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

/** Result of testing the connection of an adapter, or the reason why it was not tested. */
export type AdapterTest =
  | { readonly ok: true; readonly connection: Connection['state'] }
  | {
      readonly ok: false;
      readonly connection: Connection['state'];
      readonly cause: string;
      readonly fix: string | null;
    }
  | { readonly untried: 'unknown' | 'not running' | 'no probe' }
  | { readonly untried: 'too soon'; readonly waitMs: number };

/** Effect that the activation of a profile would have on the running components. */
interface ProfileImpact {
  readonly starts: readonly string[];
  readonly stops: readonly string[];
  readonly restarts: readonly string[];
  readonly settings: readonly string[];
  readonly level?: { readonly from: string; readonly to: string };
  readonly unchanged: number;
  /** Faults that would prevent the activation. */
  readonly faults: readonly LocatedFault[];
}

/** Filters for recent calls; an absent member does not filter. */
export interface CallQuery {
  /** Maximum number of calls. */
  readonly most: number;
  readonly adapter?: string | undefined;
  /** Earliest start, inclusive, in milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Latest start, exclusive. */
  readonly to?: number | undefined;
  /** Lowest and highest HTTP status. */
  readonly status?: { readonly min: number; readonly max: number } | undefined;
  /** Subject of the caller, or its name for people. */
  readonly caller?: string | undefined;
  /** Text in the id, the adapter, the path, the target, the caller or the outcome of a call, in any case; or its status. */
  readonly contains?: string | undefined;
}

/** What this process knows about one request. */
interface RequestTrail {
  /** Requests with the id among the latest requests, newest first. */
  readonly requests: readonly AnsweredRequest[];
  /** Lines of the request among the latest lines of the log, oldest first. */
  readonly lines: readonly LogLine[];
}

/** What one node knows about a request. */
export interface NodeTrail extends RequestTrail {
  /** Name of the node: its host and port. */
  readonly node: string;
}

/** What all nodes on the same database know about a request. */
interface ClusterTrail {
  /** This node first. */
  readonly nodes: readonly NodeTrail[];
  /** Number of other nodes that did not answer in time. */
  readonly silent: number;
}

/** Read access to the status of a running server. Contains no secrets. */
export interface Monitoring {
  /** Returns the current time of the server, in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns the state of the server and of its adapters; or of one adapter, with its issues alone. */
  readonly overview: (adapter?: string) => Promise<Overview>;
  readonly issues: () => Promise<readonly MonitoringIssue[]>;
  /** Returns the traffic of a time, with the events of that time. */
  readonly traffic: (query: TrafficQuery) => Promise<TrafficReport>;
  /** Returns recent calls, newest first. */
  readonly calls: (query: CallQuery) => Promise<readonly AnsweredRequest[]>;
  /** Returns what this node and the other nodes know about a request; waits at most 1.5 seconds for them. */
  readonly request: (requestId: string) => Promise<ClusterTrail>;
  readonly lines: (query: LineQuery) => Promise<FoundLines>;
  /**
   * Returns the least important level that any transport writes: for an adapter, or for components without a
   * specific level.
   */
  readonly writtenLevel: (adapter?: string) => LogLevel;
  readonly secrets: () => SecretsStatusView;
  /** Reads a reference in use, or one that an adapter may use, from Vault. */
  readonly testSecret: (query: SecretTestQuery) => Promise<SecretTest>;
  /** Lists the names at a path of Vault below the scope of an adapter; returns no values. */
  readonly browseVault: (query: VaultBrowseQuery) => Promise<VaultBrowse>;
  /** Probes the orchestrator of an adapter now. */
  readonly testAdapter: (name: string) => Promise<AdapterTest>;
  /** Returns the impact of activating the profile with this id; undefined if the profile does not exist. */
  readonly impact: (profile: string) => Promise<ProfileImpact | undefined>;
  /** Returns the text of server-sent events as they occur. Throws `too_many_listeners`. */
  readonly listen: (signal: CancelSignal) => AsyncIterable<string>;
}

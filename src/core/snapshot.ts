import type { Adapter } from './adapter.js';
import type { CancelSignal } from './cancel-signal.js';
import type { ApplicationInstance } from './component.js';
import type { Connection } from './connection.js';
import type { EgressCaller } from './egress.js';
import type { LogLevel } from './log.js';
import type { Logins } from './login.js';
import { Problem } from './problem.js';
import type { TokenVerifier } from './principal.js';
import type { SignIns } from './sign-in.js';
import type { FormsSettings } from './settings.js';
import type { Upstream, UpstreamStatus } from './upstream.js';

/** Life of an adapter instance; `DEAD` names the reason and stays until the configuration or its secret changes. */
export type AdapterState =
  | { readonly name: 'STARTING' | 'RUNNING' | 'STOPPING' | 'STOPPED' }
  | {
      readonly name: 'DEAD';
      readonly cause: 'secret' | 'fault';
      readonly reason: string;
    };

/** A configured adapter, whatever its state. */
export interface AdapterInstance {
  readonly id: string;
  /** The plugin's type. */
  readonly type: string;
  state(): AdapterState;
  /** Since when it runs, in milliseconds since 1970; undefined while it does not. */
  since(): number | undefined;
  connection(): Connection;
  /** What goes on in its upstream; absent while it has none, or a transport of its own. */
  readonly upstreamStatus?: () => UpstreamStatus;
  /**
   * Starts it, and probes its orchestrator where a probe is configured; throws the Problem that keeps it from serving.
   * From then on it tries again by itself. Called once.
   */
  open(): Promise<void>;
  /**
   * What a call works with; starts the adapter when its start has not succeeded yet.
   * Throws `adapter_unavailable` or `adapter_secret_unavailable` with the reason.
   */
  ready(): Promise<{ readonly adapter: Adapter; readonly upstream: Upstream }>;
  close(): Promise<void>;
}

/** Everything that one load of the configuration produced. Immutable: a change is a new snapshot. */
export interface Snapshot {
  /** Counts the loads of this process, from 1. */
  readonly generation: number;
  readonly adapters: ReadonlyMap<string, AdapterInstance>;
  /** By name; those of this process. */
  readonly applications: ReadonlyMap<string, ApplicationInstance>;
  /** What operators want of adapters beyond that they run, by adapterId. */
  readonly suspended: ReadonlyMap<string, 'paused' | 'refusing'>;
  readonly egress: EgressCaller;
  readonly verifier: TokenVerifier;
  readonly logins: Logins;
  readonly signIns: SignIns;
  /** Roles by operation name where the operator changed them. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly forms: FormsSettings;
  /** Level of what no component has a level of its own for. */
  readonly logLevel: LogLevel;
  /** Adapters that serve in a former form because what should replace them does not work, and why; '' is the main file. */
  readonly outdated: ReadonlyMap<string, string>;
}

/** Runs one call on the snapshot that is live now; the snapshot is not closed before the call has ended. */
export type Lease = <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>;

/**
 * Runs one call on an adapter of the snapshot that is live now. While the adapter is paused the call waits, as long as
 * its queue lets calls wait. Throws `adapter_not_found` and `adapter_suspended`.
 */
export type LeaseAdapter = <T>(
  adapterId: string,
  signal: CancelSignal,
  work: (instance: AdapterInstance) => Promise<T>,
) => Promise<T>;

/** The adapter of this name. Throws `adapter_not_found`. */
export function adapterOf({ adapters }: Snapshot, adapterId: string): AdapterInstance {
  const instance = adapters.get(adapterId);
  if (!instance) throw new Problem('adapter_not_found', `there is no adapter "${adapterId}"`);
  return instance;
}

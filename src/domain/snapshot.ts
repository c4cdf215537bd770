import type { Adapter } from './adapter.js';
import type { Connection } from './connection.js';
import type { EgressCaller } from './egress.js';
import { Problem } from './problem.js';
import type { TokenVerifier } from './principal.js';
import type { Upstream } from './upstream.js';

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
  connection(): Connection;
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
  readonly egress: EgressCaller;
  readonly verifier: TokenVerifier;
  /** Roles by operation name where the operator changed them. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** Adapters that serve in a former form because what should replace them does not work, and why; '' is the main file. */
  readonly outdated: ReadonlyMap<string, string>;
}

/** Runs one call on the snapshot that is live now; the snapshot is not closed before the call has ended. */
export type Lease = <T>(work: (snapshot: Snapshot) => Promise<T>) => Promise<T>;

/** The adapter of this name. Throws `adapter_not_found`. */
export function adapterOf({ adapters }: Snapshot, adapterId: string): AdapterInstance {
  const instance = adapters.get(adapterId);
  if (!instance) throw new Problem('adapter_not_found', `there is no adapter "${adapterId}"`);
  return instance;
}

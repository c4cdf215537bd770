import type { Adapter } from './adapter.js';
import type { EgressCaller } from './egress.js';
import type { TokenVerifier } from './principal.js';
import type { Upstream } from './upstream.js';

/** Life of an adapter instance; `DEAD` names the reason and stays until the configuration changes. */
export type AdapterState =
  | { readonly name: 'STARTING' | 'RUNNING' | 'STOPPED' }
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

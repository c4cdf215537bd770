import type { AdapterFactories, OwnedVerifier } from '../../adapters/factories.js';
import type { OpenedListenerTls } from '../../core/listener-tls.js';
import type { Log } from '../../core/log.js';
import type { Redactor } from '../../core/secret.js';
import type { AdapterInstance, Snapshot } from '../../core/snapshot.js';
import type { Scheduler } from '../../lib/clock.js';
import type { Desired } from './desired-state.js';
import type { Handle } from './handle.js';
import type { Resolved } from './resolve-sections.js';
import type { ClosableSnapshot } from './snapshot-holder.js';

/** The parts of a snapshot that are built from the main file. */
export interface MainParts extends Pick<
  Snapshot,
  'clientCertificates' | 'egress' | 'logins' | 'roles' | 'limits' | 'forms' | 'notifications' | 'logLevel'
> {
  readonly verifier: OwnedVerifier;
}

/** The certificates of the listener in use. */
export interface LiveListenerTls extends OpenedListenerTls {
  /** Why the files that the settings name now are not used; absent while they are in use. */
  readonly refusal?: string;
}

/** A snapshot with the data from which the next snapshot is built. */
export interface ActiveSnapshot extends ClosableSnapshot {
  readonly desired: Desired;
  readonly main: Handle<MainParts>;
  /** Certificates of the listener; null for plain HTTP, and in a call worker. */
  readonly listenerTls: LiveListenerTls | null;
  /** Values of the adapters as written, by adapterId. */
  readonly written: ReadonlyMap<string, unknown>;
  /** Adapters by adapterId. */
  readonly parts: ReadonlyMap<string, Handle<AdapterInstance>>;
}

/** Input of each part of a snapshot. */
export interface BuildInput {
  readonly desired: Desired;
  readonly factories: AdapterFactories;
  readonly log: Log;
  readonly clock: Scheduler;
}

/** Input of a snapshot. */
export interface SnapshotInput extends BuildInput {
  readonly generation: number;
  readonly resolved: Resolved;
  /** Masks the values from Vault while a part that contains them is in use. */
  readonly redactor: Pick<Redactor, 'add'>;
  /** The live snapshot. Its unchanged parts are reused. */
  readonly previous?: ActiveSnapshot;
  /** Names of the sections to rebuild; the parts of all other sections are reused. Absent: all sections. */
  readonly only?: ReadonlySet<string>;
  /** Fires when the server stops, and ends the wait for starts of adapters. */
  readonly stopping?: AbortSignal;
}

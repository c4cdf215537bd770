import type { OpenedListenerTls } from '../../core/certificate.js';
import type { Log } from '../../core/log.js';
import type { AdapterInstance, Snapshot } from '../../core/snapshot.js';
import type { Scheduler } from '../../lib/clock.js';
import type { Desired } from './configuration.js';
import type { AdapterFactories, OwnedVerifier } from './factories.js';
import type { Handle } from './handle.js';
import type { ClosableSnapshot } from './swap.js';

/** The parts of a snapshot that are built from the main file. */
export interface MainParts extends Omit<
  Snapshot,
  'generation' | 'adapters' | 'access' | 'grantedRoles' | 'applications' | 'suspended' | 'outdated'
> {
  readonly verifier: OwnedVerifier;
}

/** The certificates of the listener in use. */
export interface LiveListenerTls extends OpenedListenerTls {
  /** Why the files that the settings name now are not used; absent while they are in use. */
  readonly refusal?: string;
}

/** A snapshot with the data from which the next snapshot is planned. */
export interface ActiveSnapshot extends ClosableSnapshot {
  readonly desired: Desired;
  readonly main: Handle<MainParts>;
  /** Certificates of the listener; null for plain HTTP. */
  readonly listenerTls: LiveListenerTls | null;
  /** Values of the adapters as written, by adapterId. */
  readonly written: ReadonlyMap<string, unknown>;
  /** Adapters by adapterId. */
  readonly parts: ReadonlyMap<string, Handle<AdapterInstance>>;
}

/** What the parts of a snapshot are built with. */
export interface BuildDeps {
  readonly factories: AdapterFactories;
  readonly log: Log;
  readonly clock: Scheduler;
}

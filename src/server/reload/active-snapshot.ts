import type { AdapterInstance } from '../../core/snapshot.js';
import type { MainHandles } from './build-settings.js';
import type { ClosableSnapshot } from './snapshot-holder.js';
import type { Desired } from './desired-state.js';
import type { Handle } from './handle.js';

/** A snapshot with what the next one needs of it. */
export interface ActiveSnapshot extends ClosableSnapshot {
  readonly desired: Desired;
  readonly main: Handle<MainHandles>;
  /** What was written of each adapter, by adapterId. */
  readonly written: ReadonlyMap<string, unknown>;
  /** By adapterId. */
  readonly parts: ReadonlyMap<string, Handle<AdapterInstance>>;
}

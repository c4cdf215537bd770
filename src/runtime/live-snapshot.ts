import type { AdapterInstance } from '../domain/snapshot.js';
import type { MainHandles } from './build-main.js';
import type { ClosableSnapshot } from './current.js';
import type { Desired } from './desired.js';
import type { Handle } from './part.js';

/** A snapshot with what the next one needs of it. */
export interface ActiveSnapshot extends ClosableSnapshot {
  readonly desired: Desired;
  readonly main: Handle<MainHandles>;
  /** What was written of each adapter, by adapterId. */
  readonly written: ReadonlyMap<string, unknown>;
  /** By adapterId. */
  readonly parts: ReadonlyMap<string, Handle<AdapterInstance>>;
}

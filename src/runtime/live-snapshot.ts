import type { AdapterInstance } from '../domain/snapshot.js';
import type { MainParts } from './build-main.js';
import type { ClosableSnapshot } from './current.js';
import type { Desired } from './desired.js';
import type { Part } from './part.js';

/** A snapshot with what the next one needs of it. */
export interface LiveSnapshot extends ClosableSnapshot {
  readonly desired: Desired;
  readonly main: Part<MainParts>;
  /** What was written of each adapter, by adapterId. */
  readonly written: ReadonlyMap<string, unknown>;
  /** By adapterId. */
  readonly parts: ReadonlyMap<string, Part<AdapterInstance>>;
}

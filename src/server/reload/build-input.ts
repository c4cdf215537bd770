import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { Desired } from './desired-state.js';
import type { AdapterFactories } from '../../adapters/factories.js';

/** What the parts of a snapshot are built of. */
export interface BuildInput {
  readonly desired: Desired;
  readonly factories: AdapterFactories;
  readonly log: Log;
  readonly clock: Scheduler;
}

import type { Scheduler } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import type { Desired } from './desired.js';
import type { AdapterFactories } from './rooms.js';

/** What the parts of a snapshot are built of. */
export interface BuildInput {
  readonly desired: Desired;
  readonly rooms: AdapterFactories;
  readonly log: Log;
  readonly clock: Scheduler;
}

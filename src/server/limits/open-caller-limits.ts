import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { Store } from '../../storage/store.js';
import type { ActiveSnapshot } from '../reload/active-snapshot.js';
import type { SnapshotHolder } from '../reload/snapshot-holder.js';
import { type CallerLimits, createCallerLimits } from './caller-limits.js';

/** Limits of callers that must be closed. */
export interface OpenCallerLimits extends CallerLimits {
  readonly close: () => Promise<void>;
}

export interface CallerLimitsInput {
  readonly current: Pick<SnapshotHolder<ActiveSnapshot>, 'current'>;
  readonly store: Pick<Store, 'peers'>;
  readonly scheduler: Scheduler;
  readonly log: Log;
}

/** Opens the limits of callers by the current configuration. */
export function openCallerLimits({ current, scheduler }: CallerLimitsInput): OpenCallerLimits {
  const limits = createCallerLimits({ clock: scheduler, settings: () => current.current().limits });
  return { ...limits, close: () => Promise.resolve() };
}

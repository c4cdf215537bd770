import type { Scheduler } from '../../domain/clock.js';
import type { Log } from '../../domain/log.js';
import type { OverloadSettings } from '../../domain/settings.js';
import { openReadings } from './readings.js';
import { type Overload, watchOverload } from './watch-overload.js';

const UNLIMITED: OverloadSettings = { loopDelayMs: Infinity, memoryPercent: Infinity, calls: Infinity };

/** Watches this process until it is closed; null turns no call away. */
export function openOverload(
  limits: OverloadSettings | null,
  { clock, log }: { readonly clock: Scheduler; readonly log: Log },
): Overload {
  const readings = openReadings();
  const overload = watchOverload({ limits: limits ?? UNLIMITED, readings, scheduler: clock, log });
  return {
    ...overload,
    close: () => {
      overload.close();
      readings.close();
    },
  };
}

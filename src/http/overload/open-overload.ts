import { monotonicScheduler } from '../../domain/clock.js';
import type { Log } from '../../domain/log.js';
import type { OverloadSettings } from '../../domain/settings.js';
import { openReadings } from './readings.js';
import { type Overload, watchOverload } from './watch-overload.js';

const UNLIMITED: OverloadSettings = { loopDelayMs: Infinity, memoryPercent: Infinity, calls: Infinity };

/** Watches this process, in its own time, until it is closed; null turns no call away. */
export function openOverload(limits: OverloadSettings | null, log: Log): Overload {
  const readings = openReadings();
  const overload = watchOverload({
    limits: limits ?? UNLIMITED,
    readings,
    log,
    scheduler: monotonicScheduler,
    loop: { now: () => performance.now(), soon: setImmediate },
  });
  return {
    ...overload,
    close: () => {
      overload.close();
      readings.close();
    },
  };
}

import { monotonicScheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import type { OverloadSettings } from '../../core/settings.js';
import { openReadings } from './load-samples.js';
import { type Overload, watchOverload } from './overload-detector.js';

const UNLIMITED: OverloadSettings = { loopDelayMs: Infinity, memoryPercent: Infinity, calls: Infinity };

/** Starts overload detection for this process on a monotonic clock; with null limits no call is refused. */
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

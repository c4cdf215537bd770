import type { Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import { counter, type Scalar } from '../../core/metric.js';
import type { OverloadSettings } from '../../core/settings.js';
import { createCallLimit } from './concurrency-limit.js';
import type { Readings } from './load-samples.js';
import { createAdmissionQueue, type Loop, type AdmissionQueue } from './admission-queue.js';

/** What there is too much of: work for the event loop, memory in use, or calls in flight. */
export type OverloadReason = 'loop' | 'memory' | 'calls';

/** Knows when calls are to be turned away, and counts those that were. */
export interface Overload {
  /** Why a call is to be turned away while so many are in flight, itself among them; undefined: it is welcome. */
  readonly strain: (calls: number) => OverloadReason | undefined;
  /** True while calls that are welcome have to be held. */
  readonly isLate: () => boolean;
  /** Has a call wait for its turn. */
  readonly hold: AdmissionQueue['hold'];
  /** Notes a call that was turned away. */
  readonly note: (strain: OverloadReason) => void;
  readonly metric: () => Scalar;
  readonly close: () => void;
}

export interface OverloadOptions {
  readonly limits: OverloadSettings;
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly loop: Loop;
  readonly log: Log;
}

/** Pause between two looks, in milliseconds. */
const SAMPLE_INTERVAL_MS = 100;

/** Part of its limit below which memory is no longer full. */
const RELIEF = 0.9;

/** Part of its limit above which the delay of the loop makes calls wait for their turn. */
const EARLY = 0.5;

/** Looks after which what was not seen again is over: one second. */
const QUIET_LOOKS = 10;

/** Watches the process from now on. An overload is told once in the log when it begins, and once when it is over. */
export function watchOverload({ limits, readings, scheduler, loop, log }: OverloadOptions): Overload {
  const limit = createCallLimit(limits);
  const isMemoryFull = createMemoryGauge(limits.memoryPercent, readings.memoryPercent);
  const turnedAway: Record<OverloadReason, number> = { loop: 0, memory: 0, calls: 0 };
  const episode = createEpisode(log);
  const turnstile = createAdmissionQueue(loop);
  let [isFull, looksInTime] = [false, QUIET_LOOKS];
  const look = (): void => {
    const delayMs = Math.max(readings.delayMs(), turnstile.longestWaitMs());
    limit.sample(delayMs);
    looksInTime = delayMs > limits.loopDelayMs * EARLY ? 0 : looksInTime + 1;
    isFull = isMemoryFull();
    episode.sample();
    stop = scheduler.after(SAMPLE_INTERVAL_MS, look);
  };
  let stop = scheduler.after(SAMPLE_INTERVAL_MS, look);
  return {
    strain(calls) {
      if (isFull) return 'memory';
      if (!limit.isBeyond(calls)) return undefined;
      return calls > limits.calls ? 'calls' : 'loop';
    },
    isLate: () => looksInTime < QUIET_LOOKS,
    hold: turnstile.hold,
    note(strain) {
      turnedAway[strain] += 1;
      episode.note(strain);
    },
    metric: () =>
      counter(
        'gatehouse_overload_refused_total',
        'Calls that were turned away because the server had too much to do.',
        Object.entries(turnedAway).map(([strain, value]) => ({ labels: { strain }, value })),
      ),
    close: () => {
      stop();
    },
  };
}

/** True from the second look in a row that finds too much, since a collection may be due, until one that finds clearly less. */
function createMemoryGauge(limit: number, read: () => number): () => boolean {
  let [wasBeyond, isFull] = [false, false];
  return () => {
    const value = read();
    const isBeyond = value > limit;
    isFull = (isBeyond && wasBeyond) || (isFull && value > limit * RELIEF);
    wasBeyond = isBeyond;
    return isFull;
  };
}

/** From the first call that is turned away until there was none for a while. */
function createEpisode(log: Log): {
  readonly note: (strain: OverloadReason) => void;
  readonly sample: () => void;
} {
  let [refused, quiet] = [0, 0];
  return {
    note(strain) {
      if (refused === 0) log.warn('overloaded: calls are turned away', { strain });
      refused += 1;
      quiet = 0;
    },
    sample() {
      if (refused === 0) return;
      quiet += 1;
      if (quiet <= QUIET_LOOKS) return;
      log.info('the overload is over', { refused });
      refused = 0;
    },
  };
}

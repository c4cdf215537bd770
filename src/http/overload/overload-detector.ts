import { monotonicScheduler, type Scheduler } from '../../core/lib/clock.js';
import type { Log } from '../../core/log.js';
import { counter, type Scalar } from '../../core/metric.js';
import type { OverloadSettings } from '../../core/settings.js';
import { openReadings, type Readings } from './load-samples.js';

/** Limit for the number of calls in flight. */
interface CallLimit {
  readonly isBeyond: (calls: number) => boolean;
  /** Records how late calls have started since the last sample, in milliseconds. */
  readonly sample: (delayMs: number) => void;
}

/** Lower bound of the limit: a few dozen callers that wait for each answer are not an overload. */
const FEW = 64;

/**
 * Factor of `loopDelayMs` above which calls are very heavy and the lower bound drops from `FEW` to `ALWAYS`.
 */
const LONG = 10;
const ALWAYS = 16;

/** Number of samples within which a second late sample must occur: a single long turn is not an overload. */
const MEMORY = 5;

/** Factor for the calls in flight after a late sample, and factor for the limit after a sample in time. */
const LESS = 0.7;
const MORE = 1.1;

/**
 * Creates a limit that adapts to the capacity of the machine. The limit drops below the calls in flight while
 * the event loop is late, and grows slowly otherwise, up to `calls`.
 */
export function createCallLimit({
  calls: most,
  loopDelayMs,
}: Omit<OverloadSettings, 'memoryPercent'>): CallLimit {
  let limit = most;
  let seen = 0;
  let sinceLate = Infinity;
  return {
    isBeyond(calls) {
      seen = Math.max(seen, calls);
      return calls > limit;
    },
    sample(delayMs) {
      const isLate = delayMs > loopDelayMs;
      const least = delayMs > loopDelayMs * LONG ? ALWAYS : FEW;
      if (!isLate) limit = Math.min(most, limit * MORE);
      else if (sinceLate < MEMORY) limit = Math.min(limit, Math.max(least, Math.min(limit, seen) * LESS));
      sinceLate = isLate ? 1 : sinceLate + 1;
      seen = 0;
    },
  };
}

/** Queue of calls that wait to start while the event loop is late. */
export interface AdmissionQueue {
  /** Starts a call after the earlier ones have started, in the next turn at the earliest. */
  readonly hold: (begin: () => void) => void;
  /**
   * Returns the longest time that a call has waited since the previous call of this function, in
   * milliseconds.
   */
  readonly longestWaitMs: () => number;
}

/** The parts of the event loop that an admission queue needs. */
export interface Loop {
  /** Returns milliseconds of which only differences are meaningful. */
  readonly now: () => number;
  /** Runs work in the next turn, in the order of submission. */
  readonly soon: (work: () => void) => void;
}

interface Waiting {
  readonly begin: () => void;
  readonly since: number;
}

/** Time budget for the calls that start in one turn, in milliseconds. */
const TURN_MS = 5;

/**
 * Creates an admission queue. Calls that all start in one turn delay everything else: replies of
 * orchestrators, refusals, health checks. The queue therefore starts as many calls per turn as fit in
 * `TURN_MS`, which it measures.
 */
export function createAdmissionQueue({ now, soon }: Loop): AdmissionQueue {
  const line: Waiting[] = [];
  let [isTurning, longestMs] = [false, 0];
  let [atOnce, turnedAt] = [1, 0];
  const beginNext = (): void => {
    const next = line.shift();
    if (!next) return;
    longestMs = Math.max(longestMs, now() - next.since);
    next.begin();
  };
  const fit = (tookMs: number): void => {
    atOnce = tookMs > TURN_MS ? Math.max(1, Math.floor((atOnce * TURN_MS) / tookMs)) : atOnce + 1;
  };
  const turn = (): void => {
    const at = now();
    if (isTurning) fit(at - turnedAt);
    turnedAt = at;
    isTurning = line.length > 0;
    if (!isTurning) return;
    for (let left = Math.min(atOnce, line.length); left > 0; left -= 1) soon(beginNext);
    soon(turn);
  };
  return {
    hold(begin) {
      line.push({ begin, since: now() });
      if (!isTurning) turn();
    },
    longestWaitMs() {
      const first = line[0];
      const found = Math.max(longestMs, first ? now() - first.since : 0);
      longestMs = 0;
      return found;
    },
  };
}

/** Overloaded resource: the event loop, memory, or calls in flight. */
export type OverloadReason = 'loop' | 'memory' | 'calls';

/** Detects overload and counts the refused calls. */
export interface Overload {
  /**
   * Returns why a call must be refused when `calls` are in flight including it; undefined if it is accepted.
   */
  readonly strain: (calls: number) => OverloadReason | undefined;
  /** Returns true while accepted calls must be queued. */
  readonly isLate: () => boolean;
  /** Queues a call until its turn. */
  readonly hold: AdmissionQueue['hold'];
  /** Records a refused call. */
  readonly note: (strain: OverloadReason) => void;
  readonly metric: () => Scalar;
  readonly close: () => void;
}

interface OverloadOptions {
  readonly limits: OverloadSettings;
  readonly readings: Readings;
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly loop: Loop;
  readonly log: Log;
}

/** Interval between two samples, in milliseconds. */
const SAMPLE_INTERVAL_MS = 100;

/** Fraction of the limit below which memory no longer counts as full. */
const RELIEF = 0.9;

/** Fraction of the delay limit of the event loop above which calls are queued. */
const EARLY = 0.5;

/** Number of samples without a new occurrence after which a condition is over: one second. */
const QUIET_LOOKS = 10;

/** Starts watching the process. Logs an overload once when it begins and once when it is over. */
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

/**
 * Returns a function that samples memory. It returns true from the second consecutive sample above the limit,
 * because a collection may be due, until a sample is clearly below it.
 */
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

/**
 * Creates the tracker of an overload episode, which lasts from the first refused call until calls have not
 * been refused for a while.
 */
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

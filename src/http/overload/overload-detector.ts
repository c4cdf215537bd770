import type { Log } from '../../core/log.js';
import { counter, type Scalar } from '../../core/metric.js';
import { monotonicScheduler, type Scheduler } from '../../lib/clock.js';
import type { OverloadSettings } from '../../settings/settings.js';
import { openLoadSampler, type LoadSampler } from './load-samples.js';
import { createMemoryGauge } from './memory-gauge.js';

/** Limit of the number of calls in flight. */
interface CallLimit {
  readonly isExceeded: (calls: number) => boolean;
  /** Adapts the limit to the delay with which calls have started since the last sample, in milliseconds. */
  readonly sample: (delayMs: number) => void;
}

/** Lower bound of the limit. A few dozen callers that each wait for a response are not an overload. */
const MIN_CALL_LIMIT = 64;

/** Factor of `loopDelayMs`. Above it, calls are very heavy and the lower bound is `MIN_CALL_LIMIT_HEAVY`. */
const HEAVY_CALLS_FACTOR = 10;
const MIN_CALL_LIMIT_HEAVY = 16;

/** Maximum distance of two late samples that reduce the limit. A single long turn is not an overload. */
const LATE_SAMPLE_WINDOW = 5;

/** Factors: of the calls in flight after a late sample, and of the limit after any other sample. */
const LIMIT_DECREASE = 0.7;
const LIMIT_INCREASE = 1.1;

/**
 * Creates a limit that adapts to the capacity of the machine. While the event loop is late, the limit drops
 * below the number of calls in flight. Otherwise, the limit grows slowly, up to `calls`.
 */
export function createCallLimit({
  calls: maxCalls,
  loopDelayMs,
}: Pick<OverloadSettings, 'calls' | 'loopDelayMs'>): CallLimit {
  let limit = maxCalls;
  let peakCalls = 0;
  let samplesSinceLate = Infinity;
  return {
    isExceeded(calls) {
      peakCalls = Math.max(peakCalls, calls);
      return calls > limit;
    },
    sample(delayMs) {
      const isLate = delayMs > loopDelayMs;
      const minLimit = delayMs > loopDelayMs * HEAVY_CALLS_FACTOR ? MIN_CALL_LIMIT_HEAVY : MIN_CALL_LIMIT;
      if (!isLate) limit = Math.min(maxCalls, limit * LIMIT_INCREASE);
      else if (samplesSinceLate < LATE_SAMPLE_WINDOW)
        limit = Math.min(limit, Math.max(minLimit, Math.min(limit, peakCalls) * LIMIT_DECREASE));
      samplesSinceLate = isLate ? 1 : samplesSinceLate + 1;
      peakCalls = 0;
    },
  };
}

/** Queue of calls that wait to start while the event loop is late. */
export interface AdmissionQueue {
  /**
   * Starts a call after all earlier calls of the queue, in the next turn of the event loop at the earliest.
   */
  readonly enqueue: (start: () => void) => void;
  /**
   * Returns the longest wait of a call in the queue, in milliseconds, since this function was last called.
   */
  readonly longestWaitMs: () => number;
}

/** The parts of the event loop that an admission queue needs. */
export interface EventLoop {
  /** Returns a monotonic time in milliseconds; only differences are meaningful. */
  readonly now: () => number;
  /** Runs a function in the next turn of the loop, in the order of the calls. */
  readonly runNextTurn: (run: () => void) => void;
}

interface QueuedCall {
  readonly start: () => void;
  readonly since: number;
}

/** Time budget for the calls that start in one turn, in milliseconds. */
const TURN_BUDGET_MS = 5;

/**
 * Creates an admission queue. If all calls started in one turn of the event loop, they would delay responses
 * of orchestrators, refusals and health checks. The queue therefore measures the duration of a turn, and
 * starts only as many calls in a turn as fit in `TURN_BUDGET_MS`.
 */
export function createAdmissionQueue({ now, runNextTurn }: EventLoop): AdmissionQueue {
  const queue: QueuedCall[] = [];
  let [isDraining, longestWait] = [false, 0];
  let [callsPerTurn, lastTurnAt] = [1, 0];
  const startNext = (): void => {
    const next = queue.shift();
    if (!next) return;
    longestWait = Math.max(longestWait, now() - next.since);
    next.start();
  };
  const adjustCallsPerTurn = (tookMs: number): void => {
    callsPerTurn =
      tookMs > TURN_BUDGET_MS
        ? Math.max(1, Math.floor((callsPerTurn * TURN_BUDGET_MS) / tookMs))
        : callsPerTurn + 1;
  };
  const runTurn = (): void => {
    const at = now();
    if (isDraining) adjustCallsPerTurn(at - lastTurnAt);
    lastTurnAt = at;
    isDraining = queue.length > 0;
    if (!isDraining) return;
    for (let remaining = Math.min(callsPerTurn, queue.length); remaining > 0; remaining -= 1)
      runNextTurn(startNext);
    runNextTurn(runTurn);
  };
  return {
    enqueue(start) {
      queue.push({ start, since: now() });
      if (!isDraining) runTurn();
    },
    longestWaitMs() {
      const first = queue[0];
      const longest = Math.max(longestWait, first ? now() - first.since : 0);
      longestWait = 0;
      return longest;
    },
  };
}

/** Overloaded resource: the event loop, memory, or calls in flight. */
export type OverloadReason = 'loop' | 'memory' | 'calls';

/** Name of the reason in the metric and in the log, on which alerts and dashboards depend. */
const REASON_LABEL = 'strain';

/** Detects overload and counts the refused calls. */
export interface Overload {
  /**
   * Returns the reason to refuse a call, or `undefined` to accept it. `calls` is the number of calls in
   * flight, including this call.
   */
  readonly refusalReason: (calls: number) => OverloadReason | undefined;
  /** Returns true while accepted calls must wait in the queue. */
  readonly isLoopLate: () => boolean;
  /** Adds a call to the admission queue. */
  readonly enqueue: AdmissionQueue['enqueue'];
  /** Counts a refused call. */
  readonly note: (reason: OverloadReason) => void;
  /** Returns for how long calls have been refused, in milliseconds; 0 if no overload lasts. */
  readonly lastsMs: () => number;
  readonly metric: () => Scalar;
  readonly close: () => void;
}

/** Limits above which calls are refused. */
type OverloadLimits = Omit<OverloadSettings, 'unreadySeconds'>;

interface OverloadOptions {
  readonly limits: OverloadLimits;
  readonly sampler: LoadSampler;
  readonly scheduler: Scheduler;
  readonly loop: EventLoop;
  readonly log: Log;
}

/** Interval between two samples, in milliseconds. */
const SAMPLE_INTERVAL_MS = 100;

/** Fraction of the delay limit of the event loop above which calls wait in the queue. */
const QUEUING_FRACTION = 0.5;

/** Number of samples without a new occurrence after which a condition ends: one second. */
const QUIET_SAMPLES = 10;

/** Starts watching the load of the process. Logs each overload once at its beginning and once at its end. */
export function watchOverload({ limits, sampler, scheduler, loop, log }: OverloadOptions): Overload {
  const limit = createCallLimit(limits);
  const isMemoryFull = createMemoryGauge(limits.memoryPercent, sampler.memory);
  const refusedCalls: Record<OverloadReason, number> = { loop: 0, memory: 0, calls: 0 };
  const episode = createEpisode(log);
  const queue = createAdmissionQueue(loop);
  let [isFull, samplesInTime] = [false, QUIET_SAMPLES];
  let overloadedSince: number | undefined;
  const sampleLoad = (): void => {
    const delayMs = Math.max(sampler.delayMs(), queue.longestWaitMs() * sampler.processorShare());
    limit.sample(delayMs);
    samplesInTime = delayMs > limits.loopDelayMs * QUEUING_FRACTION ? 0 : samplesInTime + 1;
    isFull = isMemoryFull();
    episode.sample();
    overloadedSince = isFull || episode.isRunning() ? (overloadedSince ?? scheduler.now()) : undefined;
    stop = scheduler.after(SAMPLE_INTERVAL_MS, sampleLoad);
  };
  let stop = scheduler.after(SAMPLE_INTERVAL_MS, sampleLoad);
  return {
    refusalReason(calls) {
      if (isFull) return 'memory';
      if (!limit.isExceeded(calls)) return undefined;
      return calls > limits.calls ? 'calls' : 'loop';
    },
    isLoopLate: () => samplesInTime < QUIET_SAMPLES,
    enqueue: queue.enqueue,
    note(reason) {
      refusedCalls[reason] += 1;
      episode.countRefusal(reason);
    },
    lastsMs: () => (overloadedSince === undefined ? 0 : scheduler.now() - overloadedSince),
    metric: () =>
      counter(
        'gatehouse_overload_refused_total',
        'Calls that were rejected because of overload, by strain: loop, memory, calls.',
        Object.entries(refusedCalls).map(([reason, value]) => ({
          labels: { [REASON_LABEL]: reason },
          value,
        })),
      ),
    close: () => {
      stop();
    },
  };
}

/**
 * Creates the tracker of an overload episode. An episode lasts from the first refused call until
 * `QUIET_SAMPLES` samples without a refused call.
 */
function createEpisode(log: Log): {
  readonly countRefusal: (reason: OverloadReason) => void;
  readonly isRunning: () => boolean;
  readonly sample: () => void;
} {
  let [refusedCalls, quietSamples] = [0, 0];
  return {
    isRunning: () => refusedCalls > 0,
    countRefusal(reason) {
      if (refusedCalls === 0) log.warn('server overloaded; refusing calls', { [REASON_LABEL]: reason });
      refusedCalls += 1;
      quietSamples = 0;
    },
    sample() {
      if (refusedCalls === 0) return;
      quietSamples += 1;
      if (quietSamples <= QUIET_SAMPLES) return;
      log.info('overload ended; accepting calls', { refused: refusedCalls });
      refusedCalls = 0;
    },
  };
}

const UNLIMITED: OverloadLimits = { loopDelayMs: Infinity, memoryPercent: Infinity, calls: Infinity };

/** Starts overload detection for this process on a monotonic clock. With null limits, it refuses no call. */
export function openOverload(limits: OverloadLimits | null, log: Log): Overload {
  const sampler = openLoadSampler();
  const overload = watchOverload({
    limits: limits ?? UNLIMITED,
    sampler,
    log,
    scheduler: monotonicScheduler,
    loop: { now: () => performance.now(), runNextTurn: setImmediate },
  });
  return {
    ...overload,
    close: () => {
      overload.close();
      sampler.close();
    },
  };
}

/** Wall clock, passed in so that tests control the time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Timers, passed in so that tests control the time. */
export interface Timers {
  /**
   * Calls `work` once after this many milliseconds, and returns a function that cancels the timer. The timer
   * does not keep the process alive.
   */
  after(ms: number, work: () => void): () => void;
}

/** Wall clock with timers. */
export interface Scheduler extends Clock, Timers {}

/**
 * Returns the milliseconds between a moment and now, regardless of their order. A clock that was set back
 * must not block anything until it has caught up.
 */
export function elapsedSince(clock: Clock, since: number): number {
  return Math.abs(clock.now() - since);
}

export const systemClock: Clock = { now: () => Date.now() };

/** Maximum delay of Node.js timers; a longer delay fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemScheduler: Scheduler = {
  ...systemClock,
  after(ms, work) {
    if (ms <= LONGEST_TIMER_MS) {
      const timer = setTimeout(work, Math.max(0, ms)).unref();
      return () => {
        clearTimeout(timer);
      };
    }
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      const step = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => {
        if (left > step) arm(left - step);
        else work();
      }, step);
      timer.unref();
    };
    arm(ms);
    return () => {
      clearTimeout(timer);
    };
  },
};

const TIME_ORIGIN = performance.timeOrigin;

/**
 * Scheduler for durations. Its time starts as wall time and cannot be set, so that a corrected clock extends
 * and ends nothing.
 */
export const monotonicScheduler: Scheduler = {
  ...systemScheduler,
  now: () => TIME_ORIGIN + performance.now(),
};

/** Difference of two clocks that is no correction of one, in milliseconds. */
const MAX_DRIFT_MS = 100;

/**
 * Returns a function that converts times of a monotonic clock to wall time, for people and other machines. Times before and
 * after a correction of the wall clock keep their distance.
 */
export function wallTimes(steady: Clock, wall = wallClockOf(steady)): (time: number) => number {
  let shiftMs = 0;
  return (time) => {
    const differenceMs = wall.now() - steady.now();
    if (Math.abs(differenceMs - shiftMs) > MAX_DRIFT_MS) shiftMs = differenceMs;
    return time + shiftMs;
  };
}

/** Returns the wall clock that belongs to a clock for durations. A clock from a test is returned unchanged. */
function wallClockOf(steady: Clock): Clock {
  return steady === monotonicScheduler ? systemClock : steady;
}

/**
 * Returns the scheduler for durations that belongs to a wall clock. A scheduler from a test is returned
 * unchanged.
 */
export function monotonic(wall: Scheduler): Scheduler {
  return wall === systemScheduler ? monotonicScheduler : wall;
}

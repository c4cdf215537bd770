/** Wall clock, passed in so that tests control the time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Wall clock with timers. */
export interface Scheduler extends Clock {
  /**
   * Calls `work` once after this many milliseconds, and returns a function that cancels the timer. The timer
   * does not keep the process alive.
   */
  after(ms: number, work: () => void): () => void;
}

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

/**
 * Returns the scheduler for durations that belongs to a wall clock. A scheduler from a test is returned
 * unchanged.
 */
export function monotonic(wall: Scheduler): Scheduler {
  return wall === systemScheduler ? monotonicScheduler : wall;
}

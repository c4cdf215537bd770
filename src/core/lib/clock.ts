/** Wall time, handed in so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Wall time and what is to happen later. */
export interface Scheduler extends Clock {
  /** Calls back once after so many milliseconds; the result calls it off. It does not keep the process alive. */
  after(ms: number, work: () => void): () => void;
}

/** Milliseconds between a moment and now, whichever is later: a clock that was set back must stop nothing until it has caught up. */
export function elapsedSince(clock: Clock, since: number): number {
  return Math.abs(clock.now() - since);
}

export const systemClock: Clock = { now: () => Date.now() };

/** Node's timers hold no more than this, and fire at once beyond it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemScheduler: Scheduler = {
  ...systemClock,
  after(ms, work) {
    let timer: NodeJS.Timeout;
    const arm = (left: number): void => {
      const step = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => {
        if (left > step) arm(left - step);
        else work();
      }, step);
      timer.unref();
    };
    arm(Math.max(0, ms));
    return () => {
      clearTimeout(timer);
    };
  },
};

/** For durations: a time that begins as wall time and that nobody can set, so that a corrected clock prolongs and ends nothing. */
export const monotonicScheduler: Scheduler = {
  ...systemScheduler,
  now: () => performance.timeOrigin + performance.now(),
};

/** The scheduler for durations where another one tells wall time. One that is handed in, by a test, is whole as it is. */
export function monotonic(wall: Scheduler): Scheduler {
  return wall === systemScheduler ? monotonicScheduler : wall;
}

import { Problem } from '../../core/problem.js';
import { monotonicScheduler, type Scheduler } from '../../lib/clock.js';
import { removeItem } from '../../lib/remove-item.js';
import type { QueueSettings } from '../../settings/adapter.js';
import type { Deadline } from '../deadline.js';

/** Slots for running calls, with a FIFO queue of waiting calls. */
export interface Queue {
  /** Takes a free slot; returns false when all slots are taken. */
  tryEnter(): boolean;
  /** Takes a slot, immediately or after waiting. Rejects with `upstream_busy` when the queue is full or too slow. */
  enter(deadline: Deadline): Promise<void>;
  /** Releases a slot. */
  leave(): void;
  inFlight(): number;
  waiting(): number;
  /** Returns the number of calls that were refused a slot or waited too long. */
  refused(): number;
}

/** What the calls of a queue are called in its Problems, and its clock. */
interface QueueOptions {
  /** In the plural. */
  readonly noun?: string;
  /** Absent: a clock that cannot be set back. */
  readonly scheduler?: Scheduler;
}

/** Creates a queue with all slots free. */
export function createQueue(
  { concurrent, waiting, waitMs }: QueueSettings,
  { noun = 'calls', scheduler = monotonicScheduler }: QueueOptions = {},
): Queue {
  /** Functions that give the waiting calls a slot, in the order of their arrival. */
  const waiters: (() => void)[] = [];
  let inFlight = 0;
  let refused = 0;
  const busy = (detail: string): Problem => {
    refused += 1;
    return new Problem('upstream_busy', detail, { headers: { 'retry-after': '1' } });
  };
  const wait = (deadline: Deadline): Promise<void> =>
    new Promise((resolve, reject) => {
      deadline.phase = 'waiting for a slot';
      deadline.check();
      const grant = (): void => {
        release();
        resolve();
      };
      const giveUp = (reason: Problem): void => {
        removeItem(waiters, grant);
        release();
        reject(reason);
      };
      waiters.push(grant);
      const cancelTimer = scheduler.after(waitMs, () => {
        giveUp(busy(`no slot became free within ${waitMs} ms; ${concurrent} ${noun} are in flight`));
      });
      const stopWatch = deadline.onEnd(giveUp);
      function release(): void {
        cancelTimer();
        stopWatch();
      }
    });
  const tryEnter = (): boolean => {
    if (inFlight >= concurrent) return false;
    inFlight += 1;
    return true;
  };
  return {
    tryEnter,
    async enter(deadline) {
      if (tryEnter()) return;
      if (waiters.length < waiting) await wait(deadline);
      else throw busy(`${concurrent} ${noun} are in flight, and ${waiters.length} are waiting`);
    },
    leave() {
      // The slot passes directly to the next call, so that no new call can take it first.
      const grant = waiters.shift();
      if (grant) grant();
      else inFlight -= 1;
    },
    inFlight: () => inFlight,
    waiting: () => waiters.length,
    refused: () => refused,
  };
}

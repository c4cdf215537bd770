import type { QueueSettings } from '../../core/adapter-settings.js';
import { Problem } from '../../core/problem.js';
import { monotonicScheduler, type Scheduler } from '../../lib/clock.js';
import { DeadlineQueue, type Expiring } from '../deadline-queue.js';
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

/** Creates a queue with all slots free. One timer ends the calls that wait too long. */
export function createQueue(
  { concurrent, waiting, waitMs }: QueueSettings,
  { noun = 'calls', scheduler = monotonicScheduler }: QueueOptions = {},
): Queue {
  const waiters = new DeadlineQueue<Waiter>(scheduler, waitMs);
  let inFlight = 0;
  let refused = 0;
  const busy = (detail: string): Problem => {
    refused += 1;
    return new Problem('upstream_busy', detail, { headers: { 'retry-after': '1' } });
  };
  async function wait(deadline: Deadline): Promise<void> {
    deadline.phase = 'waiting for a slot';
    deadline.check();
    await new Promise<void>((resolve, reject) => {
      const onTimeout = (): void => {
        reject(busy(`no slot became free within ${waitMs} ms; ${concurrent} ${noun} are in flight`));
      };
      const waiter = new Waiter(scheduler.now() + waitMs, { resolve, onTimeout });
      waiters.add(waiter);
      waiter.release = deadline.onEnd((reason) => {
        waiters.remove(waiter);
        reject(reason);
      });
    });
  }
  const tryEnter = (): boolean => {
    if (inFlight >= concurrent) return false;
    inFlight += 1;
    return true;
  };
  return {
    tryEnter,
    async enter(deadline) {
      if (tryEnter()) return;
      if (waiters.size < waiting) await wait(deadline);
      else throw busy(`${concurrent} ${noun} are in flight, and ${waiters.size} are waiting`);
    },
    leave() {
      // The slot passes directly to the next call, so that no new call can take it first.
      const next = waiters.first;
      if (next) {
        waiters.remove(next);
        next.resolve();
      } else inFlight -= 1;
    },
    inFlight: () => inFlight,
    waiting: () => waiters.size,
    refused: () => refused,
  };
}

/** A call that waits for a slot. */
class Waiter implements Expiring {
  earlier: Expiring | undefined = undefined;
  later: Expiring | undefined = undefined;
  readonly endsAt: number;
  readonly #outcome: WaiterOutcome;
  /** Ends the watch on the deadline of the call. */
  release = doNothing;

  constructor(endsAt: number, outcome: WaiterOutcome) {
    this.endsAt = endsAt;
    this.#outcome = outcome;
  }

  /** Gives the call a slot. */
  resolve(): void {
    this.release();
    this.#outcome.resolve();
  }

  expire(): void {
    this.release();
    this.#outcome.onTimeout();
  }
}

interface WaiterOutcome {
  readonly resolve: () => void;
  readonly onTimeout: () => void;
}

function doNothing(): void {
  // The call has no deadline yet.
}

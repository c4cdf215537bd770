import type { QueueSettings } from '../../core/adapter-settings.js';
import { type Linked, LinkedList } from '../../core/lib/linked-list.js';
import { Problem } from '../../core/problem.js';
import type { Deadline } from '../deadline.js';

/** Slots for running calls, with a FIFO queue of waiting calls. */
export interface Queue {
  /** Takes a free slot; returns false when all slots are taken. */
  tryEnter(): boolean;
  /**
   * Takes a slot, immediately (`undefined`) or after waiting. Throws `upstream_busy` when the queue is full
   * or too slow.
   */
  enter(deadline: Deadline): Promise<void> | undefined;
  /** Releases a slot. */
  leave(): void;
  inFlight(): number;
  waiting(): number;
  /** Returns the number of calls that were refused a slot or waited too long. */
  refused(): number;
}

/** A call that waits for a slot. */
interface Waiter extends Linked<Waiter> {
  readonly onSlot: () => void;
}

/** Creates a queue with all slots free. `noun` is the plural that its Problems use. */
export function createQueue({ concurrent, waiting, waitMs }: QueueSettings, noun = 'calls'): Queue {
  const waiters = new LinkedList<Waiter>();
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
      const settle = (outcome: () => void): void => {
        waiters.remove(waiter);
        cancel();
        release();
        outcome();
      };
      const onSlot = (): void => {
        settle(resolve);
      };
      const waiter = { onSlot, earlier: undefined, later: undefined };
      const cancel = deadline.after(waitMs, () => {
        settle(() => {
          reject(busy(`no slot became free within ${waitMs} ms; ${concurrent} ${noun} are in flight`));
        });
      });
      waiters.add(waiter);
      const release = deadline.onEnd((reason) => {
        settle(() => {
          reject(reason);
        });
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
    enter(deadline) {
      if (tryEnter()) return undefined;
      if (waiters.size < waiting) return wait(deadline);
      throw busy(`${concurrent} ${noun} are in flight, and ${waiters.size} are waiting`);
    },
    leave() {
      // The slot passes directly to the next call, so that no new call can take it first.
      const next = waiters.first;
      if (next) next.onSlot();
      else inFlight -= 1;
    },
    inFlight: () => inFlight,
    waiting: () => waiters.size,
    refused: () => refused,
  };
}

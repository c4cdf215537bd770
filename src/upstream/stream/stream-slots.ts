import { Problem } from '../../core/problem.js';
import type { Scheduler } from '../../lib/clock.js';
import type { QueueSettings } from '../../settings/adapter.js';
import { type Deadline, type DeadlineTerms, withDeadline } from '../deadline.js';
import { createQueue, type Queue } from '../policy/queue.js';

/** Slots for the streams of an adapter, which are a part of the slots for all its calls. */
interface StreamSlots {
  /**
   * Takes a slot for a stream of this caller, immediately or after waiting, and returns the function that
   * releases the slot. Without a caller, only the limit of all streams applies. Rejects with `upstream_busy` if no
   * slot becomes free in time, and with `caller_gone` if the caller leaves.
   */
  readonly take: (caller: string | undefined, terms: DeadlineTerms) => (() => void) | Promise<() => void>;
  /** Returns the number of streams that wait for other streams. */
  readonly waiting: () => number;
  /** Returns the number of streams that were refused because of other streams. */
  readonly refused: () => number;
}

/**
 * Creates the slots of an adapter's streams within the queue of all its calls. A stream may last for hours.
 * Therefore, all streams together have at most half of the slots, and those of one caller a quarter; at least
 * one slot each.
 */
export function createStreamSlots(
  settings: QueueSettings,
  allCalls: Queue,
  scheduler?: Scheduler,
): StreamSlots {
  const shareOf = (parts: number): QueueSettings => ({
    ...settings,
    concurrent: Math.max(1, Math.floor(settings.concurrent / parts)),
  });
  const clock = scheduler && { scheduler };
  const allStreams = createQueue(shareOf(2), { noun: 'streams', ...clock });
  const byCaller = new Map<string, Queue>();
  let refused = 0;

  function queueOf(caller: string): Queue {
    const existing = byCaller.get(caller);
    if (existing) return existing;
    const queue = createQueue(shareOf(4), { noun: 'streams of this caller', ...clock });
    byCaller.set(caller, queue);
    return queue;
  }
  function forgetIdle(caller: string): void {
    if (byCaller.get(caller)?.inFlight() === 0) byCaller.delete(caller);
  }

  return {
    take(caller, terms) {
      const queues = caller === undefined ? [allStreams, allCalls] : [queueOf(caller), allStreams, allCalls];
      const held: Queue[] = [];
      const release = (): void => {
        for (const queue of held.splice(0)) queue.leave();
        if (caller !== undefined) forgetIdle(caller);
      };
      const fail = (error: unknown): never => {
        const isBusy = error instanceof Problem && error.code === 'upstream_busy';
        if (isBusy && held.length < queues.length - 1) refused += 1;
        release();
        throw error;
      };
      enterFree(queues, held);
      if (held.length === queues.length) return release;
      const rest = queues.slice(held.length);
      // A deadline is created only to wait.
      return withDeadline(terms, (deadline) => waitInEach(rest, held, deadline)).then(() => release, fail);
    },
    waiting: () => [allStreams, ...byCaller.values()].reduce((sum, queue) => sum + queue.waiting(), 0),
    refused: () => refused,
  };
}

/** Takes slots in the queues, in order, until one has none, and adds the queues to `held`. */
function enterFree(queues: readonly Queue[], held: Queue[]): void {
  for (const queue of queues) {
    if (!queue.tryEnter()) return;
    held.push(queue);
  }
}

async function waitInEach(queues: readonly Queue[], held: Queue[], deadline: Deadline): Promise<void> {
  for (const queue of queues) {
    await queue.enter(deadline);
    // The slot was granted as the deadline ended: the caller is gone, so the slot is released.
    if (deadline.reason) {
      queue.leave();
      return;
    }
    held.push(queue);
  }
}

import type { QueueSettings } from '../../core/adapter-settings.js';
import { Problem } from '../../core/problem.js';
import { type Deadline, type DeadlineTerms, withDeadline } from '../deadline.js';
import { createQueue, type Queue } from '../policy/queue.js';

/** Slots for the streams of an adapter, which are a part of the slots for all its calls. */
export interface StreamSlots {
  /**
   * Takes a slot for a stream of this caller, immediately or after waiting, and resolves to the function that
   * releases the slot. Without a caller, only the limit of all streams applies. Throws `upstream_busy` if no
   * slot becomes free in time, and `caller_gone` if the caller leaves.
   */
  readonly take: (caller: string | undefined, terms: DeadlineTerms) => Promise<() => void>;
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
export function createStreamSlots(settings: QueueSettings, allCalls: Queue): StreamSlots {
  const shareOf = (parts: number): QueueSettings => ({
    ...settings,
    concurrent: Math.max(1, Math.floor(settings.concurrent / parts)),
  });
  const allStreams = createQueue(shareOf(2), 'streams');
  const byCaller = new Map<string, Queue>();
  let refused = 0;

  function queueOf(caller: string): Queue {
    const existing = byCaller.get(caller);
    if (existing) return existing;
    const queue = createQueue(shareOf(4), 'streams of this caller');
    byCaller.set(caller, queue);
    return queue;
  }
  function forgetIdle(caller: string): void {
    if (byCaller.get(caller)?.inFlight() === 0) byCaller.delete(caller);
  }

  return {
    async take(caller, terms) {
      const ofStreams = caller === undefined ? [allStreams] : [queueOf(caller), allStreams];
      const held: Queue[] = [];
      const release = (): void => {
        for (const queue of held.splice(0)) queue.leave();
        if (caller !== undefined) forgetIdle(caller);
      };
      try {
        await enterAll([...ofStreams, allCalls], held, terms);
        return release;
      } catch (error) {
        const isBusy = error instanceof Problem && error.code === 'upstream_busy';
        if (isBusy && held.length < ofStreams.length) refused += 1;
        release();
        throw error;
      }
    },
    waiting: () => [allStreams, ...byCaller.values()].reduce((sum, queue) => sum + queue.waiting(), 0),
    refused: () => refused,
  };
}

/** Takes a slot in each queue, in order, and adds the queue to `held`. Creates a deadline only to wait. */
async function enterAll(queues: readonly Queue[], held: Queue[], terms: DeadlineTerms): Promise<void> {
  for (const queue of queues) {
    if (!queue.tryEnter()) break;
    held.push(queue);
  }
  const remaining = queues.slice(held.length);
  if (remaining.length > 0) await withDeadline(terms, (deadline) => waitInEach(remaining, held, deadline));
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

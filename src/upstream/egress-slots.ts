import { Problem } from '../core/problem.js';
import { REPLY_MEMORIES, type ReplyMemory } from '../core/reply-memory.js';
import { Semaphore } from '../lib/semaphore.js';
import type { EgressSettings } from '../settings/settings.js';

/** Concurrent DNS lookups for all callers, and for each caller. */
const [LOOKUPS, LOOKUPS_PER_SUBJECT] = [8, 2];

/** Limits of concurrent calls. */
export type SlotLimits = Pick<
  EgressSettings,
  'concurrent' | 'concurrentPerSubject' | 'memoryBytes' | 'maxReplyBytes'
>;

/** The place of one call. */
export interface EgressSlot {
  /** Runs a DNS lookup when the caller and the server have one free. */
  readonly lookup: <T>(work: () => Promise<T>) => Promise<T>;
  /** Memory of which the reply is reserved. */
  readonly memory: ReplyMemory;
  /** Frees the place and the memory; later calls do nothing. */
  readonly release: () => void;
}

/** The places of all outbound calls of this process. They outlive a reload. */
export interface EgressSlots {
  /**
   * Takes a place. Throws `too_many_requests` if the subject has taken its share, and `egress_busy` if all
   * places are taken; nothing was sent.
   */
  take(subject: string, limits: SlotLimits): EgressSlot;
}

interface SubjectCalls {
  running: number;
  readonly lookups: Semaphore;
}

/** Name of the owner of the replies to outbound calls, which no adapter has. */
const REPLIES_OWNER = 'restCall ';

/** Creates the places, all free. */
export function createEgressSlots(replyMemories = REPLY_MEMORIES): EgressSlots {
  const subjects = new Map<string, SubjectCalls>();
  const lookups = new Semaphore(LOOKUPS);
  let running = 0;
  return {
    take(subject, limits) {
      const calls = subjects.get(subject) ?? { running: 0, lookups: new Semaphore(LOOKUPS_PER_SUBJECT) };
      checkLimits(calls.running, running, limits);
      subjects.set(subject, calls);
      calls.running += 1;
      running += 1;
      const memory = replyMemories.open(REPLIES_OWNER);
      let isTaken = true;
      return {
        memory,
        lookup: (work) => calls.lookups.run(() => lookups.run(work)),
        release() {
          if (!isTaken) return;
          isTaken = false;
          memory.release();
          running -= 1;
          calls.running -= 1;
          if (calls.running === 0) subjects.delete(subject);
        },
      };
    },
  };
}

/**
 * Throws if no place is free. A call may hold its reply twice while the buffer grows or the text changes its
 * character set, so each place counts twice `maxReplyBytes`.
 */
function checkLimits(ofSubject: number, ofAll: number, limits: SlotLimits): void {
  const { concurrent, concurrentPerSubject, memoryBytes, maxReplyBytes } = limits;
  const headers = { 'retry-after': '1' };
  if (ofSubject >= concurrentPerSubject) {
    const detail = `${ofSubject} of your outbound calls are running, and egress.concurrentPerSubject admits no more`;
    throw new Problem('too_many_requests', detail, { headers });
  }
  if (ofAll >= concurrent)
    throw new Problem(
      'egress_busy',
      `${ofAll} outbound calls are running, and egress.concurrent admits no more`,
      {
        headers,
      },
    );
  // One call is always admitted.
  if (ofAll > 0 && (ofAll + 1) * 2 * maxReplyBytes > memoryBytes)
    throw new Problem('egress_busy', `the replies of ${ofAll} outbound calls may fill egress.memoryBytes`, {
      headers,
    });
}

import { availableMemory } from '../lib/available-memory.js';
import { ByteBudget, type ByteReservation } from '../lib/byte-budget.js';
import { isSafeMethod } from './http.js';
import { Problem, withExtras } from './problem.js';

/** Part of the memory of the process for replies, and the part of it for the replies of one adapter. */
const REPLIES_PART = 1 / 4;
const ADAPTER_PART = 3 / 4;

/** Memory for the replies that one call reads and holds until its response is sent. */
export interface ReplyMemory {
  /** Opens the memory of one reply, without bytes. */
  open(): ReplyBytes;
  /** Frees all bytes; later calls do nothing. */
  readonly release: () => void;
}

export interface ReplyBytes {
  /**
   * Reserves a number of bytes in place of those before. Throws `overloaded`, and changes nothing, if the replies of all calls
   * fill the memory.
   */
  resize(bytes: number): void;
}

export interface ReplyMemories {
  /** Opens the memory of one call. The owner is the adapter, or the caller of an address. */
  open(owner: string): ReplyMemory;
  /** Number of reserved bytes. */
  readonly reserved: number;
}

/** Creates the memory for replies, by default a part of the memory of the process. */
export function createReplyMemories(bytes = Math.floor(availableMemory() * REPLIES_PART)): ReplyMemories {
  const budget = new ByteBudget({ bytes, bytesPerOwner: Math.floor(bytes * ADAPTER_PART) });
  return {
    get reserved() {
      return budget.reserved;
    },
    open: (owner) => memoryOf(budget.open(owner)),
  };
}

function memoryOf(reservation: ByteReservation): ReplyMemory {
  let total = 0;
  return {
    open() {
      let held = 0;
      return {
        resize(bytes) {
          const next = total - held + bytes;
          if (next !== total && !reservation.resize(next)) throw repliesFillMemory();
          total = next;
          held = bytes;
        },
      };
    },
    release: () => {
      reservation.release();
    },
  };
}

/** Returns a memory that also throws the Problem if its replies have more than a number of bytes together. */
export function boundedMemory(memory: ReplyMemory, maxBytes: number, excess: () => Problem): ReplyMemory {
  let total = 0;
  return {
    ...memory,
    open() {
      const inner = memory.open();
      let held = 0;
      return {
        resize(bytes) {
          if (total - held + bytes > maxBytes) throw excess();
          inner.resize(bytes);
          total += bytes - held;
          held = bytes;
        },
      };
    },
  };
}

/** The memory of this process: all adapters and all calls share it, also after a reload. */
export const REPLY_MEMORIES = createReplyMemories();

/**
 * Returns the failure of a call whose request was sent. A caller must not repeat a change because the memory had no room for its
 * reply.
 */
export function afterSending(failure: Problem, method: string): Problem {
  if (failure.code !== 'overloaded' || isSafeMethod(method)) return failure;
  const advice = 'Check the orchestrator before you repeat the call: it received the request.';
  return withExtras(failure, { headers: {}, advice }, `${failure.message} The request was sent.`);
}

function repliesFillMemory(): Problem {
  const advice = 'Try again after the seconds of Retry-After, or ask for less data.';
  return new Problem(
    'overloaded',
    'The replies of orchestrators fill the memory that the server has for them.',
    {
      headers: { 'retry-after': '1' },
      advice,
    },
  );
}

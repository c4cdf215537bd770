import { availableMemory } from './lib/available-memory.js';
import { ByteBudget, type ByteReservation } from './lib/byte-budget.js';
import { Problem } from './problem.js';

/** Part of the memory of the process for replies, and the part of it for the replies of one adapter. */
const REPLIES_PART = 1 / 4;
const ADAPTER_PART = 3 / 4;

/** Memory for the replies that one call reads and holds until its response is sent. */
export interface ReplyMemory {
  /** Reserves a number of bytes in place of those before. Throws `overloaded` if the replies of all calls fill the memory. */
  reserve(bytes: number): void;
  /** Frees all bytes; later calls do nothing. */
  release(): void;
}

/** Memory for the replies of all calls of a process. */
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
  return {
    reserve(bytes) {
      if (!reservation.resize(bytes)) throw repliesFillMemory();
    },
    release: () => {
      reservation.release();
    },
  };
}

/** The memory of this process: all adapters and all calls share it, also after a reload. */
export const REPLY_MEMORIES = createReplyMemories();

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

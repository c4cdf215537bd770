import type { Scheduler } from '../../src/lib/clock.js';
import type { ProcessMemory } from './process-memory.js';

/** Interval between two pings of a worker, in milliseconds. */
const PING_MS = 500;
/** Number of unanswered pings in a row that end a worker. */
const MAX_SILENT_PINGS = 30;
/** Number of unanswered pings in a row that end a worker while the memory of the process grows. */
const MAX_SILENT_PINGS_OF_GROWTH = 4;
const MIB = 1024 * 1024;

interface HeartbeatInput {
  readonly scheduler: Scheduler;
  /** Memory of the process and its workers: whose growth it is cannot be measured while a worker is blocked. */
  readonly memory: Pick<ProcessMemory, 'limitMb' | 'usedBytes'>;
  readonly sendPing: () => void;
  /** Receives why the worker must end. */
  readonly onFailure: (reason: string) => void;
}

/** Pings of one worker. */
interface Heartbeat {
  /** Begins the pings. */
  start(): void;
  /** Records the answer to a ping. */
  received(): void;
  close(): void;
}

/**
 * Creates the pings of a worker, which each also make it check its memory. A worker whose event loop is blocked
 * answers no ping, for example in an endless loop, and cannot check its memory either: it ends sooner if the process
 * grows meanwhile by more than all its workers may use.
 */
export function createHeartbeat(input: HeartbeatInput): Heartbeat {
  const { scheduler, memory, sendPing, onFailure } = input;
  let silent = 0;
  let memoryBefore = 0;
  let cancel = (): void => undefined;
  const failure = (): string | undefined => {
    if (silent >= MAX_SILENT_PINGS) return `it answered no ping for ${(PING_MS * MAX_SILENT_PINGS) / 1000} s`;
    if (silent < MAX_SILENT_PINGS_OF_GROWTH) return undefined;
    const grownMb = Math.floor((memory.usedBytes() - memoryBefore) / MIB);
    const limitMb = memory.limitMb();
    if (grownMb <= limitMb) return undefined;
    return `it answered no ping while the process grew by ${grownMb} MiB (memoryMb of all workers: ${limitMb})`;
  };
  const ping = (): void => {
    const reason = failure();
    if (reason !== undefined) {
      onFailure(reason);
      return;
    }
    if (silent === 0) memoryBefore = memory.usedBytes();
    silent += 1;
    sendPing();
    cancel = scheduler.after(PING_MS, ping);
  };
  return {
    start() {
      cancel = scheduler.after(PING_MS, ping);
    },
    received() {
      silent = 0;
    },
    close() {
      cancel();
    },
  };
}

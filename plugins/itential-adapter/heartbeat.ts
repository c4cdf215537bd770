import type { Scheduler } from '../../src/core/lib/clock.js';

/** Interval between two pings of a worker, in milliseconds. */
const PING_MS = 500;
/** Number of unanswered pings in a row that end a worker. */
const MAX_SILENT_PINGS = 30;
/** Number of unanswered pings in a row that end a worker while the memory of the process grows. */
const MAX_SILENT_PINGS_OF_GROWTH = 4;
const MIB = 1024 * 1024;

interface HeartbeatInput {
  readonly scheduler: Scheduler;
  /** Growth of the process that a worker without answers may cause, in MiB. */
  readonly memoryMb: number;
  readonly sendPing: () => void;
  /** Receives why the worker must end. */
  readonly onFailure: (reason: string) => void;
}

/** Pings of one worker. */
export interface Heartbeat {
  /** Begins the pings. */
  start(): void;
  /** Records the answer to a ping. */
  received(): void;
  close(): void;
}

/**
 * Creates the pings of a worker, which each also make it check its memory. A worker whose event loop is blocked
 * answers no ping, for example in an endless loop, and cannot check its memory either: it ends sooner if the process
 * grows meanwhile.
 */
export function createHeartbeat(input: HeartbeatInput): Heartbeat {
  const { scheduler, memoryMb, sendPing, onFailure } = input;
  let silent = 0;
  let memoryBefore = 0;
  let cancel = (): void => undefined;
  const failure = (): string | undefined => {
    if (silent >= MAX_SILENT_PINGS) return `it answered no ping for ${(PING_MS * MAX_SILENT_PINGS) / 1000} s`;
    if (silent < MAX_SILENT_PINGS_OF_GROWTH) return undefined;
    const grownMb = Math.floor((process.memoryUsage.rss() - memoryBefore) / MIB);
    if (grownMb <= memoryMb) return undefined;
    return `it exceeded its memory limit: it answered no ping, and the process grew by ${grownMb} MiB (memoryMb: ${memoryMb})`;
  };
  const ping = (): void => {
    const reason = failure();
    if (reason !== undefined) {
      onFailure(reason);
      return;
    }
    if (silent === 0) memoryBefore = process.memoryUsage.rss();
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

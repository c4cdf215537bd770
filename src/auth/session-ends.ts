import { Problem } from '../core/problem.js';
import type { Scheduler } from '../lib/clock.js';
import { createWriteBuffer } from './write-buffer.js';

/** Ends of sessions that are repeated while the database does not answer. */
interface SessionEnds {
  /**
   * Ends sessions with `work`, and returns its result. If it throws `store_unavailable`, throws it too, and tries again every
   * second until it succeeds. `key` names the sessions; `work` may run again after it has succeeded in part.
   */
  readonly run: <T>(key: string, work: () => Promise<T>) => Promise<T>;
  /** Returns true if the end of these sessions is to be tried again. */
  readonly isWaiting: (key: string) => boolean;
  /** Tries once more. */
  readonly close: () => Promise<void>;
}

/** Maximum number of ends that wait; the oldest are given up. Requests without a session wait here as well. */
const MAX_WAITING = 10_000;

/** Creates an empty list of ends. */
export function createSessionEnds(scheduler: Scheduler): SessionEnds {
  const waiting = new Map<string, () => Promise<unknown>>();
  const buffer = createWriteBuffer<string>({
    scheduler,
    maxSize: MAX_WAITING,
    async write(keys) {
      for (const key of keys) {
        try {
          await waiting.get(key)?.();
        } catch (error) {
          if (isUnavailable(error)) throw error;
        }
        waiting.delete(key);
      }
    },
  });

  function keep(key: string, work: () => Promise<unknown>): void {
    waiting.set(key, work);
    for (const oldest of waiting.keys()) {
      if (waiting.size <= MAX_WAITING) break;
      waiting.delete(oldest);
    }
    buffer.add(key);
  }

  return {
    async run(key, work) {
      try {
        return await work();
      } catch (error) {
        if (isUnavailable(error)) keep(key, work);
        throw error;
      }
    },
    isWaiting: (key) => waiting.has(key),
    close: () => buffer.close(),
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'store_unavailable';
}

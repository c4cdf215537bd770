import type { StartSlots } from '../core/adapter.js';
import type { Semaphore } from '../lib/semaphore.js';

/** The use that one adapter makes of the start slots of the process. */
export interface StartTurn extends StartSlots {
  /** Returns true while the adapter waits for a slot. */
  isWaiting(): boolean;
  /** Calls the listener when a wait begins and when it ends. The returned function removes the listener. */
  onChange(listener: (isWaiting: boolean) => void): () => void;
}

/** Creates the use of the slots by one adapter, which has taken none. */
export function createStartTurn(slots: Semaphore, timeoutMs: number): StartTurn {
  const listeners = new Set<(isWaiting: boolean) => void>();
  let waits = 0;
  const change = (by: 1 | -1): void => {
    waits += by;
    for (const listener of listeners) listener(waits > 0);
  };
  return {
    timeoutMs,
    async takeSlot(signal) {
      change(1);
      try {
        await slots.acquire(signal);
      } finally {
        change(-1);
      }
      return once(() => {
        slots.release();
      });
    },
    isWaiting: () => waits > 0,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns a function that runs the work on its first call only. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

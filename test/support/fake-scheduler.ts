import type { Scheduler } from '../../src/lib/clock.js';

/** A scheduler whose clock advances only when a test advances it. */
export interface FakeScheduler extends Scheduler {
  /** Advances the clock: runs due callbacks in order and lets promises settle in between. */
  pass(ms: number): Promise<void>;
  /** Milliseconds until the next call-back; `undefined` when none is waiting. */
  next(): number | undefined;
  /**
   * Sets the wall clock forward or back, as an administrator does; the remaining time of pending timers does
   * not change.
   */
  set(byMs: number): void;
}

interface Waiting {
  at: number;
  readonly work: () => void;
}

/** A scheduler that begins at a time, in milliseconds since 1970. */
export function createFakeScheduler(start = Date.UTC(2026, 0, 1)): FakeScheduler {
  let now = start;
  const waiting = new Set<Waiting>();
  const first = (): Waiting | undefined => {
    let earliest: Waiting | undefined;
    for (const entry of waiting) if (!earliest || entry.at < earliest.at) earliest = entry;
    return earliest;
  };
  return {
    now: () => now,
    after(ms, work) {
      const entry = { at: now + Math.max(0, ms), work };
      waiting.add(entry);
      return () => waiting.delete(entry);
    },
    next() {
      const due = first();
      return due ? due.at - now : undefined;
    },
    set(byMs) {
      now += byMs;
      for (const entry of waiting) entry.at += byMs;
    },
    async pass(ms) {
      const end = now + ms;
      for (let due = first(); due && due.at <= end; due = first()) {
        now = due.at;
        waiting.delete(due);
        due.work();
        await settle();
      }
      // Another call may have advanced the clock farther meanwhile.
      now = Math.max(now, end);
      await settle();
    },
  };
}

/** Promises that wait for nothing outside settle within a few turns. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

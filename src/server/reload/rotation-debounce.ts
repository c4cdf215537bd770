import { elapsedSince, type Scheduler } from '../../core/lib/clock.js';

/** One piece takes up rotated secrets no more often than this. */
const EVERY_MS = 30_000;

/** Passes on which pieces have other secrets. */
export interface RotationDebounce {
  add(names: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/** Passes each name on at once, and again no sooner than half a minute later: what comes sooner waits for its time. */
export function createRotationDebounce(
  scheduler: Scheduler,
  pass: (names: ReadonlySet<string>) => void,
): RotationDebounce {
  const latest = new Map<string, number>();
  const waiting = new Set<string>();
  let cancel = (): void => undefined;
  const dueIn = (name: string): number => EVERY_MS - elapsedSince(scheduler, latest.get(name) ?? -Infinity);
  const passDue = (): void => {
    cancel();
    const due = [...waiting].filter((name) => dueIn(name) <= 0);
    for (const name of due) {
      waiting.delete(name);
      latest.set(name, scheduler.now());
    }
    if (due.length > 0) pass(new Set(due));
    if (waiting.size > 0) cancel = scheduler.after(Math.min(...[...waiting].map(dueIn)), passDue);
  };
  return {
    add(names) {
      for (const name of names) waiting.add(name);
      passDue();
    },
    close() {
      cancel();
      return Promise.resolve();
    },
  };
}

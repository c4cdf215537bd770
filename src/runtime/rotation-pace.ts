import { elapsed, type Scheduler } from '../domain/clock.js';

/** One piece takes up rotated secrets no more often than this. */
const EVERY_MS = 30_000;

/** Passes on which pieces have other secrets. */
export interface RotationPace {
  add(names: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/** Passes each name on at once, and again no sooner than half a minute later: what comes sooner waits for its time. */
export function createRotationPace(
  scheduler: Scheduler,
  pass: (names: ReadonlySet<string>) => void,
): RotationPace {
  const latest = new Map<string, number>();
  const waiting = new Set<string>();
  let callOff = (): void => undefined;
  const dueIn = (name: string): number => EVERY_MS - elapsed(scheduler, latest.get(name) ?? -Infinity);
  const passDue = (): void => {
    callOff();
    const due = [...waiting].filter((name) => dueIn(name) <= 0);
    for (const name of due) {
      waiting.delete(name);
      latest.set(name, scheduler.now());
    }
    if (due.length > 0) pass(new Set(due));
    if (waiting.size > 0) callOff = scheduler.after(Math.min(...[...waiting].map(dueIn)), passDue);
  };
  return {
    add(names) {
      for (const name of names) waiting.add(name);
      passDue();
    },
    close() {
      callOff();
      return Promise.resolve();
    },
  };
}

import type { WorkerProcess } from './worker-process.js';

/** Turns of the workers at writing to the SQLite file, which permits one writer at a time. */
export interface WriteTurns {
  /** Resolves when it is the turn of the worker. */
  readonly take: (worker: WorkerProcess) => Promise<void>;
  /** Returns true while it is the turn of the worker. */
  readonly has: (worker: WorkerProcess) => boolean;
  readonly end: (worker: WorkerProcess) => void;
  /** Ends what an ended worker has and waits for. */
  readonly leave: (worker: WorkerProcess) => void;
}

/** Creates turns in the order of the requests. SQLite itself lets those wait longest that wait already. */
export function createWriteTurns(): WriteTurns {
  let holder: WorkerProcess | undefined;
  let waiting: { readonly worker: WorkerProcess; readonly start: () => void }[] = [];
  const startNext = (): void => {
    const next = waiting.shift();
    holder = next?.worker;
    next?.start();
  };
  const end = (worker: WorkerProcess): void => {
    if (holder === worker) startNext();
  };
  return {
    take: (worker) =>
      new Promise((start) => {
        waiting.push({ worker, start });
        if (!holder) startNext();
      }),
    has: (worker) => holder === worker,
    end,
    leave(worker) {
      waiting = waiting.filter((one) => one.worker !== worker);
      end(worker);
    },
  };
}

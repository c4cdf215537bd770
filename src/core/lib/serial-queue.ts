import type { RunInTurn } from './run-in-turn.js';

/**
 * Creates a queue that runs one piece of work at a time. A caller that stores a change, and reverts it if it
 * cannot run, does both in one piece of work. Other callers then never build on a change that is about to be
 * reverted.
 */
export function createSerialQueue(): RunInTurn {
  let last: Promise<unknown> = Promise.resolve();
  return ({ signal }, work) => {
    const begin = () => {
      signal.throwIfAborted();
      return work();
    };
    const mine = last.then(begin, begin);
    last = mine.catch(() => undefined);
    return mine;
  };
}

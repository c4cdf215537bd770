import type { RunInTurn } from './run-in-turn.js';

/**
 * Makes a queue of turns. Whoever writes what runs and puts it back when it cannot run does both in one turn, so that
 * nobody builds on what is about to be put back.
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

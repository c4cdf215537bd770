import type { CancelSignal } from './cancel-signal.js';

/**
 * Runs a piece of work for a caller after all earlier work has settled. Skips the work if the caller has left
 * by then; work of the process itself has no signal.
 */
export type RunInTurn = <T>(caller: { readonly signal?: CancelSignal }, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue that runs one piece of work at a time. A caller that stores a change, and reverts it if it
 * cannot run, does both in one piece of work. Other callers then never build on a change that is about to be
 * reverted.
 */
export function createSerialQueue(): RunInTurn {
  let last: Promise<unknown> = Promise.resolve();
  return ({ signal }, work) => {
    const begin = () => {
      signal?.throwIfAborted();
      return work();
    };
    const mine = last.then(begin, begin);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/**
 * Wraps a function so that calls with equal keys run one after the other; each call still gets its own
 * result.
 */
export function serializeByKey<Key, Args extends readonly unknown[], Output>(
  work: (key: Key, ...args: Args) => Promise<Output>,
  keyOf: (key: Key) => string,
): (key: Key, ...args: Args) => Promise<Output> {
  const last = new Map<string, Promise<unknown>>();
  return (input, ...args) => {
    const key = keyOf(input);
    const run = (): Promise<Output> => work(input, ...args);
    const before = last.get(key);
    const mine = before ? before.then(run, run) : run();
    const forget = (): void => {
      if (last.get(key) === mine) last.delete(key);
    };
    last.set(key, mine);
    mine.then(forget, forget);
    return mine;
  };
}

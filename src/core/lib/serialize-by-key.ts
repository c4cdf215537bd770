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

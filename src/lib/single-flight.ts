/**
 * Wraps a function so that calls with the key of a running call share its result. Without `keyOf`, all calls
 * have the same key.
 */
export function singleFlight<Args extends readonly unknown[], Output>(
  work: (...args: Args) => Promise<Output>,
  keyOf: (...args: Args) => unknown = () => undefined,
): (...args: Args) => Promise<Output> {
  const running = new Map<unknown, Promise<Output>>();
  return (...args) => {
    const key = keyOf(...args);
    const shared = running.get(key);
    if (shared) return shared;
    const mine = work(...args).finally(() => running.delete(key));
    running.set(key, mine);
    return mine;
  };
}

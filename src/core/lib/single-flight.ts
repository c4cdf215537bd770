/**
 * Wraps a function so that calls with the key of a running call share its result. At most `limit` calls run
 * at a time; the others wait.
 */
export function singleFlight<Input, Output>(
  work: (input: Input) => Promise<Output>,
  { keyOf, limit }: { readonly keyOf: (input: Input) => string; readonly limit: number },
): (input: Input) => Promise<Output> {
  const running = new Map<string, Promise<Output>>();
  const waiting: (() => void)[] = [];
  let free = limit;

  async function runInTurn(input: Input): Promise<Output> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work(input);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  return (input) => {
    const key = keyOf(input);
    const shared = running.get(key);
    if (shared) return shared;
    const mine = runInTurn(input).finally(() => running.delete(key));
    running.set(key, mine);
    return mine;
  };
}

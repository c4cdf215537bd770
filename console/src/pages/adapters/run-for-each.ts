/** Maximum number of concurrent requests: a node applies one change after the other. */
const MAX_CONCURRENT = 4;

interface RunOptions<Item, Result> {
  /** No more work begins after it fired. */
  readonly signal?: AbortSignal;
  readonly onResult: (result: Result, item: Item) => void;
}

/** Runs work for each item, a few at a time, and reports each result as soon as it is there. */
export async function runForEach<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { signal, onResult }: RunOptions<Item, Result>,
): Promise<void> {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && !signal?.aborted; item = waiting.shift())
      onResult(await work(item), item);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, next));
}

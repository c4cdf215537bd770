/**
 * Maps items with at most `limit` of them in work at a time, so that thousands of items do not need memory at the same
 * time. Returns the results in the order of the items. Rejects with the first error; work that has begun continues.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Array<R>(items.length);
  const remaining = items.entries();
  const workThrough = async (): Promise<void> => {
    for (const [at, item] of remaining) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, workThrough));
  return results;
}

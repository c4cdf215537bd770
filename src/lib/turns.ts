import { Semaphore } from './semaphore.js';

/** The event loop is one for the whole process, so all long work shares its turns. */
const oneAtATime = new Semaphore(1);

/**
 * Resolves in a later turn of the event loop. Only one caller continues in each turn, so that the pieces of
 * several long computations never add up to one long stop.
 */
export function nextTurn(): Promise<void> {
  return oneAtATime.run(
    () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  );
}

/** Number of items between two turns of the event loop. */
const ITEMS_PER_TURN = 64;

/** Maps items in their order. Signals and calls are served between pieces of the work. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  work: (item: T, at: number) => R,
): Promise<readonly R[]> {
  const results: R[] = [];
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % ITEMS_PER_TURN === 0) await nextTurn();
    results.push(work(item, at));
  }
  return results;
}

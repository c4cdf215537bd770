import type { Snapshot } from '../domain/snapshot.js';

/** How long the first start of the adapters may hold up what waits for it, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Starts every adapter that can serve. One that cannot start now is tried again by its next call. */
export async function startAdapters(snapshot: Snapshot): Promise<void> {
  const starting = [...snapshot.adapters.values()].filter((instance) => instance.state().name === 'STARTING');
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([Promise.allSettled(starting.map((instance) => instance.ready())), patience]);
  clearTimeout(timer);
}

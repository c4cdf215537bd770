import { Problem } from '../domain/problem.js';
import type { AdapterInstance } from '../domain/snapshot.js';

/** How long the start of an adapter may hold up what waits for it, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Starts an adapter that nobody waits for yet. One that cannot start now is tried again by its next call. */
export async function startNew(instance: AdapterInstance): Promise<void> {
  if (instance.state().name !== 'STARTING') return;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([instance.ready().catch(() => undefined), patience]);
  clearTimeout(timer);
}

/** Why an adapter must not take the place of one that serves; undefined when it may. Starts it. */
export async function objectionTo(instance: AdapterInstance): Promise<string | undefined> {
  const state = instance.state();
  if (state.name === 'STOPPED') return undefined;
  if (state.name === 'DEAD') return state.reason;
  try {
    await instance.ready();
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.message : 'its start failed';
  }
}

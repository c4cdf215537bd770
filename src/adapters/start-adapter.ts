import { Problem } from '../core/problem.js';
import type { AdapterInstance } from '../core/snapshot.js';
import { runWithTimeout } from './run-within.js';

/** How long the start of an adapter may hold up what waits for it, in milliseconds. */
const START_TIMEOUT_MS = 5_000;
/** The same where the adapter is to take the place of one that serves: more than a start and a probe may take. */
const LONG_PATIENCE_MS = 35_000;

/** Opens an adapter that nobody waits for yet. One that cannot start now tries again by itself. */
export async function startReplacement(instance: AdapterInstance, stopping?: AbortSignal): Promise<void> {
  await runWithTimeout(START_TIMEOUT_MS, () => instance.open(), stopping).catch(() => undefined);
}

/** Opens an adapter, and tells why it must not take the place of one that serves; undefined when it may. */
export async function replacementError(
  instance: AdapterInstance,
  stopping?: AbortSignal,
): Promise<string | undefined> {
  const state = instance.state();
  if (state.name === 'STOPPED') return undefined;
  if (state.name === 'DEAD') return state.reason;
  try {
    await runWithTimeout(LONG_PATIENCE_MS, () => instance.open(), stopping);
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.message : 'its start failed';
  }
}

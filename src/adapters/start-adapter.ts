import { Problem } from '../core/problem.js';
import type { AdapterInstance } from '../core/snapshot.js';
import { runWithTimeout } from './run-within.js';

/** Maximum time to wait for the start of an adapter, in milliseconds. */
const START_TIMEOUT_MS = 5_000;
/** The same for an adapter that replaces a running adapter: more than a start and a probe may take. */
const LONG_PATIENCE_MS = 35_000;

/**
 * Opens an adapter that no caller waits for yet. An adapter that cannot start now retries in the background.
 */
export async function startReplacement(instance: AdapterInstance, stopping?: AbortSignal): Promise<void> {
  await runWithTimeout(START_TIMEOUT_MS, () => instance.open(), stopping).catch(() => undefined);
}

/** Opens an adapter. Returns why it must not replace a running adapter; undefined if it may. */
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

import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 20;
const TIMEOUT_MS = 120_000;

/**
 * Waits until the condition holds, with rare checks that do not affect measurements; fails after two minutes.
 */
export async function waitUntil(condition: () => boolean): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`did not come true: ${condition.toString()}`);
    await pause(POLL_MS);
  }
}

import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;
const PATIENCE_MS = 120_000;

/** Waits until the condition holds, with a look now and then that takes nothing from what is measured; fails after two minutes. */
export async function waitUntil(condition: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`did not come true: ${condition.toString()}`);
    await pause(LOOK_MS);
  }
}

import { setTimeout } from 'node:timers/promises';

/** Only what never comes true takes so long, in milliseconds: less than mocha's limit, so that it is told what did not. */
const TIMEOUT_MS = 15_000;

/** The same where a browser takes part, on a machine that may have much else to do. */
const BROWSER_PATIENCE_MS = 90_000;

/** Pauses between two looks, in milliseconds: a loop without one keeps the processor from what it waits for. */
const PAUSE_MS = 5;
const BROWSER_PAUSE_MS = 50;

/** Waits until the condition holds, looking at once and then every 5 ms; fails after a while. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`did not come true: ${condition.toString()}`);
    await setTimeout(PAUSE_MS);
  }
}

/**
 * Asks a page or a server at once, and then every 50 ms, until nothing is against what it says; after a while it throws what
 * was wrong the last time.
 */
export async function eventually(assertion: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + BROWSER_PATIENCE_MS;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await setTimeout(BROWSER_PAUSE_MS);
  }
}

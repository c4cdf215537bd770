import { setTimeout } from 'node:timers/promises';

/**
 * Time limit of a wait in milliseconds. It is shorter than mocha's limit, so that the failure names the
 * condition.
 */
const TIMEOUT_MS = 45_000;

/** The same limit for tests with a browser, on a machine that may be busy. */
const BROWSER_PATIENCE_MS = 90_000;

/**
 * Pause between two checks, in milliseconds. Without a pause the loop would take the CPU time that the
 * awaited code needs.
 */
const PAUSE_MS = 5;
const BROWSER_PAUSE_MS = 50;

interface Patience {
  readonly timeoutMs?: number;
  readonly pauseMs?: number;
}

/** Waits until the condition holds: checks immediately, then every 5 ms; fails after a time limit. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = TIMEOUT_MS, pauseMs = PAUSE_MS }: Patience = {},
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`did not come true: ${condition.toString()}`);
    await setTimeout(pauseMs);
  }
}

/**
 * Runs assertions about a page or a server immediately, then every 50 ms, until they pass; after a time limit
 * it throws the last failure.
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

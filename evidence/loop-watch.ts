import { readFileSync } from 'node:fs';

/** Longest time for which the main loop was blocked, in milliseconds. */
interface Stall {
  /** Without the time in which the thread was ready and the machine ran something else. */
  readonly ownMs: number;
  readonly wallMs: number;
}

/** Watches the main loop until it is stopped. */
export function watchLoop(): { stop(): Promise<Stall> } {
  let [ownMs, wallMs] = [0, 0];
  let last = { now: performance.now(), waited: waitedMs() };
  const look = (): void => {
    const next = { now: performance.now(), waited: waitedMs() };
    // Subtracts the interval of the timer, one millisecond.
    const gap = Math.max(0, next.now - last.now - 1);
    wallMs = Math.max(wallMs, gap);
    ownMs = Math.max(ownMs, gap - (next.waited - last.waited));
    last = next;
  };
  const timer = setInterval(look, 1);
  return {
    async stop() {
      await new Promise((resolve) => setTimeout(resolve, 5));
      clearInterval(timer);
      look();
      return { ownMs: round(ownMs), wallMs: round(wallMs) };
    },
  };
}

/**
 * Returns how long the main thread has waited for a processor so far (Linux); 0 if the system does not report
 * it.
 */
function waitedMs(): number {
  try {
    const [, waited = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}

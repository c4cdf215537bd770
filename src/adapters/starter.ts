import { type Clock, elapsedSince } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import { Problem } from '../core/problem.js';
import { runWithTimeout } from './run-within.js';

/** Time limit of a start, in milliseconds. */
const START_MS = 15_000;
/** Minimum time between a failed start and the next, in milliseconds, however many calls arrive. */
const RETRY_MS = 1_000;

/** Start of an adapter, shared by all callers that wait for it. */
export interface Starter {
  started(): boolean;
  /** Returns the time of the start, in milliseconds since 1970; undefined before. */
  startedAt(): number | undefined;
  /** Starts the adapter. Throws `adapter_unavailable` with the reason. */
  start(): Promise<void>;
  /** Resolves when the plugin has ended a running start, even if no caller waits for it. */
  settled(): Promise<void>;
}

interface StarterInput {
  readonly id: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Absent if there is nothing to start. */
  readonly start: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Fires when the adapter is closed. */
  readonly closing: AbortSignal;
}

/** Creates a starter. It tries again on each request, at most once a second, until a start succeeds. */
export function createStarter({ id, log, clock, start, closing }: StarterInput): Starter {
  const nothing = (): Promise<void> => Promise.resolve();
  if (!start) {
    const madeAt = clock.now();
    return { started: () => true, startedAt: () => madeAt, start: nothing, settled: nothing };
  }
  let startedAt: number | undefined;
  let running: Promise<void> | undefined;
  let working: Promise<void> | undefined;
  let failure: { readonly at: number; readonly problem: Problem } | undefined;
  async function attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await runWithTimeout(START_MS, (signal) => (working = work(signal)), closing);
      startedAt = clock.now();
      log.info('adapter started');
    } catch (cause) {
      const reason = cause instanceof Problem ? cause.message : 'its start failed';
      const message = `the adapter "${id}" has not started: ${reason}`;
      const problem = new Problem('adapter_unavailable', message, { cause });
      if (failure?.problem.message !== message && !closing.aborted)
        log.warn('adapter start failed', { error: cause });
      failure = { at: clock.now(), problem };
      throw problem;
    } finally {
      running = undefined;
    }
  }
  return {
    started: () => startedAt !== undefined,
    startedAt: () => startedAt,
    async start() {
      if (startedAt !== undefined) return;
      if (failure && elapsedSince(clock, failure.at) < RETRY_MS) throw failure.problem;
      running ??= attempt(start);
      await running;
    },
    async settled() {
      await working?.catch(() => undefined);
    },
  };
}

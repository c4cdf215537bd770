import { type Clock, elapsedSince } from '../core/lib/clock.js';
import type { Log } from '../core/log.js';
import { createBackoff } from '../core/lib/backoff.js';
import { Problem, withAdvice } from '../core/problem.js';
import { runWithTimeout } from './run-within.js';
import type { AdapterInstance } from '../core/snapshot.js';

/** Time limit of a start, in milliseconds. */
const START_TIMEOUT_MS = 15_000;
/** Minimum time between a failed start and the next, in milliseconds, however many calls arrive. */
const MIN_RETRY_INTERVAL_MS = 1_000;

/**
 * Delays between a start whose credentials were refused and the next, however many calls arrive. An orchestrator may lock an
 * account after a few refused logins.
 */
const REFUSAL_BACKOFF = { firstMs: MIN_RETRY_INTERVAL_MS, maxMs: 10_000 };

/** Start of an adapter, shared by all callers that wait for it. */
export interface Starter {
  started(): boolean;
  /** Returns why the latest start failed; undefined before. */
  failure(): string | undefined;
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

interface StartFailure {
  readonly at: number;
  /** Minimum time until the next start, in milliseconds. */
  readonly retryMs: number;
  readonly reason: string;
  readonly problem: Problem;
}

/** Creates a starter. It tries again on each request, at most once a second, until a start succeeds. */
export function createStarter({ id, log, clock, start, closing }: StarterInput): Starter {
  const nothing = (): Promise<void> => Promise.resolve();
  if (!start) {
    const createdAt = clock.now();
    return {
      started: () => true,
      failure: () => undefined,
      startedAt: () => createdAt,
      start: nothing,
      settled: nothing,
    };
  }
  let startedAt: number | undefined;
  let running: Promise<void> | undefined;
  let working: Promise<void> | undefined;
  let failure: StartFailure | undefined;
  const refusals = createBackoff(REFUSAL_BACKOFF);
  function retryMsAfter(cause: unknown): number {
    if (cause instanceof Problem && cause.code === 'upstream_auth') return refusals.next();
    refusals.reset();
    return MIN_RETRY_INTERVAL_MS;
  }
  async function attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await runWithTimeout(START_TIMEOUT_MS, (signal) => (working = work(signal)), closing);
      startedAt = clock.now();
      log.info('adapter started');
    } catch (cause) {
      const reason = cause instanceof Problem ? withAdvice(cause) : 'its start failed';
      const message = `the adapter "${id}" has not started: ${reason}`;
      const problem = new Problem('adapter_unavailable', message, { cause });
      if (failure?.problem.message !== message && !closing.aborted)
        log.warn('adapter start failed', { error: cause });
      failure = { at: clock.now(), retryMs: retryMsAfter(cause), reason, problem };
      throw problem;
    } finally {
      running = undefined;
    }
  }
  return {
    started: () => startedAt !== undefined,
    failure: () => failure?.reason,
    startedAt: () => startedAt,
    async start() {
      if (startedAt !== undefined) return;
      if (failure && elapsedSince(clock, failure.at) < failure.retryMs) throw failure.problem;
      running ??= attempt(start);
      await running;
    },
    async settled() {
      await working?.catch(() => undefined);
    },
  };
}

/** Maximum time to wait for the start of an adapter, in milliseconds. */
const FIRST_START_WAIT_MS = 5_000;
/** The same for an adapter that replaces a running adapter. It exceeds the time limits of a start and a probe. */
const REPLACEMENT_TIMEOUT_MS = 35_000;

/**
 * Opens an adapter that no caller waits for yet. An adapter that cannot start now retries in the background.
 */
export async function openInBackground(instance: AdapterInstance, stopping?: AbortSignal): Promise<void> {
  await runWithTimeout(FIRST_START_WAIT_MS, () => instance.open(), stopping).catch(() => undefined);
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
    await runWithTimeout(REPLACEMENT_TIMEOUT_MS, () => instance.open(), stopping);
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.message : 'its start failed';
  }
}

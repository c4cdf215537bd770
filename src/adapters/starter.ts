import type { Log } from '../core/log.js';
import { Problem, withAdvice } from '../core/problem.js';
import type { AdapterInstance } from '../core/snapshot.js';
import { createBackoff } from '../lib/backoff.js';
import { elapsedSince, type Scheduler } from '../lib/clock.js';
import { createCooldown } from '../lib/cooldown.js';
import { untilAborted, withTimeout } from '../lib/timeout.js';
import { runWithin, runWithTimeout } from './run-within.js';
import type { StartTurn } from './start-turn.js';

/** Minimum time between a failed start and the next, in milliseconds, however many calls arrive. */
const MIN_RETRY_INTERVAL_MS = 1_000;
/** Maximum time that a call waits for a start, in milliseconds. The start continues after it. */
const CALL_WAIT_MS = 15_000;
/** Minimum time between two log lines about the same failure, in milliseconds. */
const FAILURE_LOG_INTERVAL_MS = 60_000;

/**
 * Delays between a start whose credentials were refused and the next, however many calls arrive. An orchestrator may lock an
 * account after a few refused logins.
 */
const REFUSAL_BACKOFF = { firstMs: MIN_RETRY_INTERVAL_MS, maxMs: 10_000 };

/** Start of an adapter, shared by all callers that wait for it. */
export interface Starter {
  started(): boolean;
  /** Returns why the adapter has not started: the latest failure, or the wait; undefined if there is no reason. */
  reason(): string | undefined;
  /** Returns the time of the start, in milliseconds since 1970; undefined before. */
  startedAt(): number | undefined;
  /** Starts the adapter. Throws `adapter_unavailable` with the reason. */
  start(): Promise<void>;
  /** Starts the adapter like `start`, but throws `adapter_unavailable` after the time that a call may wait. */
  startForCall(): Promise<void>;
  /** Resolves when the plugin has ended a running start, even if no caller waits for it. */
  settled(): Promise<void>;
}

interface StarterInput {
  readonly id: string;
  readonly log: Log;
  readonly scheduler: Scheduler;
  /** Absent if there is nothing to start. */
  readonly start: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Time limit of a start, and its waits for a slot, which do not count. */
  readonly turn: StartTurn;
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
export function createStarter(input: StarterInput): Starter {
  const { id, log, scheduler, start, turn, closing } = input;
  if (!start) return createIdleStarter(scheduler.now());
  const logFailure = createFailureLog(log, scheduler);
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
  const unavailable = (reason: string, cause?: unknown): Problem =>
    new Problem('adapter_unavailable', `the adapter "${id}" has not started: ${reason}`, { cause });
  const limits = {
    ms: turn.timeoutMs,
    timeoutMessage: `it took longer than ${turn.timeoutMs / 1000} s (timeouts.startMs)`,
    signal: closing,
    abortProblem: () => new Problem('adapter_unavailable', 'it was stopped'),
    onPause: (listener: (isPaused: boolean) => void) => turn.onChange(listener),
    scheduler,
  };
  async function attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await runWithin((signal) => (working = work(signal)), limits);
      startedAt = scheduler.now();
      log.info('adapter started');
    } catch (cause) {
      const reason = cause instanceof Problem ? withAdvice(cause) : 'its start failed';
      if (!closing.aborted) logFailure(reason, cause);
      const problem = unavailable(reason, cause);
      failure = { at: scheduler.now(), retryMs: retryMsAfter(cause), reason, problem };
      throw problem;
    } finally {
      running = undefined;
    }
  }
  const starter: Starter = {
    started: () => startedAt !== undefined,
    reason: () => failure?.reason ?? (turn.isWaiting() ? WAITING : undefined),
    startedAt: () => startedAt,
    async start() {
      if (startedAt !== undefined) return;
      if (failure && elapsedSince(scheduler, failure.at) < failure.retryMs) throw failure.problem;
      running ??= attempt(start);
      await running;
    },
    async startForCall() {
      if (startedAt !== undefined) return;
      const late = (): Promise<never> => Promise.reject(unavailable(starter.reason() ?? STARTING));
      await withTimeout(starter.start(), { ms: CALL_WAIT_MS, scheduler, late });
    },
    async settled() {
      await working?.catch(() => undefined);
    },
  };
  return starter;
}

const WAITING = 'its start waits for the starts of other adapters (server.adapterStarts)';
const STARTING = `its start takes longer than ${CALL_WAIT_MS / 1000} s; it continues`;

/** Creates the starter of an adapter that has nothing to start. */
function createIdleStarter(createdAt: number): Starter {
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    started: () => true,
    reason: () => undefined,
    startedAt: () => createdAt,
    start: nothing,
    startForCall: nothing,
    settled: nothing,
  };
}

/** Returns a function that logs each new failure at once, and a repeated failure at most once a minute. */
function createFailureLog(log: Log, scheduler: Scheduler): (reason: string, error: unknown) => void {
  const cooldown = createCooldown(scheduler, FAILURE_LOG_INTERVAL_MS);
  let failures = 0;
  return (reason, error) => {
    failures += 1;
    if (cooldown(reason) === 0) log.warn('adapter start failed', { error, failures });
  };
}

/** Maximum time to wait for the start of an adapter, in milliseconds. */
const FIRST_START_WAIT_MS = 5_000;

/**
 * Opens an adapter that no caller waits for yet. An adapter that cannot start now retries in the background.
 */
export async function openInBackground(instance: AdapterInstance, stopping?: AbortSignal): Promise<void> {
  if (stopping?.aborted) return;
  const opening = instance.open();
  if (opening) await runWithTimeout(FIRST_START_WAIT_MS, () => opening, stopping).catch(() => undefined);
}

/**
 * Opens an adapter. Returns why it must not replace a running adapter, and whether the orchestrator refused its credentials; undefined if it may. The start and the probe have
 * their own time limits, which do not count the wait for the starts of other adapters.
 */
export async function replacementError(
  instance: AdapterInstance,
  stopping?: AbortSignal,
): Promise<{ readonly reason: string; readonly isRefusal: boolean } | undefined> {
  const state = instance.state();
  if (state.name === 'STOPPED') return undefined;
  if (state.name === 'DEAD') return { reason: state.reason, isRefusal: false };
  if (stopping?.aborted) return SERVER_STOPS;
  try {
    const opening = instance.open();
    await (stopping && opening ? untilAborted(opening, stopping) : opening);
    return undefined;
  } catch (error) {
    if (stopping?.aborted) return SERVER_STOPS;
    return error instanceof Problem
      ? { reason: error.message, isRefusal: error.code === 'upstream_auth' }
      : { reason: 'its start failed', isRefusal: false };
  }
}

const SERVER_STOPS = { reason: 'the server stops', isRefusal: false } as const;

import type { UpstreamReply } from '../../core/adapter.js';
import { retryAfterMs } from '../../core/header.js';
import { Problem } from '../../core/problem.js';
import { backoffMs } from '../../lib/backoff.js';
import type { Clock } from '../../lib/clock.js';
import type { RetrySettings } from '../../settings/adapter.js';
import { pause } from '../deadline.js';
import { isSafeToRetry, isUpstreamFailure, type Layer, type UpstreamCall } from '../send.js';
import type { RetryReason } from '../with-call-log.js';

interface RetryDeps {
  readonly budget: RetryBudget;
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** Number of base URLs. */
  readonly endpoints: number;
  /** Called for every attempt after the first. */
  readonly onRetry: (call: UpstreamCall, why: RetryReason) => void;
}

const BACKOFF = { firstMs: 100, maxMs: 5_000 };

/**
 * Creates the layer that repeats attempts within the budget and the deadline. It retries any request that was never sent,
 * and safe methods after a failure or a configured status. A request that may change state is never sent
 * twice. The call returns the outcome of its last attempt. If this server itself rejected that attempt, the
 * call returns the previous outcome.
 */
export function createRetries(settings: RetrySettings, deps: RetryDeps): Layer {
  return async (call, next) => {
    let outcome: AttemptOutcome | undefined;
    for (let attempts = 1; ; attempts += 1) {
      const previous: AttemptOutcome | undefined = outcome;
      try {
        outcome = { reply: await next(call) };
      } catch (error) {
        outcome = { error };
      }
      if (previous && wasRejectedLocally(outcome)) return resultOf(previous);
      // The first deposit follows the attempt: simultaneous calls would otherwise fill the budget and lose the
      // excess.
      if (!previous) deps.budget.deposit();
      const delayMs = nextDelayMs(outcome, attempts, { call, settings, deps });
      if (delayMs === undefined) return resultOf(outcome);
      call.deadline.phase = 'waiting to retry';
      if (delayMs > 0) await pause(delayMs, call.deadline);
      deps.onRetry(call, { attempt: attempts + 1, delayMs, after: codeOf(outcome) });
    }
  };
}

/** A call, and what decides on its retries. */
interface RetryContext {
  readonly call: UpstreamCall;
  readonly settings: RetrySettings;
  readonly deps: RetryDeps;
}

/**
 * Takes the next attempt from the budget, and returns the milliseconds before it; `undefined` after the last attempt, or if a
 * retry is not permitted.
 */
function nextDelayMs(outcome: AttemptOutcome, attempts: number, context: RetryContext): number | undefined {
  if (attempts >= context.settings.attempts) return undefined;
  const ms = retryDelayMs(outcome, attempts, context);
  return ms !== undefined && context.deps.budget.withdraw() ? ms : undefined;
}

type AttemptOutcome = { readonly reply: UpstreamReply } | { readonly error: unknown };

/** Returns the reply of an attempt, or throws its error. */
function resultOf(outcome: AttemptOutcome): UpstreamReply {
  if ('reply' in outcome) return outcome.reply;
  throw outcome.error;
}

/** Returns the status of a reply, or the code of a failure. */
function codeOf(outcome: AttemptOutcome): number | string {
  if ('reply' in outcome) return outcome.reply.status;
  return outcome.error instanceof Problem ? outcome.error.code : 'internal';
}

/**
 * Returns the milliseconds before the next attempt; `undefined` when a retry is not permitted or not possible
 * before the deadline.
 */
function retryDelayMs(outcome: AttemptOutcome, attempt: number, context: RetryContext): number | undefined {
  const { call, deps } = context;
  if (!mayRetry(outcome, context)) return undefined;
  const requestedMs = 'reply' in outcome ? (retryAfterMs(outcome.reply, deps.clock.now()) ?? 0) : 0;
  const triesOtherEndpoint = 'error' in outcome && call.tried.length < deps.endpoints;
  const ms = triesOtherEndpoint ? 0 : requestedMs + jitter(attempt, deps.random);
  return deps.clock.now() + ms < call.deadline.endsAt ? ms : undefined;
}

function mayRetry(outcome: AttemptOutcome, { call, settings }: RetryContext): boolean {
  if (call.deadline.reason) return false;
  const isSafe = settings.methods.some((method) => method === call.request.method);
  if ('reply' in outcome) return isSafe && settings.statuses.includes(outcome.reply.status);
  return (
    outcome.error instanceof Problem && isUpstreamFailure(outcome.error) && (isSafe || isSafeToRetry(call))
  );
}

/**
 * Returns a random delay up to a limit that doubles ("full jitter"), so that many calls do not retry at the
 * same time.
 */
function jitter(attempt: number, random: () => number): number {
  return random() * backoffMs(attempt, BACKOFF);
}

function wasRejectedLocally(outcome: AttemptOutcome): boolean {
  if ('reply' in outcome || !(outcome.error instanceof Problem)) return false;
  return outcome.error.code === 'upstream_busy' || outcome.error.code === 'upstream_suspended';
}

/** Limits retries to a small share of the calls, so that retries do not overload a failing orchestrator. */
interface RetryBudget {
  /** Counts a call. */
  deposit(): void;
  /** Takes a retry from the budget; returns false if the budget is exhausted. */
  withdraw(): boolean;
}

/** Maximum balance of a budget, in retries, so that an adapter with few calls can retry as well. */
export const RETRY_RESERVE = 10;

/**
 * Creates a full budget: in any sequence of `n` calls there are at most `n * percent / 100 + RETRY_RESERVE`
 * retries, and no retries for 0 percent.
 */
export function createRetryBudget(percent: number): RetryBudget {
  // In hundredths of a retry, so that sums are exact.
  const maxBalance = percent === 0 ? 0 : RETRY_RESERVE * 100;
  let balance = maxBalance;
  return {
    deposit() {
      balance = Math.min(maxBalance, balance + percent);
    },
    withdraw() {
      if (balance < 100) return false;
      balance -= 100;
      return true;
    },
  };
}

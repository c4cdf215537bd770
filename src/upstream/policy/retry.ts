import type { RetrySettings } from '../../core/adapter-settings.js';
import type { UpstreamReply } from '../../core/adapter.js';
import type { Clock } from '../../core/lib/clock.js';
import { Problem } from '../../core/problem.js';
import { retryAfterMs } from '../../core/retry-after.js';
import { pause } from '../deadline.js';
import { isUpstreamFailure, isSafeToRetry, type Send, type UpstreamCall } from '../send.js';
import type { RetryBudget } from './retry-budget.js';

export interface RetryDeps {
  readonly budget: RetryBudget;
  readonly clock: Clock;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  /** Number of base URLs. */
  readonly endpoints: number;
  /** Called for every attempt after the first. */
  readonly onRetry: () => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Retries a call within the budget and the deadline: any request that was never sent, and safe methods after
 * a failure or a configured status. A request that may change state is never sent twice. Returns the last
 * outcome; if this server itself rejected the last attempt, the outcome before it.
 */
export function withRetries(settings: RetrySettings, deps: RetryDeps, next: Send): Send {
  const { attempts } = settings;
  if (attempts === 1) return next;
  return async (call) => {
    let outcome = await settle(next(call));
    // The deposit follows the first attempt: simultaneous calls would otherwise fill the budget and lose the
    // excess.
    deps.budget.deposit();
    for (let attempt = 1; attempt < attempts; attempt += 1) {
      const ms = pauseBefore(outcome, attempt, { trip: call, settings, deps });
      if (ms === undefined || !deps.budget.withdraw()) break;
      call.deadline.phase = 'waiting before another try';
      if (ms > 0) await pause(ms, call.deadline);
      deps.onRetry();
      const later = await settle(next(call));
      if (wasRejectedLocally(later)) break;
      outcome = later;
    }
    if ('reply' in outcome) return outcome.reply;
    throw outcome.error;
  };
}

type Outcome = { readonly reply: UpstreamReply } | { readonly error: unknown };

async function settle(sending: Promise<UpstreamReply>): Promise<Outcome> {
  try {
    return { reply: await sending };
  } catch (error) {
    return { error };
  }
}

interface Situation {
  readonly trip: UpstreamCall;
  readonly settings: RetrySettings;
  readonly deps: RetryDeps;
}

/**
 * Returns the milliseconds before the next attempt; `undefined` when a retry is not permitted or not possible
 * before the deadline.
 */
function pauseBefore(outcome: Outcome, attempt: number, situation: Situation): number | undefined {
  const { trip: call, deps } = situation;
  if (!mayRepeat(outcome, situation)) return undefined;
  const asked = 'reply' in outcome ? (retryAfterMs(outcome.reply, deps.clock.now()) ?? 0) : 0;
  const isElsewhere = 'error' in outcome && call.tried.length < deps.endpoints;
  const ms = isElsewhere ? 0 : asked + jitter(attempt, deps.random);
  return deps.clock.now() + ms < call.deadline.endsAt ? ms : undefined;
}

function mayRepeat(outcome: Outcome, { trip: call, settings }: Situation): boolean {
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
  return random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
}

function wasRejectedLocally(outcome: Outcome): boolean {
  if ('reply' in outcome || !(outcome.error instanceof Problem)) return false;
  return outcome.error.code === 'upstream_busy' || outcome.error.code === 'upstream_suspended';
}

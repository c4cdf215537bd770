import type { Log } from '../../core/log.js';
import type { Secret } from '../../core/secret.js';
import { jitteredBackoffMs } from '../../lib/backoff.js';
import type { Clock, Scheduler } from '../../lib/clock.js';
import { failureOf, SecretError } from '../secret-error.js';
import type { TokenCalls, VaultLogin } from './client.js';

/** Next action for a token, and its delay in milliseconds. */
interface NextStep {
  readonly action: 'renew' | 'replace';
  readonly afterMs: number;
}

const MIN_DELAY_MS = 1000;
/** Delays after failed renewals. */
export const RENEWAL_BACKOFF = { firstMs: 1_000, maxMs: 300_000 };
/**
 * A renewal that grants less than this part of the original grant means that the token is near its maximum
 * TTL.
 */
const MIN_GRANT_FRACTION = 0.9;

/**
 * Returns the next action that keeps a token valid: a renewal after two thirds (± 10 %) of its time, or a new
 * login after 80 to 90 % if it is not renewable. Returns `undefined` for a token that never ends, or whose
 * lifetime is unknown or maintained by another process.
 */
export function nextStep(login: VaultLogin, random: () => number): NextStep | undefined {
  const { leaseSeconds, renewable } = login;
  if (leaseSeconds === null || leaseSeconds === 0) return undefined;
  const fraction = renewable ? (2 / 3) * (0.9 + 0.2 * random()) : 0.8 + 0.1 * random();
  const afterMs = Math.max(MIN_DELAY_MS, leaseSeconds * 1000 * fraction);
  return { action: renewable ? 'renew' : 'replace', afterMs };
}

/** Returns the token after a renewal. A token near its maximum TTL counts as not renewable. */
export function renewed(login: VaultLogin, leaseSeconds: number): VaultLogin {
  return { ...login, leaseSeconds, renewable: leaseSeconds >= MIN_GRANT_FRACTION * login.grantedSeconds };
}

interface ManagedTokenOptions {
  readonly calls: TokenCalls;
  readonly scheduler: Scheduler;
  readonly random: () => number;
  readonly log: Log;
  /**
   * Requests a new token, which ends the management of this token; absent if no new token can be requested.
   */
  readonly replace?: () => Promise<unknown>;
}

const ACTION_RESULTS = { renew: 'renewed', replace: 'replaced' } as const;

/**
 * Keeps a token alive. It renews the token, or requests a replacement when it is no longer renewable. After a
 * failure it retries with growing delays while the token is valid.
 */
export class ManagedToken {
  readonly #options: ManagedTokenOptions;
  #login: VaultLogin;
  #expires: number;
  #failures = 0;
  #stopped = false;
  #cancel: () => void = () => undefined;

  constructor(login: VaultLogin, options: ManagedTokenOptions) {
    this.#options = options;
    this.#login = login;
    this.#expires = expiryOf(login, options.scheduler);
    this.#schedule(nextStep(login, options.random));
  }

  get token(): Secret {
    return this.#login.token;
  }

  isAlive(): boolean {
    return this.secondsLeft() > 0;
  }

  /** Returns the remaining seconds; Infinity for a token that never ends. */
  secondsLeft(): number {
    return (this.#expires - this.#options.scheduler.now()) / 1000;
  }

  /** Returns the lifetime in seconds that the token had at its latest grant; Infinity for a token that never ends. */
  lifetimeSeconds(): number {
    const { leaseSeconds } = this.#login;
    return leaseSeconds === null || leaseSeconds === 0 ? Infinity : leaseSeconds;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #schedule(step: NextStep | undefined): void {
    if (this.#stopped || !step) return;
    this.#cancel = this.#options.scheduler.after(step.afterMs, () => {
      void this.#attempt(step.action).then((next) => {
        this.#schedule(next);
      });
    });
  }

  async #attempt(action: NextStep['action']): Promise<NextStep | undefined> {
    try {
      if (action === 'renew') return await this.#renew();
      await this.#options.replace?.();
      return undefined;
    } catch (error) {
      const { log } = this.#options;
      // Of a bug, only the name is logged, because its message can contain anything.
      const failure = error instanceof SecretError ? failureOf(error) : { bug: nameOf(error) };
      log.warn(`vault token not ${ACTION_RESULTS[action]}`, { ...failure });
      return isRefused(error) && action === 'renew' ? this.#replaceSoon() : this.#retryLater(action);
    }
  }

  async #renew(): Promise<NextStep | undefined> {
    const { calls, scheduler, random, log, replace } = this.#options;
    this.#login = renewed(this.#login, await calls.renewSelf(this.#login.token));
    this.#expires = expiryOf(this.#login, scheduler);
    this.#failures = 0;
    const step = nextStep(this.#login, random);
    if (step?.action === 'replace' && !replace) warnOfEnd(log, this.#login);
    return step;
  }

  /** Replaces a token that Vault refuses to renew, while the token may still be valid. */
  #replaceSoon(): NextStep | undefined {
    return this.#options.replace && { action: 'replace', afterMs: 0 };
  }

  #retryLater(action: NextStep['action']): NextStep | undefined {
    const { scheduler, random } = this.#options;
    this.#failures += 1;
    const afterMs = jitteredBackoffMs(this.#failures, RENEWAL_BACKOFF, random);
    const remainingMs = this.#expires - scheduler.now();
    // After the token has ended, the next request for a token starts the login.
    if (remainingMs <= 0) return undefined;
    return afterMs < remainingMs ? { action, afterMs } : { action: 'replace', afterMs: remainingMs };
  }
}

function expiryOf({ leaseSeconds }: VaultLogin, clock: Clock): number {
  return leaseSeconds === null || leaseSeconds === 0 ? Infinity : clock.now() + leaseSeconds * 1000;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

function isRefused(error: unknown): boolean {
  return error instanceof SecretError && (error.facts.status === 400 || error.facts.status === 403);
}

function warnOfEnd(log: Log, { leaseSeconds }: VaultLogin): void {
  log.warn('vault token is near its maximum lifetime; replace it', { leaseSeconds });
}

import type { VaultCall, VaultTransport } from './transport.js';
import { VaultError } from './vault-error.js';

/** Waits for a number of milliseconds; ends early when the signal fires. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

export interface RetryOptions {
  /** Maximum number of attempts for one request, from 1. */
  readonly attempts: number;
  readonly wait: Wait;
  /** Returns a number from 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

const FLOOR_MS = 500;
const CEILING_MS = 8000;

// Vault did not process the request, so even a login can be sent again.
const NOT_DONE = new Set([412, 425, 429, 503]);
const MAYBE_DONE = new Set([408, 500, 502, 504]);

/**
 * Wraps a transport with retries of requests that may succeed later. It waits as long as Vault asks
 * (`Retry-After`), or for a random time of 0.5 to 8 s. It repeats a POST only if Vault certainly did nothing,
 * because a login may use up a secret id.
 */
export function withRetries(transport: VaultTransport, options: RetryOptions): VaultTransport {
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await transport(call);
      } catch (error) {
        if (attempt >= options.attempts || !mayRepeat(call, error)) throw error;
        await options.wait(pause(error, attempt, options.random), options.signal);
      }
    }
  };
}

/** Returns true if sending the call again does no harm and may help. */
export function mayRepeat(call: VaultCall, error: unknown): error is VaultError {
  if (!(error instanceof VaultError) || call.once === true) return false;
  const { status, unsent = false, heldBack = false } = error.facts;
  const repeatable = call.method === 'GET';
  if (status !== undefined) return NOT_DONE.has(status) || (repeatable && MAYBE_DONE.has(status));
  const away = error.code === 'VAULT_UNAVAILABLE' || error.code === 'VAULT_TIMEOUT';
  return away && !heldBack && (repeatable || unsent);
}

function pause(error: VaultError, attempt: number, random: () => number): number {
  const ceiling = Math.min(CEILING_MS, FLOOR_MS * 2 ** attempt);
  return error.facts.retryAfterMs ?? FLOOR_MS + random() * (ceiling - FLOOR_MS);
}

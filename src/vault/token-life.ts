import type { VaultLogin } from './token-calls.js';

/** What is to happen to a token next, and in how many milliseconds. */
export interface NextStep {
  readonly what: 'renew' | 'replace';
  readonly afterMs: number;
}

const SOONEST_MS = 1000;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 300_000;
/** A renewal that gives less than this part of what was granted has met the end of the token's life. */
const GROWN = 0.9;

/**
 * What keeps a way to Vault open: renewal after two thirds (± 10 %) of the token's time, or a new login after 80 to 90 %
 * where it cannot be renewed. `undefined` for a token that lives for ever, or that someone else looks after.
 */
export function nextStep(login: VaultLogin, random: () => number): NextStep | undefined {
  const { leaseSeconds, renewable } = login;
  if (leaseSeconds === null || leaseSeconds === 0) return undefined;
  const part = renewable ? (2 / 3) * (0.9 + 0.2 * random()) : 0.8 + 0.1 * random();
  const afterMs = Math.max(SOONEST_MS, leaseSeconds * 1000 * part);
  return { what: renewable ? 'renew' : 'replace', afterMs };
}

/** The token after a renewal; one whose end cannot be put off much further counts as not renewable any more. */
export function renewed(login: VaultLogin, leaseSeconds: number): VaultLogin {
  return { ...login, leaseSeconds, renewable: leaseSeconds >= GROWN * login.grantedSeconds };
}

/** How long to wait after so many failures in a row (from 1): up to twice as long each time, 1 s to 5 min. */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** failures);
  return FIRST_BACKOFF_MS + random() * (ceiling - FIRST_BACKOFF_MS);
}

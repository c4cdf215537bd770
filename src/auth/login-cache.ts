import { createHmac, randomBytes } from 'node:crypto';
import type { Clock } from '../core/lib/clock.js';
import type { Account, LoginAttempt } from '../core/login.js';

/** Names and passwords that were right a moment ago, so that a call with them does not cost a hash each time. */
export interface RememberedLogins {
  find(attempt: LoginAttempt): Account | undefined;
  keep(attempt: LoginAttempt, account: Account): void;
}

export interface RememberOptions {
  readonly clock: Clock;
  /** Most that are remembered; the oldest goes first. */
  readonly size?: number;
  readonly lifeMs?: number;
}

/** Makes an empty memory. It holds no password: entries are found by an HMAC with a key that nobody else knows. */
export function createRememberedLogins(options: RememberOptions): RememberedLogins {
  const { clock, size = 1_000, lifeMs = 60_000 } = options;
  const key = randomBytes(32);
  const entries = new Map<string, { readonly account: Account; readonly until: number }>();
  const nameOf = ({ name, password }: LoginAttempt): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([name, password.reveal()]))
      .digest('base64');
  return {
    find(attempt) {
      const name = nameOf(attempt);
      const entry = entries.get(name);
      if (entry && clock.now() >= entry.until) entries.delete(name);
      else if (entry && attempt.kinds.includes(entry.account.kind)) return entry.account;
      return undefined;
    },
    keep(attempt, account) {
      entries.set(nameOf(attempt), { account, until: clock.now() + lifeMs });
      if (entries.size <= size) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
  };
}

import type { Account, LoginAttempt } from '../../core/login.js';
import { Problem } from '../../core/problem.js';
import type { IssuedToken } from '../../core/session.js';
import type { LoginDeps } from './deps.js';

/** A token, and the outcome for the audit record. */
export interface Login extends IssuedToken {
  readonly outcome: string;
}

/** Exchanges a name and a password for a token. Throws as `Logins.logIn` does. */
export async function issueToken(attempt: LoginAttempt, { lease, tokens }: LoginDeps): Promise<Login> {
  const [account, ttlSeconds] = await lease(async ({ logins }): Promise<[Account, number]> => [
    await logins.logIn(attempt),
    logins.tokenTtlSeconds,
  ]);
  // Only a restart can open the built-in issuer; a reload that enables it reports that.
  if (!tokens) throw new Problem('invalid_credentials', 'Invalid credentials');
  const given = tokens.give(account, ttlSeconds);
  const outcome = `token ${given.session.token} given, ${account.name}, from ${attempt.address}`;
  return { ...given, outcome };
}

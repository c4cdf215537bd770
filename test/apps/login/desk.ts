import { bindApplication, type BoundOperation } from '../../../src/domain/operation.js';
import type { LoginDeps, OpenOperation } from '../../../src/apps/login/deps.js';
import { login } from '../../../src/apps/login/index.js';
import type { LoginAttempt } from '../../../src/domain/login.js';
import { Problem } from '../../../src/domain/problem.js';
import type { Snapshot } from '../../../src/domain/snapshot.js';

/** Names and passwords that are let in, by kind. */
const RIGHT = { user: ['ada', 'pw ada'], client: ['backup', 's3cret+%'] } as const;

export interface Desk {
  readonly operations: readonly BoundOperation[];
  /** What was tried, in order. */
  readonly attempts: readonly LoginAttempt[];
}

export interface DeskOptions {
  readonly servesTls?: boolean;
  readonly hasIssuer?: boolean;
  readonly failure?: Problem;
  readonly open?: readonly OpenOperation[];
}

/** The operations of logging in, with one user and one client; tokens are `token-of-<name>`. */
export function openDesk({
  servesTls = false,
  hasIssuer = true,
  failure,
  open = [],
}: DeskOptions = {}): Desk {
  const attempts: LoginAttempt[] = [];
  const logIn = (attempt: LoginAttempt) => {
    attempts.push(attempt);
    const [kind = 'user'] = attempt.kinds;
    const [name, password] = RIGHT[kind];
    if (failure) return Promise.reject(failure);
    if (attempt.name === name && attempt.password.reveal() === password)
      return Promise.resolve({ kind, name, roles: ['admin'] });
    const extras = { outcome: `invalid_credentials, someone, from ${attempt.address}` };
    return Promise.reject(new Problem('invalid_credentials', 'Invalid credentials', extras));
  };
  const logins = { accept: new Set<never>(), tokenTtlSeconds: 600, logIn };
  const tokens: NonNullable<LoginDeps['tokens']> = {
    give: ({ kind, name }, expiresIn) => ({
      token: `token-of-${name}`,
      expiresIn,
      session: { id: 'f00', user: name, kind, issuedAt: 0, expiresAt: 1, token: 'f00...' },
    }),
    sessions: () => [],
  };
  const operations = bindApplication(login, {
    lease: (work) => work({ logins } as unknown as Snapshot),
    ...(hasIssuer && { tokens }),
    openOperations: () => open,
    servesTls,
  });
  return { operations, attempts };
}

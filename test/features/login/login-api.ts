import request from 'supertest';
import { silentLog } from '../../../src/core/log.js';
import { type LoginAttempt, type Logins, type CredentialScheme, STYLES } from '../../../src/core/login.js';
import { bindApplication, type BoundOperation } from '../../../src/core/operation.js';
import type { TokenVerifier } from '../../../src/core/principal.js';
import { Problem } from '../../../src/core/problem.js';
import { SignInFailure } from '../../../src/core/sign-in.js';
import type { Snapshot } from '../../../src/core/snapshot.js';
import type { LoginDeps, OpenOperation } from '../../../src/features/login/deps.js';
import { login } from '../../../src/features/login/operations.js';
import { createRefusalSampler } from '../../../src/http/refusal-sampler.js';
import { buildTestApi } from '../../support/http-server.js';

/** The valid name and password of each kind of account. */
const RIGHT = { user: ['ada', 'pw ada'], client: ['backup', 's3cret+%'] } as const;

/** Accepts one token, until 60 seconds from now. */
const VERIFIER: TokenVerifier = {
  verify(token) {
    if (token !== 'token-of-ada') throw new Problem('unauthorized', 'no');
    return { subject: 'ada', issuer: 'https://idp.test', roles: ['admin'], expiresAt: 1_060 };
  },
};

const SIGN_INS: Omit<Snapshot['signIns'], 'publicOrigin'> = {
  providers: [{ issuer: 'https://idp.test', name: 'Example' }],
  begin: () => Promise.reject(new SignInFailure('issuer_unavailable', 'not here')),
  finish: () => Promise.reject(new SignInFailure('denied', 'not here')),
  lifetimes: { idleSeconds: 600, maxSeconds: 3600 },
  renew: () => Promise.reject(new SignInFailure('not_accepted', 'not here')),
  renewalMs: () => 0,
  signOutUrl: () => Promise.resolve('https://idp.test/end-session'),
  verifyLogoutToken: () => Promise.reject(new SignInFailure('not_accepted', 'not here')),
  sessionCipher: () => ({ encrypt: (text) => text, decrypt: (sealed) => sealed }),
};

/** Sessions of browsers without any session. */
const SESSIONS: LoginDeps['sessions'] = {
  start: () => Promise.resolve({ cookie: 'c', maxAge: 3600 }),
  renew: () => Promise.resolve({ state: 'ended', reason: 'the browser has no session' }),
  end: () => Promise.resolve(undefined),
  endAtProvider: () => Promise.resolve(0),
};

interface LoginApi {
  readonly operations: readonly BoundOperation[];
  /** Login attempts, in order. */
  readonly attempts: readonly LoginAttempt[];
  /** Tokens that were revoked. */
  readonly ended: readonly string[];
}

export interface LoginApiOptions {
  readonly servesTls?: boolean;
  readonly publicOrigin?: string;
  readonly hasIssuer?: boolean;
  readonly hasUsers?: boolean;
  readonly accept?: readonly CredentialScheme[];
  readonly failure?: Problem;
  /** The failure of storing revoked tokens. */
  readonly endFailure?: Error;
  readonly open?: readonly OpenOperation[];
  readonly sessions?: Partial<LoginDeps['sessions']>;
  readonly signIns?: Partial<Snapshot['signIns']>;
  readonly log?: LoginDeps['log'];
}

/** Serves the login operations. */
export function serveLogin(options: LoginApiOptions = {}) {
  const opened = openLoginApi(options);
  const server = buildTestApi({ operations: opened.operations, deps: { bodyBytes: 10_000 } });
  return { ...opened, ...server, api: request(server.handler) };
}

/** Creates the login operations with one user and one client. Tokens are `token-of-<name>`. */
export function openLoginApi(options: LoginApiOptions = {}): LoginApi {
  const { servesTls = false, hasIssuer = true, hasUsers = true } = options;
  const { publicOrigin = 'http://gateway.test' } = options;
  const { accept = STYLES, failure, endFailure, open = [], log = silentLog } = options;
  const attempts: LoginAttempt[] = [];
  const ended: string[] = [];
  const logIn = (attempt: LoginAttempt) => {
    attempts.push(attempt);
    const [kind = 'user'] = attempt.kinds;
    const [name, password] = RIGHT[kind];
    if (failure) return Promise.reject(failure);
    if (attempt.name === name && attempt.password.reveal() === password)
      return Promise.resolve({ kind, name, roles: ['admin'], mark: '' });
    const extras = { outcome: `invalid_credentials, someone, from ${attempt.address}` };
    return Promise.reject(new Problem('invalid_credentials', 'Invalid credentials', extras));
  };
  const logins: Logins = {
    accept: new Set(accept),
    tokenTtlSeconds: 600,
    logIn,
    hasUsers,
    rolesOf: () => undefined,
    guess: (_address, look) => look(),
  };
  const tokens: NonNullable<LoginDeps['tokens']> = {
    give: ({ kind, name }, expiresIn) => ({
      token: `token-of-${name}`,
      expiresIn,
      session: { id: 'f00', user: name, kind, issuedAt: 0, expiresAt: 1, token: 'f00...' },
    }),
    sessions: () => Promise.resolve([]),
  };
  const signIns: Snapshot['signIns'] = { ...SIGN_INS, publicOrigin, ...options.signIns };
  const operations = bindApplication(login, {
    lease: (work) => work({ logins, verifier: VERIFIER, signIns } as unknown as Snapshot),
    ...(hasIssuer && { tokens }),
    openOperations: () => open,
    endToken: (token) => {
      ended.push(token);
      return endFailure ? Promise.reject(endFailure) : Promise.resolve();
    },
    sessions: { ...SESSIONS, ...options.sessions },
    clock: { now: () => 1_000_000 },
    log,
    refusals: createRefusalSampler(),
    pendingSignOuts: { add: () => false },
    servesTls,
  });
  return { operations, attempts, ended };
}

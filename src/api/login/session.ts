import type { Operation } from '../../core/operation.js';
import { describeIdentity, type Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { requireOwnPage } from '../../core/same-origin.js';
import { sessionTokens } from '../../core/session-cookie.js';
import { MAX_COOKIE_TOKEN_LENGTH, remainingSecondsOf, sessionCookie, sessionCookieTerms } from './cookies.js';
import type { LoginDeps } from './deps.js';
import { callerSchema, describeCaller } from './who-am-i.js';

interface PastedToken {
  readonly token: string;
}

const pastedTokenSchema = {
  title: 'A token',
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string', minLength: 1, maxLength: MAX_COOKIE_TOKEN_LENGTH } },
} as const;

/** Sets the token that a person pasted, as the cookie `token` of the browser (wire section 1.2). */
export const openSession: Operation<LoginDeps, PastedToken> = {
  id: 'openSession',
  summary: 'Sign in with an existing token, and get it as a cookie with the identity of the caller.',
  method: 'POST',
  path: '/console/session',
  roles: 'public',
  body: pastedTokenSchema,
  reply: callerSchema,
  replyHeaders: {
    'set-cookie': 'The token, as the cookie "token"; for a browser over TLS, as the cookie "__Host-token"',
  },
  audited: true,
  async handle({ body: { token }, header, address }, { lease, openOperations, clock, servesTls }) {
    requireOwnPage({ method: 'POST', header });
    const principal = await lease(({ logins, verifier }) =>
      logins.guess(address, async () => verifier.verify(token)),
    ).catch(withOutcome(address));
    const maxAge = remainingSecondsOf(principal, clock.now());
    const terms = await sessionCookieTerms({ header }, { servesTls, lease });
    return {
      body: describeCaller(principal, openOperations()),
      outcome: `signed in with a token, ${describeIdentity(principal)}, from ${address}`,
      headers: { 'set-cookie': sessionCookie(terms, token, maxAge) },
    };
  },
};

/** Creates a handler that rethrows a Problem with the outcome for the audit record. */
function withOutcome(address: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, error.message, {
      ...error.extras,
      outcome: `${error.code}, a pasted token, from ${address}`,
    });
  };
}

const closedSessionSchema = {
  title: 'Signed out',
  type: 'object',
  required: ['ended'],
  properties: {
    ended: { type: 'boolean', description: 'True if the cookie contained a valid token, which is revoked' },
  },
} as const;

/** Signs a browser out: removes its cookie and revokes the token of the cookie on every node. */
export const closeSession: Operation<LoginDeps> = {
  id: 'closeSession',
  summary: 'Sign out: remove the cookie and revoke its token.',
  method: 'DELETE',
  path: '/console/session',
  roles: 'public',
  reply: closedSessionSchema,
  replyHeaders: { 'set-cookie': 'An empty cookie with the same name, which removes the existing cookie' },
  audited: true,
  async handle({ header, address }, deps) {
    requireOwnPage({ method: 'DELETE', header });
    const terms = await sessionCookieTerms({ header }, deps);
    const headers = { 'set-cookie': sessionCookie(terms, '', 0) };
    const valid = await validTokens(sessionTokens({ header }, { isOverTls: terms.isSecure }), deps);
    await Promise.all(valid.map(({ token, principal }) => deps.endToken(token, principal))).catch(
      revokedLocallyOnly(headers),
    );
    const names = valid.map(({ principal }) => describeIdentity(principal));
    // Otherwise anybody could fill the audit trail.
    if (valid.length === 0) return { body: { ended: false }, headers, didNothing: true };
    return { body: { ended: true }, outcome: `signed out, ${names.join(', ')}, from ${address}`, headers };
  },
};

interface ValidToken {
  readonly token: string;
  readonly principal: Principal;
}

/** Returns the valid tokens among the first two. Invalid tokens need no revocation. */
async function validTokens(tokens: readonly string[], { lease }: LoginDeps): Promise<readonly ValidToken[]> {
  const verified = await lease(({ verifier }) =>
    Promise.all(
      tokens.slice(0, 2).map(async (token) => {
        const principal = await Promise.resolve(token)
          .then((text) => verifier.verify(text))
          .catch(() => undefined);
        return { token, principal };
      }),
    ),
  );
  return verified.flatMap(({ token, principal }) => (principal ? [{ token, principal }] : []));
}

/**
 * Creates a handler for tokens that only this server revoked. The handler throws a Problem that still removes
 * the cookie.
 */
function revokedLocallyOnly(headers: Readonly<Record<string, string>>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.code !== 'store_unavailable') throw error;
    const detail =
      'This server refuses the token from now on. The other servers refuse it when the database is available again.';
    throw new Problem(error.code, detail, {
      ...error.extras,
      headers: { ...error.extras.headers, ...headers },
    });
  };
}

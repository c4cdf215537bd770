import type { Operation } from '../../core/operation.js';
import { requireOwnPage } from '../../core/same-origin.js';
import { Problem } from '../../core/problem.js';
import type { LoginDeps } from './deps.js';
import { COOKIE_TOKEN_LENGTH, lifeOf, pageComesByTls, sessionCookie } from './session-cookie.js';
import { describeCaller, whoCallsSchema } from './who-am-i.js';

interface PastedToken {
  readonly token: string;
}

const requestSchema = {
  title: 'A token',
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string', minLength: 1, maxLength: COOKIE_TOKEN_LENGTH } },
} as const;

/** Sets a token that a person pasted as the cookie `token` of the browser (wire section 1.2). */
export const openSession: Operation<LoginDeps, PastedToken> = {
  id: 'openSession',
  summary: 'Sign in with an existing token, and get it as a cookie with the identity of the caller.',
  method: 'POST',
  path: '/console/session',
  roles: 'public',
  body: requestSchema,
  reply: whoCallsSchema,
  replyHeaders: { 'set-cookie': 'The token, as the cookie "token"' },
  audited: true,
  async handle({ body: { token }, header, address }, { lease, openOperations, clock, ...deps }) {
    requireOwnPage({ method: 'POST', header });
    const principal = await lease(({ logins, verifier }) =>
      logins.guess(address, async () => verifier.verify(token)),
    ).catch(withOutcome(address));
    const maxAge = lifeOf(principal, clock.now());
    const isSecure = pageComesByTls({ header }, deps);
    return {
      body: describeCaller(principal, openOperations()),
      outcome: `signed in with a token, ${principal.subject} of ${principal.issuer}, from ${address}`,
      headers: { 'set-cookie': sessionCookie({ token, maxAge, isSecure }) },
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

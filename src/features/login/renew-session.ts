import { sessionTokens } from '../../auth/session-cookie.js';
import type { RenewedSession } from '../../core/browser-session.js';
import type { Operation, Reply } from '../../core/operation.js';
import { CSRF_REQUEST_HEADER, requireOwnPage } from '../../core/same-origin.js';
import {
  renewalCookie,
  renewalCookieOf,
  sessionCookie,
  type SessionCookieTerms,
  sessionCookieTerms,
  tokenCookieSeconds,
} from './cookies.js';
import type { LoginDeps } from './deps.js';

interface RenewalRequest {
  readonly idleSeconds: number;
}

const renewalRequestSchema = {
  title: 'Renewal request',
  type: 'object',
  required: ['idleSeconds'],
  properties: {
    idleSeconds: {
      type: 'number',
      minimum: 0,
      description: 'Time since the last input of the person in a page of this server, in seconds',
    },
  },
} as const;

const renewalReplySchema = {
  title: 'Renewal',
  type: 'object',
  required: ['state'],
  properties: {
    state: {
      enum: ['renewed', 'ended', 'unavailable'],
      description:
        '`renewed`: the cookie has a valid token. `ended`: the person must sign in again. `unavailable`: the identity provider does not answer; try again',
    },
    expiresIn: { type: 'integer', description: 'Lifetime of the token, in seconds' },
    reason: { type: 'string', description: 'Reason why the session has ended' },
  },
} as const;

/**
 * Renews the session of a browser without the person: exchanges its refresh token for a new token. Pages call this
 * operation when a request is answered with 401.
 */
export const renewSession: Operation<LoginDeps, RenewalRequest> = {
  id: 'renewSession',
  summary: 'Update the token of a browser that signed in at an identity provider.',
  description:
    'Gets a new token from the identity provider for a browser that has a renewable session, and sets the token as a cookie.',
  problems: ['csrf_refused'],
  requestHeaders: CSRF_REQUEST_HEADER,
  method: 'POST',
  path: '/console/session/renew',
  roles: 'public',
  body: renewalRequestSchema,
  reply: renewalReplySchema,
  replyHeaders: {
    'set-cookie': 'The new token as the cookie "token", or an empty cookie "gatehouse-session" after the end',
  },
  audited: true,
  async handle({ body: { idleSeconds }, header, address }, deps) {
    requireOwnPage({ method: 'POST', header });
    const terms = await sessionCookieTerms({ header }, deps);
    const cookie = renewalCookieOf({ header }, terms.isSecure);
    const [sentToken] = sessionTokens({ header }, { isOverTls: terms.isSecure });
    if (cookie === undefined)
      return { body: { state: 'ended', reason: 'the browser has no session' }, didNothing: true };
    const result = await deps.lease(({ signIns }) =>
      deps.sessions.renew({ cookie, sentToken, idleSeconds, signIns }),
    );
    return replyTo(result, { terms, address, now: deps.clock.now() });
  },
};

interface RenewalContext {
  readonly terms: SessionCookieTerms;
  readonly address: string;
  readonly now: number;
}

function replyTo(result: RenewedSession, { terms, address, now }: RenewalContext): Reply {
  if (result.state === 'unavailable') return { body: { state: 'unavailable' }, didNothing: true };
  if (result.state === 'ended') {
    const { reason, session } = result;
    const headers = { 'set-cookie': renewalCookie('', 0, terms.isSecure) };
    const body = { state: 'ended', reason };
    // Otherwise anybody could fill the audit trail.
    if (!session) return { body, headers, didNothing: true };
    const outcome = `session ended, ${reason}, ${session.subject} of ${session.issuer}, from ${address}`;
    return { body, headers, caller: session, outcome };
  }
  const { token, principal, endsAt } = result;
  const expiresIn = tokenCookieSeconds(principal, endsAt, now);
  return {
    body: { state: 'renewed', expiresIn },
    headers: { 'set-cookie': sessionCookie(terms, token, expiresIn) },
    caller: principal,
    outcome: `session renewed, ${principal.subject} of ${principal.issuer}, from ${address}`,
  };
}

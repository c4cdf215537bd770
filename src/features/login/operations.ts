import { sessionTokens } from '../../auth/session-cookie.js';
import type { RenewedSession } from '../../core/browser-session.js';
import type { Application, Operation, Reply } from '../../core/operation.js';
import type { CallerIdentity } from '../../core/principal.js';
import { Problem, withExtras } from '../../core/problem.js';
import { CSRF_REQUEST_HEADER, requireOwnPage } from '../../core/same-origin.js';
import { type LogoutNotice, SignInFailure } from '../../core/sign-in.js';
import {
  renewalCookie,
  renewalCookieOf,
  sessionCookie,
  type SessionCookieTerms,
  sessionCookieTerms,
  tokenCookieSeconds,
} from './cookies.js';
import type { LoginDeps } from './deps.js';
import { getToken, logIn } from './issue-token.js';
import { closeSession, openSession } from './session.js';
import { beginSignIn, finishSignIn, getSignIn } from './sign-in.js';
import { whoAmI } from './who-am-i.js';

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
const renewSession: Operation<LoginDeps, RenewalRequest> = {
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

interface LogoutRequest {
  readonly logout_token: string;
}

/** Maximum length of a logout token, in characters. */
const MAX_LOGOUT_TOKEN_LENGTH = 8192;

const logoutRequestSchema = {
  title: 'Logout request',
  type: 'object',
  required: ['logout_token'],
  properties: {
    logout_token: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_LOGOUT_TOKEN_LENGTH,
      description: 'Logout token of the identity provider',
    },
  },
} as const;

/**
 * Ends the sessions that an identity provider has ended (OpenID Connect Back-Channel Logout 1.0): those of browsers,
 * and every token of the session or the subject, in all processes and on all nodes.
 */
const backChannelLogout: Operation<LoginDeps, LogoutRequest> = {
  id: 'backChannelLogout',
  summary: 'Delete the sessions that an identity provider has ended (OpenID Connect Back-Channel Logout).',
  description:
    'Ends every session and revokes every token that the logout token of an identity provider names, on all nodes.',
  problems: ['logout_token_invalid', 'too_many_requests', 'issuer_unavailable'],
  method: 'POST',
  path: '/console/oidc/back-channel-logout',
  roles: 'public',
  body: logoutRequestSchema,
  form: true,
  reply: {
    title: 'Ended sessions',
    type: 'object',
    required: ['ended'],
    properties: { ended: { type: 'integer', description: 'Number of sessions of browsers that were ended' } },
  },
  replyHeaders: { 'cache-control': '`no-store`, as the specification of the logout requires' },
  audited: true,
  onlyRevokes: true,
  async handle({ body: { logout_token: token }, address }, { lease, sessions, log }) {
    const notice = await lease(({ logins, signIns }) =>
      logins.guess(address, () => signIns.verifyLogoutToken(token)),
    ).catch((error: unknown) => {
      if (!(error instanceof SignInFailure)) throw error;
      log.warn('logout token of an identity provider was refused', { reason: error.message, address });
      throw new Problem('logout_token_invalid', 'The logout token is not valid.', {
        error: 'invalid_request',
        headers: { 'cache-control': 'no-store' },
        outcome: `logout_token_invalid, from ${address}`,
      });
    });
    const ended = await sessions.endAtProvider(notice).catch(endedLocallyOnly(notice, address));
    return {
      body: { ended },
      caller: callerOf(notice),
      outcome: `signed out by the identity provider, ${describe(notice)}, ${ended} sessions of browsers, from ${address}`,
      headers: { 'cache-control': 'no-store' },
    };
  },
};

/** Creates a handler for sessions whose tokens only this server refuses. The provider may repeat its request. */
function endedLocallyOnly(notice: LogoutNotice, address: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.code !== 'store_unavailable') throw error;
    const detail =
      'This server refuses the tokens from now on. The sessions end, and the other servers refuse the tokens, when the database is available again.';
    const outcome = `${error.code}, signed out at this server by the identity provider, ${describe(notice)}, from ${address}`;
    throw withExtras(error, { caller: callerOf(notice), outcome }, detail);
  };
}

/** Returns the caller for the audit record. A notice that names only a session has no subject. */
function callerOf({ issuer, subject = '' }: LogoutNotice): CallerIdentity {
  return { subject, issuer };
}

function describe({ issuer, sid, subject }: LogoutNotice): string {
  const who = subject ?? 'unknown subject';
  return sid === undefined ? `all sessions of ${who} of ${issuer}` : `one session of ${who} of ${issuer}`;
}

const loginMethodsSchema = {
  title: 'Ways to log in at a shell',
  type: 'object',
  required: ['password', 'issuers'],
  properties: {
    password: {
      type: 'boolean',
      description: 'True if users can log in with a name and a password, at /login',
    },
    issuers: {
      type: 'array',
      description: 'Identity providers with a public client for "gatehouse login"',
      items: {
        type: 'object',
        required: ['issuer', 'name', 'clientId', 'scopes'],
        properties: {
          issuer: { type: 'string' },
          name: { type: 'string', description: 'Name for people' },
          clientId: { type: 'string', description: 'Id of the public client at the issuer' },
          scopes: {
            type: 'array',
            items: { type: 'string' },
            description: 'Scopes to request in addition to openid',
          },
        },
      },
    },
  },
} as const;

const getLoginMethods: Operation<LoginDeps> = {
  id: 'getLoginMethods',
  summary: 'List the ways to log in at a shell.',
  description:
    'Returns whether users can log in with a password, and the identity providers that `gatehouse login` can use.',
  method: 'GET',
  path: '/login/methods',
  roles: 'public',
  reply: loginMethodsSchema,
  replyHeaders: { 'cache-control': 'Caches may keep the response for a minute' },
  handle: (_call, { lease, tokens }) =>
    lease(({ logins, shellProviders: issuers }) =>
      Promise.resolve({
        body: { password: tokens !== undefined && logins.hasUsers, issuers },
        headers: { 'cache-control': 'public, max-age=60' },
      }),
    ),
};

export const login: Application<LoginDeps> = {
  name: 'login',
  summary: 'Get tokens, sign in with a browser, and get the identity of the caller.',
  prefixes: [''],
  operations: [
    ...[logIn, getLoginMethods, getToken, whoAmI],
    ...[getSignIn, openSession, renewSession, closeSession, beginSignIn, finishSignIn, backChannelLogout],
  ],
};

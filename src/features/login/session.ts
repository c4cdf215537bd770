import { readBearer } from '../../auth/bearer.js';
import { sessionTokens } from '../../auth/session-cookie.js';
import type { RequestHeaders } from '../../core/login.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { type CallerIdentity, describeIdentity, type Principal } from '../../core/principal.js';
import { Problem, type ProblemHeaders, withExtras } from '../../core/problem.js';
import { CSRF_REQUEST_HEADER, requireOwnPage } from '../../core/same-origin.js';
import {
  MAX_COOKIE_TOKEN_LENGTH,
  remainingSecondsOf,
  renewalCookie,
  renewalCookieOf,
  sessionCookie,
  sessionCookieTerms,
} from './cookies.js';
import type { LoginDeps } from './deps.js';
import { endPreviousSession } from './end-previous-session.js';
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

export const openSession: Operation<LoginDeps, PastedToken> = {
  id: 'openSession',
  summary: 'Sign in with an existing token, and get it as a cookie with the identity of the caller.',
  description: 'Verifies a token that a person has pasted, and sets the token as a cookie of the browser.',
  problems: ['unauthorized', 'csrf_refused', 'too_many_requests', 'issuer_unavailable'],
  requestHeaders: CSRF_REQUEST_HEADER,
  method: 'POST',
  path: '/console/session',
  roles: 'public',
  body: pastedTokenSchema,
  reply: callerSchema,
  replyHeaders: {
    'set-cookie': 'The token, as the cookie "token"; for a browser over TLS, as the cookie "__Host-token"',
  },
  audited: true,
  async handle({ body: { token }, header, address }, deps) {
    requireOwnPage({ method: 'POST', header });
    const principal = await deps
      .lease(({ logins, verifier }) => logins.guess(address, async () => verifier.verify(token)))
      .catch(withOutcome(address));
    const maxAge = remainingSecondsOf(principal, deps.clock.now());
    const terms = await sessionCookieTerms({ header }, deps);
    const removal = await endPreviousSession({ header }, terms, deps);
    return {
      body: describeCaller(principal, deps, false),
      caller: principal,
      outcome: `signed in with a token, ${describeIdentity(principal)}, from ${address}`,
      headers: { 'set-cookie': [sessionCookie(terms, token, maxAge), ...removal] },
    };
  },
};

/** Creates a handler that rethrows a Problem with the outcome for the audit record. */
function withOutcome(address: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem)) throw error;
    throw withExtras(error, { outcome: `${error.code}, a pasted token, from ${address}` });
  };
}

const closedSessionSchema = {
  title: 'Signed out',
  type: 'object',
  required: ['ended'],
  properties: {
    ended: { type: 'boolean', description: 'True if there was a session or a valid token, which is revoked' },
    signOutUrl: {
      type: 'string',
      description: 'URL of the identity provider that the browser opens next, to end the session there',
    },
  },
} as const;

/**
 * Revokes the token of the Authorization header or of the cookie on every node, and removes the cookies of a browser. Throws
 * `unauthorized` for a header without a valid token, because its sender would take any other reply for a revocation.
 */
export const closeSession: Operation<LoginDeps> = {
  id: 'closeSession',
  summary:
    'Sign out: remove the cookies, revoke the token, and get the address of the sign-out at the identity provider.',
  description:
    'Revokes the token of the Authorization header, or the token and the session of a browser, on all nodes, and removes the cookies. Without any of them, changes nothing.',
  problems: ['unauthorized', 'csrf_refused', 'too_many_requests', 'issuer_unavailable'],
  requestHeaders: CSRF_REQUEST_HEADER,
  method: 'DELETE',
  path: '/console/session',
  roles: 'public',
  reply: closedSessionSchema,
  replyHeaders: { 'set-cookie': 'Empty cookies with the same names, which remove the existing cookies' },
  audited: true,
  onlyRevokes: true,
  async handle({ header, address }, deps) {
    requireOwnPage({ method: 'DELETE', header });
    const terms = await sessionCookieTerms({ header }, deps);
    const { isSecure } = terms;
    const renewal = renewalCookieOf({ header }, isSecure);
    const cookies = [
      sessionCookie(terms, '', 0),
      ...(renewal === undefined ? [] : [renewalCookie('', 0, isSecure)]),
    ];
    const headers = { 'set-cookie': cookies };
    try {
      return { ...(await signOut({ header, address }, { renewal, isSecure }, deps)), headers };
    } catch (error) {
      throw withHeaders(error, headers);
    }
  },
};

/** Revokes the tokens and ends the session of a request. */
async function signOut(
  { header, address }: Pick<Call, 'header' | 'address'>,
  { renewal, isSecure }: { readonly renewal: string | undefined; readonly isSecure: boolean },
  deps: LoginDeps,
): Promise<Reply> {
  const later = endsLater(address, deps);
  const bearer = await bearerOf({ header }, deps, later);
  const ofCookies = await validTokens(sessionTokens({ header }, { isOverTls: isSecure }), deps, later);
  const valid = [...bearer, ...ofCookies];
  const names = valid.map(({ principal }) => describeIdentity(principal));
  // Each begins before one fails: all of them count at this server at once.
  const ends = valid.map(({ token, principal }) => deps.endToken(token, principal));
  const session = await firstOfEnded(endBrowserSession(renewal, deps), ends).catch(
    revokedLocallyOnly({ caller: valid[0]?.principal, names, address }),
  );
  const { signOutUrl, person } = session;
  const people = [...new Set([...names, ...(person === undefined ? [] : [person])])];
  // Otherwise anybody could fill the audit trail.
  if (people.length === 0) return { body: { ended: false }, didNothing: true };
  return {
    body: { ended: true, ...(signOutUrl !== undefined && { signOutUrl }) },
    caller: valid[0]?.principal ?? session.caller,
    outcome: `signed out, ${people.join(', ')}, from ${address}`,
  };
}

/** Returns the first result after everything has ended or failed. Throws the first failure. */
async function firstOfEnded<T>(first: Promise<T>, others: readonly Promise<void>[]): Promise<T> {
  await Promise.allSettled([first, ...others]);
  await Promise.all(others);
  return first;
}

/** Ends the session of a browser, and returns the address of the sign-out at its provider. */
async function endBrowserSession(
  cookie: string | undefined,
  { lease, sessions, log }: LoginDeps,
): Promise<{
  readonly signOutUrl?: string | undefined;
  readonly person?: string;
  readonly caller?: CallerIdentity;
}> {
  if (cookie === undefined) return {};
  return lease(async ({ signIns }) => {
    const ended = await sessions.end(cookie, signIns);
    if (!ended) return {};
    const { issuer, subject, idToken } = ended;
    const person = `${subject} of ${issuer}`;
    const caller = { subject, issuer };
    if (idToken === undefined) return { person, caller };
    const signOutUrl = await signIns.signOutUrl(issuer, idToken).catch((error: unknown) => {
      log.warn('identity provider does not answer; signing out at this server only', { issuer, error });
      return undefined;
    });
    return { person, caller, signOutUrl };
  });
}

interface ValidToken {
  readonly token: string;
  readonly principal: Principal;
}

/** Returns the token of the Authorization header; an empty list without the header. Throws `unauthorized` unless it is valid. */
async function bearerOf(
  { header }: RequestHeaders,
  { lease }: LoginDeps,
  later: EndLater,
): Promise<readonly ValidToken[]> {
  const authorization = header('authorization');
  if (authorization === undefined) return [];
  const token = readBearer(authorization);
  if (token === undefined)
    throw new Problem('unauthorized', 'The Authorization header has no bearer token. Nothing was revoked.');
  const principal = await lease(async ({ verifier }) => verifier.verify(token)).catch(later(token));
  return [{ token, principal }];
}

type EndLater = (token: string) => (error: unknown) => never;

/** Creates handlers of tokens that cannot be checked now: they are ended when they can be. Each rethrows its failure. */
function endsLater(address: string, { pendingSignOuts }: LoginDeps): EndLater {
  return (token) => (error) => {
    const waits =
      error instanceof Problem && error.code === 'issuer_unavailable' && pendingSignOuts.add(token, address);
    if (!waits) throw error;
    const detail =
      'The token cannot be checked now: the keys of its issuer are missing. This server revokes it when they arrive.';
    throw withExtras(error, {}, detail);
  };
}

/** Returns the valid tokens among the first two. Invalid tokens need no revocation. Throws `issuer_unavailable` for one that cannot be checked. */
async function validTokens(
  tokens: readonly string[],
  { lease }: LoginDeps,
  later: EndLater,
): Promise<readonly ValidToken[]> {
  const verified = await lease(({ verifier }) =>
    Promise.all(
      tokens.slice(0, 2).map(async (token) => {
        const principal = await Promise.resolve(token)
          .then((text) => verifier.verify(text))
          .catch(later(token))
          .catch(unlessUnavailable);
        return { token, principal };
      }),
    ),
  );
  return verified.flatMap(({ token, principal }) => (principal ? [{ token, principal }] : []));
}

/** Rethrows the failure of a token that cannot be checked. Another one is invalid. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof Problem && error.code === 'issuer_unavailable') throw error;
}

/** A sign-out that other servers do not know, for its record. */
interface LocalSignOut {
  readonly caller: CallerIdentity | undefined;
  readonly names: readonly string[];
  readonly address: string;
}

/** Creates a handler for tokens that only this server revoked. */
function revokedLocallyOnly({ caller, names, address }: LocalSignOut): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.code !== 'store_unavailable') throw error;
    const detail =
      'This server refuses the token from now on. The other servers refuse it when the database is available again.';
    const outcome = [error.code, 'signed out at this server', ...new Set(names)].join(', ');
    throw withExtras(error, { caller, outcome: `${outcome}, from ${address}` }, detail);
  };
}

/** Returns the Problem of a failed sign-out with more headers. The browser loses its cookies whatever fails. */
function withHeaders(error: unknown, headers: ProblemHeaders): Problem {
  if (!(error instanceof Problem))
    return new Problem('internal', 'The sign-out failed on our side.', { cause: error, headers });
  return withExtras(error, { headers: { ...error.extras.headers, ...headers } });
}

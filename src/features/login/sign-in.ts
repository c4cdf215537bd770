import { isOriginOverTls } from '../../auth/session-cookie.js';
import { silentLog } from '../../core/log.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { describeIdentity } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import { isOwnPage } from '../../core/same-origin.js';
import {
  type FinishedSignIn,
  returnPath,
  SignInFailure,
  signInPage,
  type SignIns,
} from '../../core/sign-in.js';
import type { Snapshot } from '../../core/snapshot.js';
import { html, MINIMAL_PAGE_HEADERS, minimalPage, PAGE_TYPE } from '../../http/html.js';
import { cookieValues } from '../../lib/cookie.js';
import {
  browserCookieTerms,
  MAX_COOKIE_TOKEN_LENGTH,
  renewalCookie,
  sessionCookie,
  signInCookie,
  signInCookieName,
  surplusSignInCookies,
  tokenCookieSeconds,
} from './cookies.js';
import type { LoginDeps } from './deps.js';

const signInMethodsSchema = {
  title: 'Ways to sign in',
  type: 'object',
  required: ['local', 'token', 'cookies', 'issuers'],
  properties: {
    local: {
      type: 'boolean',
      description: 'True if users can sign in with a name and a password, at /login',
    },
    token: {
      type: 'boolean',
      description: 'True if a browser can sign in with an existing token, at /console/session',
    },
    cookies: {
      type: 'boolean',
      description: 'False if the server accepts no cookie; then no browser can sign in',
    },
    issuers: {
      type: 'array',
      description: 'Identity providers for a sign-in at /console/oidc/begin',
      items: {
        type: 'object',
        required: ['issuer', 'name'],
        properties: { issuer: { type: 'string' }, name: { type: 'string' } },
      },
    },
  },
} as const;

export const getSignIn: Operation<LoginDeps> = {
  id: 'getSignIn',
  summary: 'List the ways to sign in with a browser.',
  description: 'Returns whether a browser can sign in with a password, a token or an identity provider.',
  method: 'GET',
  path: '/console/sign-in',
  roles: 'public',
  reply: signInMethodsSchema,
  handle: (_call, { lease, tokens }) =>
    lease(({ logins, signIns: { providers } }) => {
      const local = tokens !== undefined && logins.hasUsers;
      const cookies = logins.accept.has('cookie');
      const issuers = providers.map(({ issuer, name }) => ({ issuer, name }));
      return Promise.resolve({ body: { local, token: true, cookies, issuers } });
    }),
};

const beginQuerySchema = {
  type: 'object',
  properties: {
    issuer: { type: 'string', description: 'One of the issuers of /console/sign-in' },
    return: {
      type: 'string',
      description: 'Path of the page to open after the sign-in; absent: the console',
    },
    prompt: {
      const: 'login',
      description: 'Makes the identity provider ask for credentials, also if it knows the person',
    },
    origin: {
      type: 'string',
      description:
        'Origin of the page that begins the sign-in, if the caller is a page; another origin than `server.publicUrl` gets a redirect to the sign-in page there',
    },
  },
} as const;

/**
 * Redirects a browser to an identity provider (OpenID Connect Core 1.0, section 3.1.2.1), with PKCE, state
 * and nonce.
 */
export const beginSignIn: Operation<LoginDeps> = {
  id: 'beginSignIn',
  summary: 'Start a sign-in at an identity provider.',
  description:
    'Redirects a browser to the page of an identity provider. A failure redirects it to the sign-in page, which shows the reason. A browser at another origin than `server.publicUrl` is redirected to the sign-in page there.',
  method: 'GET',
  path: '/console/oidc/begin',
  roles: 'public',
  query: beginQuerySchema,
  reply: { title: 'Empty body', type: 'string', maxLength: 0 },
  redirects: 'always',
  replyHeaders: {
    'set-cookie':
      'The sealed state of the sign-in, as a cookie "gatehouse-sign-in-..." of its own; over TLS, with the prefix "__Host-"',
  },
  async handle(call, deps) {
    const { query, header } = call;
    const returnTo = returnPath(query.get('return'));
    // The provider may skip its prompt. Therefore, a page of another site must not start a sign-in.
    if (!isOwnPage({ header })) return { body: '', location: signInPage({ returnTo }) };
    try {
      return await deps.lease(async ({ signIns }): Promise<Reply> => {
        const prompt = query.get('prompt') === 'login' ? 'login' : undefined;
        const origin = query.get('origin');
        // The provider redirects to the public origin, where a cookie of another origin does not arrive. Behind a proxy, only the
        // browser knows its origin. The person begins again there: a page of another origin must not begin a sign-in.
        if (origin !== null && origin !== signIns.publicOrigin && signIns.publicOrigin !== '')
          return { body: '', location: signIns.publicOrigin + signInPage({ returnTo, prompt }) };
        const begun = await signIns.begin(query.get('issuer') ?? '', returnTo, prompt);
        const isOverTls = isOriginOverTls(deps, signIns.publicOrigin);
        const surplus = surplusSignInCookies(header('cookie'), isOverTls);
        const cookies = [
          ...surplus.map((name) => signInCookie(name, '', 0)),
          signInCookie(signInCookieName(begun.state, isOverTls), begun.sealed, begun.lifeSeconds),
        ];
        return { body: '', location: begun.location, headers: { 'set-cookie': cookies } };
      });
    } catch (error) {
      return { body: '', location: failurePage({ failure: failureOf(error), returnTo }, call, deps) };
    }
  },
};

const callbackQuerySchema = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'Authorization code of the identity provider' },
    state: { type: 'string', description: 'Value of `state` in the authorization request' },
    iss: { type: 'string', description: 'Issuer of the code (RFC 9207)' },
    error: { type: 'string', description: 'Error code of the identity provider, if there is no code' },
  },
} as const;

export const finishSignIn: Operation<LoginDeps> = {
  id: 'finishSignIn',
  summary: 'Finish a sign-in at an identity provider, and get a token as a cookie.',
  description:
    'Exchanges the code of an identity provider for a token, and sets the token as a cookie. A failure redirects the browser to the sign-in page.',
  method: 'GET',
  path: '/console/oidc/callback',
  roles: 'public',
  query: callbackQuerySchema,
  reply: { title: 'Sign-in page', type: 'string', description: 'Opens the requested page automatically' },
  replyType: PAGE_TYPE,
  redirects: 'sometimes',
  replyHeaders: {
    'set-cookie':
      'The token as the cookie "token", the session as the cookie "gatehouse-session", and an empty cookie of the attempt; over TLS, all with the prefix "__Host-"',
    'content-security-policy': 'The page loads no other resource and runs no script',
    'referrer-policy': 'Links on the page do not send its address',
  },
  audited: true,
  handle: (call, deps) =>
    deps.lease(async (snapshot) => {
      const isOverTls = isOriginOverTls(deps, snapshot.signIns.publicOrigin);
      const attempt = signInCookieName(call.query.get('state') ?? '', isOverTls);
      const removal = signInCookie(attempt, '', 0);
      const isOwn = cookieValues(call.header('cookie'), attempt).length > 0;
      try {
        const finished = await finish(call, snapshot, attempt);
        const session = await sessionCookies(finished, snapshot.signIns, { isOverTls, deps });
        return signedInPage(finished, call, [...session, removal]);
      } catch (error) {
        if (isOwn) return { ...failureReply(error, call, deps), headers: { 'set-cookie': removal } };
        // Without the cookie of an attempt nothing was checked. Otherwise anybody could fill the audit trail and the log.
        return { ...failureReply(error, call, strangerDeps(call, deps)), didNothing: true };
      }
    }),
};

/**
 * Starts the session, and returns its cookies. Without the database, the person is signed in until the token
 * expires.
 */
async function sessionCookies(
  finished: FinishedSignIn,
  signIns: SignIns,
  { isOverTls, deps }: { readonly isOverTls: boolean; readonly deps: LoginDeps },
): Promise<readonly string[]> {
  const { token, principal } = finished;
  const now = deps.clock.now();
  const { idleSeconds, maxSeconds } = signIns.lifetimes;
  const endsAt = now + Math.min(idleSeconds, maxSeconds) * 1000;
  const terms = browserCookieTerms(isOverTls);
  const tokenCookie = sessionCookie(terms, token, tokenCookieSeconds(principal, endsAt, now));
  try {
    const { cookie, maxAge } = await deps.sessions.start(finished, signIns);
    return [tokenCookie, renewalCookie(cookie, maxAge, isOverTls)];
  } catch (error) {
    const { issuer } = principal;
    deps.log.warn('session cannot be stored; it ends with its token', { issuer, error });
    // The cookie may be that of an earlier sign-in by another person.
    return [tokenCookie, renewalCookie('', 0, isOverTls)];
  }
}

async function finish(
  { query, header, address }: Call,
  { logins, signIns }: Snapshot,
  cookieName: string,
): Promise<FinishedSignIn> {
  const [sealed = '', ...duplicates] = cookieValues(header('cookie'), cookieName);
  if (duplicates.length > 0)
    throw new SignInFailure('state_mismatch', 'the request contains several sign-in cookies');
  const finished = await logins.guess(address, () => signIns.finish(query, sealed));
  if (finished.token.length > MAX_COOKIE_TOKEN_LENGTH)
    throw new SignInFailure('token_too_long', 'the token is too long for a cookie', {
      issuer: finished.principal.issuer,
      returnTo: finished.returnTo,
    });
  return finished;
}

/**
 * Returns a page that opens the requested page. A redirect would not work, because browsers omit a
 * SameSite=Strict cookie during a chain of redirects that another site started. A navigation from a page of
 * this server includes the cookie.
 */
function signedInPage(
  { principal, returnTo }: FinishedSignIn,
  { address }: Call,
  cookies: readonly string[],
): Reply {
  const target = returnPath(returnTo);
  return {
    body: minimalPage({
      title: 'Signed in',
      content: html`<p><a href="${target}">Continue</a></p>`,
      refreshTo: target,
    }),
    caller: principal,
    outcome: `signed in, ${describeIdentity(principal)}, from ${address}`,
    headers: { ...MINIMAL_PAGE_HEADERS, 'set-cookie': cookies },
  };
}

function failureReply(error: unknown, call: Call, deps: Pick<LoginDeps, 'log'>): Reply {
  const failure = failureOf(error);
  const location = failurePage({ failure, returnTo: failure.context.returnTo }, call, deps);
  return { body: '', location, outcome: `${failure.problem}, from ${call.address}` };
}

/** Returns dependencies whose log writes at most one line a minute for the caller's network. */
function strangerDeps({ address }: Call, { log, clock, refusals }: LoginDeps): Pick<LoginDeps, 'log'> {
  const refusal = { address, operation: finishSignIn.id, isUnchecked: true };
  return { log: refusals.take(refusal, clock.now()) === undefined ? silentLog : log };
}

/** Logs a failed sign-in, and returns the sign-in page that reports it. */
function failurePage(
  { failure, returnTo }: { readonly failure: SignInFailure; readonly returnTo: string | undefined },
  { requestId }: Call,
  { log }: Pick<LoginDeps, 'log'>,
): string {
  const { problem, message: reason, context } = failure;
  const { issuer } = context;
  log.warn('a sign-in failed', { ...(issuer !== undefined && { issuer }), problem, reason, requestId });
  return signInPage({ problem, requestId, ...(returnTo !== undefined && { returnTo }) });
}

function failureOf(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  if (error instanceof Problem && error.code === 'too_many_requests')
    return new SignInFailure(error.code, 'too many failed sign-ins from this address');
  throw error;
}

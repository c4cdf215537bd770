import { MINIMAL_PAGE_HEADERS, minimalPage, PAGE_TYPE } from '../../core/minimal-page.js';
import { cookieValues } from '../../core/cookie.js';
import { html } from '../../core/html.js';
import type { Call, Operation, Reply } from '../../core/operation.js';
import { Problem } from '../../core/problem.js';
import { type FinishedSignIn, SignInFailure, type SignInProblem } from '../../core/sign-in.js';
import { returnPath, signInPage } from '../../core/sign-in-page.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { LoginDeps } from './deps.js';
import { COOKIE_TOKEN_LENGTH, lifeOf, sessionCookie } from './session-cookie.js';
import { comesByTls, SIGN_IN_COOKIE, signInCookie } from './sign-in-cookie.js';

const querySchema = {
  type: 'object',
  properties: {
    code: { type: 'string', description: 'What the identity provider gives for tokens' },
    state: { type: 'string', description: 'What it was sent with' },
    iss: { type: 'string', description: 'The issuer (RFC 9207)' },
    error: { type: 'string', description: 'Why there is no code' },
  },
} as const;

/** Finishes the sign-in of a browser at an identity provider, and sets the token as the cookie `token`. */
export const finishSignIn: Operation<LoginDeps> = {
  id: 'finishSignIn',
  summary: 'Finish a sign-in at an identity provider, and get a token as a cookie.',
  method: 'GET',
  path: '/console/oidc/callback',
  roles: 'public',
  query: querySchema,
  reply: { title: 'A page', type: 'string', description: 'It goes on by itself' },
  replyType: PAGE_TYPE,
  redirects: 'sometimes',
  replyHeaders: {
    'set-cookie': 'The token as the cookie "token", and an empty cookie "gatehouse-sign-in"',
    'content-security-policy': 'Nothing is loaded, and no script runs',
    'referrer-policy': 'The address of the page is told to nobody',
  },
  audited: true,
  handle: (call, deps) =>
    deps.lease(async (snapshot) => {
      const isSecure = comesByTls(deps, snapshot.signIns.publicOrigin);
      const removal = signInCookie('', 0, isSecure);
      try {
        const finished = await finish(call, snapshot);
        const maxAge = lifeOf(finished.principal, deps.clock.now());
        const session = sessionCookie({ token: finished.token, maxAge, isSecure });
        return welcome(finished, call, [session, removal]);
      } catch (error) {
        return { ...goodbye(error, call), headers: { 'set-cookie': removal } };
      }
    }),
};

async function finish(
  { query, header, address }: Call,
  { logins, signIns }: Pick<Snapshot, 'logins' | 'signIns'>,
): Promise<FinishedSignIn> {
  const [sealed = '', ...others] = cookieValues(header('cookie'), SIGN_IN_COOKIE);
  if (others.length > 0) throw new SignInFailure('state_mismatch', 'there are two sign-ins under way');
  const finished = await logins.guess(address, () => signIns.finish(query, sealed));
  if (finished.token.length > COOKIE_TOKEN_LENGTH)
    throw new SignInFailure('token_too_long', 'no browser keeps it', finished.returnTo);
  return finished;
}

/**
 * Returns a page instead of a redirect. Browsers omit a SameSite=Strict cookie during a chain of redirects
 * that another site started. A navigation from a page of this server includes the cookie.
 */
function welcome(
  { principal, returnTo }: FinishedSignIn,
  { address }: Call,
  cookies: readonly string[],
): Reply {
  const target = returnPath(returnTo);
  return {
    body: minimalPage({
      title: 'Signed in',
      content: html`<p><a href="${target}">Go on</a></p>`,
      refreshTo: target,
    }),
    outcome: `signed in, ${principal.subject} of ${principal.issuer}, from ${address}`,
    headers: { ...MINIMAL_PAGE_HEADERS, 'set-cookie': cookies },
  };
}

function goodbye(error: unknown, { address }: Call): Reply {
  const { problem, returnTo } = failureOf(error);
  const location = signInPage({ problem, ...(returnTo !== undefined && { returnTo }) });
  return { body: '', location, outcome: `${problem}, from ${address}` };
}

function failureOf(error: unknown): {
  readonly problem: SignInProblem;
  readonly returnTo?: string | undefined;
} {
  if (error instanceof SignInFailure) return error;
  if (error instanceof Problem && error.code === 'too_many_requests') return { problem: error.code };
  throw error;
}

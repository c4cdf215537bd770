import { cookieValues } from '../../core/cookie.js';
import type { Operation } from '../../core/operation.js';
import { requireOwnPage } from '../../core/same-origin.js';
import type { Principal } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { LoginDeps } from './deps.js';
import { pageComesByTls, SESSION_COOKIE, sessionCookie } from './session-cookie.js';

const replySchema = {
  title: 'Signed out',
  type: 'object',
  required: ['ended'],
  properties: {
    ended: { type: 'boolean', description: 'True when there was a good token, which is refused from now on' },
  },
} as const;

/** Signs a browser out: removes its cookie and revokes the token of the cookie on every node. */
export const closeSession: Operation<LoginDeps> = {
  id: 'closeSession',
  summary: 'Sign out: remove the cookie and revoke its token.',
  method: 'DELETE',
  path: '/console/session',
  roles: 'public',
  reply: replySchema,
  replyHeaders: { 'set-cookie': 'An empty cookie "token" in place of the former' },
  audited: true,
  async handle({ header, address }, deps) {
    requireOwnPage({ method: 'DELETE', header });
    const isSecure = pageComesByTls({ header }, deps);
    const headers = { 'set-cookie': sessionCookie({ token: '', maxAge: 0, isSecure }) };
    const good = await goodTokens(cookieValues(header('cookie'), SESSION_COOKIE), deps);
    await Promise.all(good.map(({ token, principal }) => deps.endToken(token, principal))).catch(
      revokedLocallyOnly(headers),
    );
    const names = good.map(({ principal: { subject, issuer } }) => `${subject} of ${issuer}`);
    return {
      body: { ended: good.length > 0 },
      outcome: `signed out, ${names.join(', ') || 'nobody'}, from ${address}`,
      headers,
    };
  },
};

interface GoodToken {
  readonly token: string;
  readonly principal: Principal;
}

/** Returns the valid tokens; invalid tokens need no revocation. */
async function goodTokens(tokens: readonly string[], { lease }: LoginDeps): Promise<readonly GoodToken[]> {
  const verdicts = await lease(({ verifier }) =>
    Promise.all(
      tokens.slice(0, 2).map(async (token) => {
        const principal = await Promise.resolve(token)
          .then((text) => verifier.verify(text))
          .catch(() => undefined);
        return { token, principal };
      }),
    ),
  );
  return verdicts.flatMap(({ token, principal }) => (principal ? [{ token, principal }] : []));
}

/** Creates a handler for tokens that only this server revoked; its Problem still removes the cookie. */
function revokedLocallyOnly(headers: Readonly<Record<string, string>>): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Problem) || error.code !== 'store_unavailable') throw error;
    const detail = 'This server refuses the token from now on; the others do when the database is back.';
    throw new Problem(error.code, detail, {
      ...error.extras,
      headers: { ...error.extras.headers, ...headers },
    });
  };
}

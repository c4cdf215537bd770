import { cookieValues } from '../../domain/cookie.js';
import type { Operation } from '../../domain/operation.js';
import { requireOwnPage } from '../../domain/own-page.js';
import type { Principal } from '../../domain/principal.js';
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

/** Signs a browser out: removes its cookie, and has this server refuse the token in it from then on. */
export const closeSession: Operation<LoginDeps> = {
  id: 'closeSession',
  summary: 'Sign out: remove the cookie, and have its token refused.',
  method: 'DELETE',
  path: '/console/session',
  roles: 'public',
  reply: replySchema,
  replyHeaders: { 'set-cookie': 'An empty cookie "token" in place of the former' },
  audited: true,
  async handle({ header, address }, deps) {
    requireOwnPage({ method: 'DELETE', header });
    const ended = await endTokens(cookieValues(header('cookie'), SESSION_COOKIE), deps);
    const isSecure = pageComesByTls({ header }, deps);
    const names = ended.map(({ subject, issuer }) => `${subject} of ${issuer}`);
    return {
      body: { ended: ended.length > 0 },
      outcome: `signed out, ${names.join(', ') || 'nobody'}, from ${address}`,
      headers: { 'set-cookie': sessionCookie({ token: '', maxAge: 0, isSecure }) },
    };
  },
};

/** Ends those that are good; the others need no end. */
async function endTokens(
  tokens: readonly string[],
  { lease, endToken }: LoginDeps,
): Promise<readonly Principal[]> {
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
  return verdicts.flatMap(({ token, principal }) => {
    if (!principal) return [];
    endToken(token, principal);
    return [principal];
  });
}

import type { Operation, Reply } from '../../core/operation.js';
import { isOwnPage } from '../../core/same-origin.js';
import { SignInFailure } from '../../core/sign-in.js';
import { returnPath, signInPage } from '../../core/sign-in-page.js';
import type { LoginDeps } from './deps.js';
import { comesByTls, signInCookie } from './sign-in-cookie.js';

const querySchema = {
  type: 'object',
  properties: {
    issuer: { type: 'string', description: 'One of the issuers of /console/sign-in' },
    return: { type: 'string', description: 'Page to come back to, as a path; the console unless told' },
  },
} as const;

/**
 * Redirects a browser to an identity provider (OpenID Connect Core 1.0, section 3.1.2.1), with PKCE, state
 * and nonce.
 */
export const beginSignIn: Operation<LoginDeps> = {
  id: 'beginSignIn',
  summary: 'Start a sign-in at an identity provider.',
  method: 'GET',
  path: '/console/oidc/begin',
  roles: 'public',
  query: querySchema,
  reply: { title: 'Nothing', type: 'string', maxLength: 0 },
  redirects: 'always',
  replyHeaders: { 'set-cookie': 'The sign-in that has begun, sealed, as the cookie "gatehouse-sign-in"' },
  async handle({ query, header }, deps) {
    const returnTo = returnPath(query.get('return'));
    // The provider may skip its prompt, so a page of another site must not start a sign-in.
    if (!isOwnPage({ header })) return { body: '', location: signInPage({ returnTo }) };
    try {
      return await deps.lease(async ({ signIns }): Promise<Reply> => {
        const { location, sealed, lifeSeconds } = await signIns.begin(query.get('issuer') ?? '', returnTo);
        const isSecure = comesByTls(deps, signIns.publicOrigin);
        return {
          body: '',
          location,
          headers: { 'set-cookie': signInCookie(sealed, lifeSeconds, isSecure) },
        };
      });
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      return { body: '', location: signInPage({ problem: error.problem, returnTo }) };
    }
  },
};

import { setCookie } from '../../core/cookie.js';
import type { LoginDeps } from './deps.js';

/** The cookie with which a browser keeps a sign-in that is under way, sealed. */
export const SIGN_IN_COOKIE = 'gatehouse-sign-in';

/** Text of the `Set-Cookie` header that keeps it, or that removes it with an empty value. */
export function signInCookie(sealed: string, maxAge: number, isSecure: boolean): string {
  // Lax: the way back from the identity provider begins at another site.
  const terms = { path: '/console/oidc', sameSite: 'Lax', isSecure } as const;
  return setCookie({ name: SIGN_IN_COOKIE, value: sealed, maxAge, ...terms });
}

/** True when browsers come by TLS, to us or to what stands before us. */
export function comesByTls({ servesTls }: Pick<LoginDeps, 'servesTls'>, publicOrigin: string): boolean {
  return servesTls || publicOrigin.startsWith('https://');
}

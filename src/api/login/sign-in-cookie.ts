import { setCookie } from '../../core/cookie.js';
import type { LoginDeps } from './deps.js';

/** Name of the cookie that contains the sealed state of a pending sign-in. */
export const SIGN_IN_COOKIE = 'gatehouse-sign-in';

/** Returns the `Set-Cookie` header that sets this cookie; an empty value removes the cookie. */
export function signInCookie(sealed: string, maxAge: number, isSecure: boolean): string {
  // Lax, because another site starts the redirect back from the identity provider.
  const terms = { path: '/console/oidc', sameSite: 'Lax', isSecure } as const;
  return setCookie({ name: SIGN_IN_COOKIE, value: sealed, maxAge, ...terms });
}

/** Returns true if browsers use TLS, to this server or to a proxy in front of it. */
export function comesByTls({ servesTls }: Pick<LoginDeps, 'servesTls'>, publicOrigin: string): boolean {
  return servesTls || publicOrigin.startsWith('https://');
}

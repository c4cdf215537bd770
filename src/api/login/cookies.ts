import { COOKIE_LENGTH, setCookie } from '../../core/header.js';
import type { Call } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import { isBrowserRequest } from '../../core/same-origin.js';
import { hostCookieName, isOriginOverTls, SESSION_COOKIE } from '../../core/session-cookie.js';
import type { LoginDeps } from './deps.js';

/** Maximum length of a token in the cookie, in characters. Browsers do not store a longer cookie. */
export const MAX_COOKIE_TOKEN_LENGTH = COOKIE_LENGTH - hostCookieName(SESSION_COOKIE).length;

/** Name and attributes of the session cookie of one caller. */
export interface SessionCookieTerms {
  readonly name: string;
  readonly isSecure: boolean;
}

/**
 * Returns the `Set-Cookie` header for a token with its lifetime in seconds. The cookie is valid for every
 * path, but only for pages of this server.
 */
export function sessionCookie(terms: SessionCookieTerms, token: string, maxAge: number): string {
  return setCookie({ ...terms, value: token, path: '/', maxAge, sameSite: 'Strict' });
}

/**
 * Returns the name and attributes of the session cookie for a caller. A browser over TLS gets a cookie that
 * only this host can set. A program gets the cookie that clients of the platform expect (wire section 1.1). If
 * a proxy terminates TLS, `server.publicUrl` or the origin of the page shows this.
 */
export async function sessionCookieTerms(
  { header }: Pick<Call, 'header'>,
  { servesTls, lease }: Pick<LoginDeps, 'servesTls' | 'lease'>,
): Promise<SessionCookieTerms> {
  const isSecure = servesTls || header('origin')?.startsWith('https://') === true;
  if (!isBrowserRequest({ header })) return { name: SESSION_COOKIE, isSecure };
  const publicOrigin = await lease(({ signIns }) => Promise.resolve(signIns.publicOrigin));
  return browserCookieTerms(isOriginOverTls({ servesTls: isSecure }, publicOrigin));
}

/** Returns the name and attributes of the session cookie for a browser. */
export function browserCookieTerms(isOverTls: boolean): SessionCookieTerms {
  return { name: isOverTls ? hostCookieName(SESSION_COOKIE) : SESSION_COOKIE, isSecure: isOverTls };
}

/** Returns the remaining lifetime of the principal's token, in seconds. */
export function remainingSecondsOf({ expiresAt }: Principal, now: number): number {
  return Math.max(0, expiresAt - Math.floor(now / 1000));
}

const SIGN_IN_COOKIE = 'gatehouse-sign-in';

/** Returns the name of the cookie that contains the sealed state of a pending sign-in. */
export function signInCookieName(isOverTls: boolean): string {
  return isOverTls ? hostCookieName(SIGN_IN_COOKIE) : SIGN_IN_COOKIE;
}

/** Returns the `Set-Cookie` header that sets this cookie; an empty value removes the cookie. */
export function signInCookie(sealed: string, maxAge: number, isOverTls: boolean): string {
  return setCookie({
    name: signInCookieName(isOverTls),
    value: sealed,
    maxAge,
    // Browsers accept the prefix "__Host-" only with this path.
    path: isOverTls ? '/' : '/console/oidc',
    // The identity provider is another site, and starts the redirect back. "Strict" would omit the cookie.
    sameSite: 'Lax',
    isSecure: isOverTls,
  });
}

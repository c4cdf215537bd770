import { createHash } from 'node:crypto';
import {
  hostCookieName,
  isOriginOverTls,
  renewalCookieName,
  SESSION_COOKIE,
} from '../../auth/session-cookie.js';
import type { RequestHeaders } from '../../core/login.js';
import type { Principal } from '../../core/principal.js';
import { isBrowserRequest } from '../../core/same-origin.js';
import { COOKIE_LENGTH, cookieNames, cookieValues, setCookie } from '../../lib/cookie.js';
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
  { header }: RequestHeaders,
  { servesTls, lease }: LoginDeps,
): Promise<SessionCookieTerms> {
  const isSecure = servesTls || header('origin')?.startsWith('https://') === true;
  if (!isBrowserRequest({ header })) return { name: SESSION_COOKIE, isSecure };
  const publicOrigin = await lease(({ signIns }) => Promise.resolve(signIns.publicOrigin));
  return browserCookieTerms(isOriginOverTls({ servesTls: isSecure }, publicOrigin));
}

export function browserCookieTerms(isOverTls: boolean): SessionCookieTerms {
  return { name: isOverTls ? hostCookieName(SESSION_COOKIE) : SESSION_COOKIE, isSecure: isOverTls };
}

/** Returns the remaining lifetime of the principal's token, in seconds. */
export function remainingSecondsOf({ expiresAt }: Principal, now: number): number {
  return Math.max(0, expiresAt - Math.floor(now / 1000));
}

/** Returns the lifetime of the token's cookie: that of the token, or until the session ends if that is earlier. */
export function tokenCookieSeconds(principal: Principal, sessionEndsAt: number, now: number): number {
  return Math.max(0, Math.min(remainingSecondsOf(principal, now), Math.floor((sessionEndsAt - now) / 1000)));
}

const SIGN_IN_COOKIE = 'gatehouse-sign-in';

/**
 * Returns the name of the cookie that contains the sealed state of a pending sign-in. Each attempt has a cookie
 * of its own, so that several tabs can sign in at once.
 */
export function signInCookieName(state: string, isOverTls: boolean): string {
  const attempt = createHash('sha256').update(state).digest('hex').slice(0, 12);
  return attemptPrefix(isOverTls) + attempt;
}

/** Maximum number of pending sign-ins of one browser. Each has a cookie of up to 3 KB in every request. */
const MAX_ATTEMPTS = 3;

/** Returns the names of the cookies of the oldest pending sign-ins, to make room for another one. */
export function surplusSignInCookies(cookie: string | undefined, isOverTls: boolean): readonly string[] {
  // Browsers send older cookies first (RFC 6265 section 5.4).
  const prefix = attemptPrefix(isOverTls);
  const names = cookieNames(cookie).filter(
    (name) => name.startsWith(prefix) && /^[0-9a-f]{12}$/.test(name.slice(prefix.length)),
  );
  return names.slice(0, Math.max(0, names.length - MAX_ATTEMPTS + 1));
}

function attemptPrefix(isOverTls: boolean): string {
  return `${isOverTls ? hostCookieName(SIGN_IN_COOKIE) : SIGN_IN_COOKIE}-`;
}

/** Returns the `Set-Cookie` header that sets the cookie of a pending sign-in; an empty value removes the cookie. */
export function signInCookie(name: string, sealed: string, maxAge: number): string {
  const isSecure = name.startsWith(hostCookieName(''));
  return setCookie({
    name,
    value: sealed,
    maxAge,
    // Browsers accept the prefix "__Host-" only with this path.
    path: isSecure ? '/' : '/console/oidc',
    // The identity provider is another site, and starts the redirect back. "Strict" would omit the cookie.
    sameSite: 'Lax',
    isSecure,
  });
}

/** Returns the `Set-Cookie` header of a renewable session; an empty value removes the cookie. */
export function renewalCookie(value: string, maxAge: number, isOverTls: boolean): string {
  return setCookie({
    name: renewalCookieName(isOverTls),
    value,
    maxAge,
    path: '/',
    sameSite: 'Strict',
    isSecure: isOverTls,
  });
}

/** Returns the value of the cookie of a renewable session; `undefined` unless there is exactly one. */
export function renewalCookieOf({ header }: RequestHeaders, isOverTls: boolean): string | undefined {
  const [value, ...others] = cookieValues(header('cookie'), renewalCookieName(isOverTls));
  return others.length === 0 ? value : undefined;
}

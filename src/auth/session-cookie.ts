import type { RequestHeaders } from '../core/login.js';
import { isBrowserRequest } from '../core/same-origin.js';
import { cookieValues } from '../lib/cookie.js';

/** Name of the cookie that contains the token of a program, or of a browser over plain HTTP. */
export const SESSION_COOKIE = 'token';

/**
 * Returns the name of a browser's cookie over TLS. Browsers accept a cookie with this prefix only from the
 * host itself, so that no other host of the domain can set it (RFC 6265bis section 4.1.3.2).
 */
export function hostCookieName(name: string): string {
  return `__Host-${name}`;
}

const RENEWAL_COOKIE = 'gatehouse-session';

/** Returns the name of the cookie of a session that the server can renew. */
export function renewalCookieName(isOverTls: boolean): string {
  return isOverTls ? hostCookieName(RENEWAL_COOKIE) : RENEWAL_COOKIE;
}

/** Returns true if browsers reach this server, or a proxy in front of it, over TLS. */
export function isOriginOverTls(
  { servesTls }: { readonly servesTls: boolean },
  publicOrigin: string,
): boolean {
  return servesTls || publicOrigin.startsWith('https://');
}

/**
 * Returns the tokens in the cookies of a request. If browsers use TLS, the cookie of a browser counts only
 * with the prefix `__Host-`. Programs send neither `Sec-Fetch-Site` nor `Origin`, and send the cookie `token`,
 * as clients of the platform do (wire section 1.2).
 */
export function sessionTokens(
  { header }: RequestHeaders,
  { isOverTls }: { readonly isOverTls: boolean },
): readonly string[] {
  const cookies = header('cookie');
  const ofHost = cookieValues(cookies, hostCookieName(SESSION_COOKIE));
  if (ofHost.length > 0 || (isOverTls && isBrowserRequest({ header }))) return ofHost;
  return cookieValues(cookies, SESSION_COOKIE);
}

import { COOKIE_LENGTH, setCookie } from '../../core/cookie.js';
import type { Call } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import type { LoginDeps } from './deps.js';

/** Name of the cookie that authenticates a request. */
export const SESSION_COOKIE = 'token';

/** Maximum length of a token that browsers store in the cookie, in characters. */
export const COOKIE_TOKEN_LENGTH = COOKIE_LENGTH - SESSION_COOKIE.length;

/** Value and attributes of the cookie. */
export interface SessionCookieTerms {
  readonly token: string;
  /** In seconds. */
  readonly maxAge: number;
  readonly isSecure: boolean;
}

/** Returns the `Set-Cookie` header for a token: valid for every path, but only for pages of this server. */
export function sessionCookie({ token, maxAge, isSecure }: SessionCookieTerms): string {
  return setCookie({ name: SESSION_COOKIE, value: token, path: '/', maxAge, sameSite: 'Strict', isSecure });
}

/**
 * Returns true if the cookie must be restricted to TLS. If a proxy terminates TLS, only the origin of the
 * page shows that the browser uses TLS.
 */
export function pageComesByTls(
  { header }: Pick<Call, 'header'>,
  { servesTls }: Pick<LoginDeps, 'servesTls'>,
): boolean {
  return servesTls || header('origin')?.startsWith('https://') === true;
}

/** Returns the remaining lifetime of the principal's token, in seconds. */
export function lifeOf({ expiresAt }: Principal, now: number): number {
  return Math.max(0, expiresAt - Math.floor(now / 1000));
}

import { COOKIE_LENGTH, setCookie } from '../../core/cookie.js';
import type { Call } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import type { LoginDeps } from './deps.js';

/** The cookie that shows who sends a request. */
export const SESSION_COOKIE = 'token';

/** Longest token that browsers keep in the cookie, in characters. */
export const COOKIE_TOKEN_LENGTH = COOKIE_LENGTH - SESSION_COOKIE.length;

/** What becomes of the cookie. */
export interface SessionCookieTerms {
  readonly token: string;
  /** In seconds. */
  readonly maxAge: number;
  readonly isSecure: boolean;
}

/** Text of the `Set-Cookie` header that gives a browser a token: for every path, and for pages of this server alone. */
export function sessionCookie({ token, maxAge, isSecure }: SessionCookieTerms): string {
  return setCookie({ name: SESSION_COOKIE, value: token, path: '/', maxAge, sameSite: 'Strict', isSecure });
}

/** True when the cookie may go over TLS alone. Before a proxy that ends TLS the page alone knows that there is TLS. */
export function pageComesByTls(
  { header }: Pick<Call, 'header'>,
  { servesTls }: Pick<LoginDeps, 'servesTls'>,
): boolean {
  return servesTls || header('origin')?.startsWith('https://') === true;
}

/** How long a token of theirs is still good, in seconds. */
export function lifeOf({ expiresAt }: Principal, now: number): number {
  return Math.max(0, expiresAt - Math.floor(now / 1000));
}

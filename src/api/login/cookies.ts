import { COOKIE_LENGTH, setCookie } from '../../core/header.js';
import type { Call } from '../../core/operation.js';
import type { Principal } from '../../core/principal.js';
import type { LoginDeps } from './deps.js';

/** Name of the cookie that contains the token of a browser. */
export const SESSION_COOKIE = 'token';

/** Maximum length of a token in the cookie, in characters. Browsers do not store a longer cookie. */
export const MAX_COOKIE_TOKEN_LENGTH = COOKIE_LENGTH - SESSION_COOKIE.length;

/** Value and attributes of this cookie. */
interface SessionCookie {
  readonly token: string;
  /** In seconds. */
  readonly maxAge: number;
  readonly isSecure: boolean;
}

/**
 * Returns the `Set-Cookie` header for a token. The cookie is valid for every path, but only for pages of this
 * server.
 */
export function sessionCookie({ token, maxAge, isSecure }: SessionCookie): string {
  return setCookie({ name: SESSION_COOKIE, value: token, path: '/', maxAge, sameSite: 'Strict', isSecure });
}

/**
 * Returns true if the page that sent the request was loaded over TLS. The cookie is then restricted to TLS.
 * If a proxy terminates TLS, only the origin of the page shows this.
 */
export function isPageOverTls(
  { header }: Pick<Call, 'header'>,
  { servesTls }: Pick<LoginDeps, 'servesTls'>,
): boolean {
  return servesTls || header('origin')?.startsWith('https://') === true;
}

/** Returns the remaining lifetime of the principal's token, in seconds. */
export function remainingSecondsOf({ expiresAt }: Principal, now: number): number {
  return Math.max(0, expiresAt - Math.floor(now / 1000));
}

/** Name of the cookie that contains the sealed state of a pending sign-in. */
export const SIGN_IN_COOKIE = 'gatehouse-sign-in';

/** Returns the `Set-Cookie` header that sets this cookie; an empty value removes the cookie. */
export function signInCookie(sealed: string, maxAge: number, isSecure: boolean): string {
  // The identity provider is another site, and starts the redirect back. "Strict" would omit the cookie.
  const attributes = { path: '/console/oidc', sameSite: 'Lax', isSecure } as const;
  return setCookie({ name: SIGN_IN_COOKIE, value: sealed, maxAge, ...attributes });
}

/** Returns true if browsers use TLS to reach this server, or a proxy in front of it. */
export function isOriginOverTls({ servesTls }: Pick<LoginDeps, 'servesTls'>, publicOrigin: string): boolean {
  return servesTls || publicOrigin.startsWith('https://');
}

import type { RequestHeaders } from '../../core/login.js';
import { renewalCookie, renewalCookieOf, type SessionCookieTerms } from './cookies.js';
import type { LoginDeps } from './deps.js';

/**
 * Ends the renewable session that a browser has from an earlier sign-in, and returns the `Set-Cookie` headers that
 * remove its cookie. Otherwise, a renewal would return to the person of the earlier sign-in.
 */
export async function endPreviousSession(
  { header }: RequestHeaders,
  { isSecure }: SessionCookieTerms,
  { lease, sessions, log }: LoginDeps,
): Promise<readonly string[]> {
  const cookie = renewalCookieOf({ header }, isSecure);
  if (cookie === undefined) return [];
  try {
    await lease(({ signIns }) => sessions.end(cookie, signIns));
  } catch (error) {
    log.warn('session of an earlier sign-in was not ended; its cookie is removed', { error });
  }
  return [renewalCookie('', 0, isSecure)];
}

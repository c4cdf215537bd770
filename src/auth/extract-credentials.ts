import { isBasic, type NameAndPassword, readBasic } from '../core/basic-credentials.js';
import { cookieValues } from '../core/cookie.js';
import type { RequestHead, CredentialScheme } from '../core/login.js';
import { isOwnPage, requireMark } from '../core/same-origin.js';
import { bearerToken } from './bearer.js';
import { unauthorized } from './unauthorized.js';

/** What a request shows of its sender; nothing in it is proven. */
export type Presented = { readonly token: string } | { readonly credentials: NameAndPassword };

/**
 * Finds what shows who sends a request: the Authorization header, else the query parameter `token`, else the cookie `token`
 * (wire section 1.2). A style that is not accepted is not looked at, but for the header: whoever sends one means it.
 * Throws `unauthorized`, or `csrf_refused` for a browser's cookie with a change that no page of ours has marked.
 */
export function presented(head: RequestHead, accept: ReadonlySet<CredentialScheme>): Presented {
  const authorization = head.header('authorization');
  if (authorization !== undefined) return inHeader(authorization, head, accept);
  const inQuery = accept.has('query') ? queryTokens(head.target) : [];
  if (inQuery.length > 0) return { token: only(inQuery, 'parameters') };
  const inCookies = accept.has('cookie') ? cookieValues(head.header('cookie'), 'token') : [];
  if (inCookies.length === 0) throw refused('no token was sent');
  refuseForeignPage(head);
  requireMark(head);
  return { token: only(inCookies, 'cookies') };
}

function inHeader(
  authorization: string,
  head: RequestHead,
  accept: ReadonlySet<CredentialScheme>,
): Presented {
  if (!isBasic(authorization)) {
    const token = bearerToken(authorization);
    if (accept.has('bearer')) return { token };
    throw refused('Bearer is not in auth.local.accept');
  }
  if (!accept.has('basic')) throw refused('Basic is not in auth.local.accept');
  refuseForeignPage(head);
  const credentials = readBasic(authorization);
  if (!credentials) throw refused('the authorization header is not "Basic <name and password>"');
  return { credentials };
}

function queryTokens(target: string): readonly string[] {
  const at = target.indexOf('?');
  return at < 0 ? [] : new URLSearchParams(target.slice(at + 1)).getAll('token');
}

/** Of two, peers might take different ones. */
function only(tokens: readonly string[], what: string): string {
  if (tokens.length > 1) throw refused(`${tokens.length} ${what} with the name token`);
  return bearerToken(`Bearer ${tokens[0] ?? ''}`);
}

/** Browsers add cookies, and passwords that they know, to what pages of others ask for: such requests are not the person's own. */
function refuseForeignPage(head: RequestHead): void {
  if (!isOwnPage(head)) throw refused('a page of another site sent it');
}

function refused(reason: string): Error {
  return unauthorized(new Error(reason));
}

import type { ReplyHeaders } from '../../core/http.js';

/** Cookies of one login, by name. */
export type Cookies = Map<string, string>;

/** Limits for the number and length of cookies (RFC 6265 section 6.1); the excess is dropped. */
const MOST = 50;
const LONGEST = 4096;

/**
 * Applies `Set-Cookie` headers and deletes expired cookies. Domain and path are ignored: all requests go to
 * one base URL.
 */
export function collectCookies(cookies: Cookies, headers: ReplyHeaders, now: number): void {
  for (const line of [headers['set-cookie'] ?? []].flat()) {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x21-\x7e]*)$/.exec(pair) ?? [];
    if (name === '' || pair.length > LONGEST) continue;
    if (isOver(attributes, now)) cookies.delete(name);
    else if (cookies.has(name) || cookies.size < MOST) cookies.set(name, value);
  }
}

/** Returns the value of a `Cookie` header; `undefined` without cookies. */
export function cookieHeader(cookies: Cookies): string | undefined {
  if (cookies.size === 0) return undefined;
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function isOver(attributes: readonly string[], now: number): boolean {
  const named = (name: string): string | undefined =>
    attributes.find((one) => one.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
  const maxAge = named('max-age');
  // Max-Age takes precedence over Expires.
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  return Date.parse(named('expires') ?? '') <= now;
}

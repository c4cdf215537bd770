/** What a `Set-Cookie` header says (RFC 6265). Value and path hold no semicolon and no blank. */
export interface CookieTerms {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Life in seconds; 0 removes the cookie. */
  readonly maxAge: number;
  readonly sameSite: 'Strict' | 'Lax';
  /** True lets it go over TLS alone. */
  readonly isSecure: boolean;
}

/** Longest name and value of a cookie together that browsers keep, in characters. */
export const COOKIE_LENGTH = 4096;

/** Text of a `Set-Cookie` header for a cookie that no script can read. */
export function setCookie({ name, value, path, maxAge, sameSite, isSecure }: CookieTerms): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** The values of all cookies with a name in a `Cookie` header, in order. */
export function cookieValues(cookie: string | undefined, name: string): readonly string[] {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}

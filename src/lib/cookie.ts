/** Content of a `Set-Cookie` header (RFC 6265). Value and path contain no semicolon and no space. */
interface CookieTerms {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Lifetime in seconds; 0 removes the cookie. */
  readonly maxAge: number;
  readonly sameSite: 'Strict' | 'Lax';
  /** True makes browsers send the cookie only over TLS. */
  readonly isSecure: boolean;
}

/** Maximum combined length of a cookie's name and value in browsers, in characters. */
export const COOKIE_LENGTH = 4096;

/** Returns the text of a `Set-Cookie` header for a cookie that scripts cannot read. */
export function setCookie({ name, value, path, maxAge, sameSite, isSecure }: CookieTerms): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** Returns the names of all cookies in a `Cookie` header, in order. */
export function cookieNames(cookie: string | undefined): readonly string[] {
  return (cookie ?? '').split(';').flatMap((pair) => (pair.includes('=') ? pair.trim().split('=', 1) : []));
}

/** Returns the values of all cookies with this name in a `Cookie` header, in order. */
export function cookieValues(cookie: string | undefined, name: string): readonly string[] {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
}

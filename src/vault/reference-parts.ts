/** A part of a reference, or its fault in words that continue "The reference". */
export type ReferencePart<T> = { readonly value: T } | { readonly wrong: string };

/** Options for reading a secret. */
export interface ReadOptions {
  /** Pinned version, from 1; null for the current version. */
  readonly version: number | null;
  readonly encoding: 'utf8' | 'base64';
}

// Characters of one path segment (RFC 3986).
const PCHARS = /^(?:[\w.~!$&'()*+,;=:@-]|%[\dA-Fa-f]{2})*$/;

/** Returns the decoded segments of a path without its leading slash. */
export function parsePath(path: string): ReferencePart<readonly string[]> {
  const written = path.split('/');
  if (written.includes('')) return { wrong: 'has an empty path segment' };
  if (!written.every((segment) => PCHARS.test(segment)))
    return { wrong: 'has a character in its path that must be percent-encoded' };
  const segments = written.map(decode);
  if (!segments.every((segment) => segment !== undefined))
    return { wrong: 'has a percent-escape in its path that is not UTF-8' };
  if (segments.some((segment) => segment === '.' || segment === '..' || /[/\\\p{Cc}]/u.test(segment)))
    return {
      wrong: 'has a path segment that would lead elsewhere (".", "..", "/", "\\" or a control character)',
    };
  if (segments.at(-1)?.endsWith('.'))
    return { wrong: 'has a path that ends in a dot, which Vault does not serve' };
  return { value: segments };
}

/** Parses the text between `?` and `#`: `version` and `encoding`, each at most once. */
export function parseParams(params: string | undefined): ReferencePart<ReadOptions> {
  let options: ReadOptions = { version: null, encoding: 'utf8' };
  if (params === undefined) return { value: options };
  const seen = new Set<string>();
  for (const param of params.split('&')) {
    const [name = '', value = ''] = param.split('=', 2);
    const option = param === `${name}=${value}` ? parseParam(name, value) : undefined;
    if (!option)
      return { wrong: 'has a parameter other than "version=<1 or more>" and "encoding=utf8|base64"' };
    if (seen.has(name)) return { wrong: `has the parameter "${name}" twice` };
    seen.add(name);
    options = { ...options, ...option };
  }
  return { value: options };
}

/**
 * Parses the key or pointer after `#`. It is percent-decoded once, like the path, so that a key can contain
 * any character.
 */
export function parseField(field: string): ReferencePart<string> {
  if (field.includes('#')) return { wrong: 'has a second "#"; in a field name write "%23"' };
  const decoded = decode(field);
  return decoded === undefined
    ? { wrong: 'has a "%" in its field name that is not an escape; write "%25"' }
    : { value: decoded };
}

function parseParam(name: string, value: string): Partial<ReadOptions> | undefined {
  if (name === 'version' && /^\d{1,10}$/.test(value) && Number(value) >= 1) return { version: Number(value) };
  if (name === 'encoding' && (value === 'utf8' || value === 'base64')) return { encoding: value };
  return undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

// RFC 3986 appendix B: scheme, authority, path, query, fragment.
const PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

interface Uri {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
}

/**
 * Resolves a reference against a base (RFC 3986 section 5.2), and returns the fragment separately. The base
 * may be relative.
 */
export function resolveUri(
  base: string,
  reference: string,
): { readonly uri: string; readonly fragment: string } {
  const { fragment, ...given } = parse(reference);
  return { uri: write(transform(parse(base), given)), fragment: decoded(fragment ?? '') };
}

function parse(text: string): Uri & { readonly fragment: string | undefined } {
  const [, scheme, authority, path = '', query, fragment] = (PARTS.exec(text) ?? []) as (
    string | undefined
  )[];
  return { scheme, authority, path, query, fragment };
}

function transform(base: Uri, given: Uri): Uri {
  if (given.scheme !== undefined) return { ...given, path: withoutDots(given.path) };
  const { scheme } = base;
  if (given.authority !== undefined) return { ...given, scheme, path: withoutDots(given.path) };
  const { authority } = base;
  if (given.path === '') return { scheme, authority, path: base.path, query: given.query ?? base.query };
  return { scheme, authority, path: withoutDots(merged(base, given.path)), query: given.query };
}

function merged({ authority, path }: Uri, given: string): string {
  if (given.startsWith('/')) return given;
  if (authority !== undefined && path === '') return `/${given}`;
  return path.slice(0, path.lastIndexOf('/') + 1) + given;
}

/** Removes dot segments from a path (RFC 3986 section 5.2.4). */
function withoutDots(path: string): string {
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  const kept: string[] = [];
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') {
      if (kept.length > 1 || (kept.length === 1 && kept[0] !== '')) kept.pop();
    } else if (segment !== '.') kept.push(segment);
    if (isLast && /^\.\.?$/.test(segment)) kept.push('');
  }
  return kept.join('/');
}

function write({ scheme, authority, path, query }: Uri): string {
  const head = (scheme === undefined ? '' : `${scheme}:`) + (authority === undefined ? '' : `//${authority}`);
  return head + path + (query === undefined ? '' : `?${query}`);
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

import { decodeUri } from '../../../lib/decode-uri.js';
// RFC 3986 appendix B: scheme, authority, path, query, fragment.
const URI_PARTS = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

interface UriParts {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
}

/**
 * Resolves a reference against a base URI (RFC 3986 section 5.2) and returns the fragment separately. The
 * base may be relative.
 */
export function resolveUri(
  base: string,
  reference: string,
): { readonly uri: string; readonly fragment: string } {
  const { fragment, ...parts } = parseUri(reference);
  return {
    uri: formatUri(transformReference(parseUri(base), parts)),
    fragment: decodeUri(fragment ?? ''),
  };
}

function parseUri(text: string): UriParts & { readonly fragment: string | undefined } {
  const [, scheme, authority, path = '', query, fragment] = (URI_PARTS.exec(text) ?? []) as (
    | string
    | undefined
  )[];
  return { scheme, authority, path, query, fragment };
}

function transformReference(base: UriParts, reference: UriParts): UriParts {
  if (reference.scheme !== undefined) return { ...reference, path: removeDotSegments(reference.path) };
  const { scheme } = base;
  if (reference.authority !== undefined)
    return { ...reference, scheme, path: removeDotSegments(reference.path) };
  const { authority } = base;
  if (reference.path === '')
    return { scheme, authority, path: base.path, query: reference.query ?? base.query };
  return {
    scheme,
    authority,
    path: removeDotSegments(mergePaths(base, reference.path)),
    query: reference.query,
  };
}

function mergePaths({ authority, path }: UriParts, referencePath: string): string {
  if (referencePath.startsWith('/')) return referencePath;
  if (authority !== undefined && path === '') return `/${referencePath}`;
  return path.slice(0, path.lastIndexOf('/') + 1) + referencePath;
}

/** Removes dot segments from a path (RFC 3986 section 5.2.4). */
function removeDotSegments(path: string): string {
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  const output: string[] = [];
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') {
      if (output.length > 1 || (output.length === 1 && output[0] !== '')) output.pop();
    } else if (segment !== '.') output.push(segment);
    if (isLast && /^\.\.?$/.test(segment)) output.push('');
  }
  return output.join('/');
}

function formatUri({ scheme, authority, path, query }: UriParts): string {
  const head = (scheme === undefined ? '' : `${scheme}:`) + (authority === undefined ? '' : `//${authority}`);
  return head + path + (query === undefined ? '' : `?${query}`);
}

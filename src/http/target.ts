import { Problem } from '../core/problem.js';

/** Maximum length of a request target, in bytes. */
export const MAX_TARGET_BYTES = 8192;

/**
 * Normalizes a request target (RFC 9112 section 3.2) for routing: returns its origin form, without duplicate
 * slashes in the path. Throws `uri_too_long`, or `malformed_request` for a target that peers may interpret
 * differently.
 */
export function normalizeTarget(target: string): string {
  if (target.length > MAX_TARGET_BYTES)
    throw new Problem('uri_too_long', `The request target is longer than ${MAX_TARGET_BYTES} bytes.`);
  const origin = target.replace(/^https?:\/\/[^/?]+\/?/i, '/');
  if (!/^\/[!"$-~]*$/.test(origin))
    throw malformedTarget('is not a path, or holds characters that must be percent-encoded');
  const at = origin.indexOf('?');
  const path = at < 0 ? origin : origin.slice(0, at);
  checkEncoding(path);
  return path.replaceAll(/\/{2,}/g, '/') + origin.slice(path.length);
}

function checkEncoding(path: string): void {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    throw malformedTarget('is not percent-encoded UTF-8');
  }
  if (/[\u0000-\u001f\u007f]/.test(decoded)) throw malformedTarget('holds control characters');
}

function malformedTarget(reason: string): Problem {
  return new Problem('malformed_request', `The request target ${reason}.`);
}

/**
 * Returns the query of a request target without the parameter `token`. This parameter authenticates the
 * caller (wire section 1.2), so operations must not receive it.
 */
export function queryOf(target: string): URLSearchParams {
  const at = target.indexOf('?');
  if (at < 0) return new URLSearchParams();
  const query = new URLSearchParams(target.slice(at + 1));
  query.delete('token');
  return query;
}

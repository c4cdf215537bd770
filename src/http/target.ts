import { Problem } from '../core/problem.js';

/** Longest request target, in bytes. */
export const TARGET_BYTES = 8192;

/**
 * Returns the normalized request target (RFC 9112 section 3.2) for routing: origin form, without duplicate
 * slashes in the path. Throws `uri_too_long`, or `malformed_request` for a target that peers may interpret
 * differently.
 */
export function normaliseTarget(target: string): string {
  if (target.length > TARGET_BYTES)
    throw new Problem('uri_too_long', `The request target is longer than ${TARGET_BYTES} bytes.`);
  const origin = target.replace(/^https?:\/\/[^/?]+\/?/i, '/');
  if (!/^\/[!"$-~]*$/.test(origin))
    throw refused('is not a path, or holds characters that must be percent-encoded');
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
    throw refused('is not percent-encoded UTF-8');
  }
  if (/[\u0000-\u001f\u007f]/.test(decoded)) throw refused('holds control characters');
}

function refused(why: string): Problem {
  return new Problem('malformed_request', `The request target ${why}.`);
}

/**
 * Returns the query of a request target, without the parameter `token`. That parameter authenticates the
 * caller (wire section 1.2), so no other code may see it.
 */
export function queryOf(target: string): URLSearchParams {
  const at = target.indexOf('?');
  if (at < 0) return new URLSearchParams();
  const query = new URLSearchParams(target.slice(at + 1));
  query.delete('token');
  return query;
}

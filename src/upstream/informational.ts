import { Problem } from '../core/problem.js';

/** Maximum number of informational responses to one request (RFC 9110 section 15.2). */
const MAX_INFORMATIONAL = 100;

/**
 * Returns the Problem that ends a request with this many informational responses; undefined while they are not too many: a
 * flood of them stops the event loop.
 */
export function tooManyInformational(count: number): Problem | undefined {
  if (count <= MAX_INFORMATIONAL) return undefined;
  return new Problem(
    'upstream_bad_reply',
    `the target sent more than ${MAX_INFORMATIONAL} informational responses`,
  );
}

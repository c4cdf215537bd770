import { Problem } from '../core/problem.js';

/** Maximum number of informational responses to one request (RFC 9110 section 15.2). */
const MAX_INFORMATIONAL = 100;

/**
 * Creates the count of informational responses to one request. Each call records one, and returns the Problem that ends the
 * request once there are too many: a flood of them stops the event loop.
 */
export function countInformational(): () => Problem | undefined {
  let count = 0;
  return () => {
    count += 1;
    if (count <= MAX_INFORMATIONAL) return undefined;
    return new Problem(
      'upstream_bad_reply',
      `the target sent more than ${MAX_INFORMATIONAL} informational responses`,
    );
  };
}

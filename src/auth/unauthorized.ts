import { Problem } from '../core/problem.js';

/**
 * Creates the Problem for every token that is not accepted. It is always the same, so that a caller learns
 * nothing from it; `cause` is for the log.
 */
export function unauthorized(cause: unknown): Problem {
  return new Problem('unauthorized', 'A valid bearer token is required.', {
    cause,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

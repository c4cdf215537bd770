import { Problem } from '../core/problem.js';

/**
 * Creates the Problem for a token that cannot be checked, because the keys of its issuer are missing. The token may be
 * valid, so the response is not 401: clients must not discard the token.
 */
export function issuerUnavailable(retryMs: number, reason: string): Problem {
  return new Problem(
    'issuer_unavailable',
    'The token cannot be checked now: the keys of its issuer are missing.',
    {
      cause: new Error(reason),
      headers: { 'retry-after': String(Math.max(1, Math.ceil(retryMs / 1000))) },
    },
  );
}

import type { ProblemCode } from './problem-codes.js';

/** Code and status of the Problem of an orchestrator's error. */
interface UpstreamErrorKind {
  readonly code: ProblemCode;
  readonly status: number;
}

/**
 * Returns the code and the status for a status of the orchestrator. Maps 401, 403 and 407 to 502: they concern the adapter's
 * credentials, not those of the caller.
 */
export function upstreamErrorKind(status: number): UpstreamErrorKind {
  if (status === 401 || status === 403 || status === 407) return { code: 'upstream_auth', status: 502 };
  if (status >= 400 && status < 500) return { code: 'upstream_rejected', status };
  return { code: 'upstream_failed', status: 502 };
}

import type { CancelSignal } from '../core/cancel-signal.js';
import { Problem } from '../core/problem.js';

/**
 * Returns the Problem that the caller receives for an error: a Problem unchanged, anything else as
 * `internal`, because it is a bug. After the signal has fired, the Problem is `caller_gone`.
 */
export function problemOf(error: unknown, signal?: CancelSignal): Problem {
  if (error instanceof Problem) return error;
  if (signal?.aborted) return clientClosedRequest(error);
  return new Problem('internal', 'Something went wrong on our side.', { cause: error });
}

/** Creates the Problem of a caller who disconnected before the response. */
export function clientClosedRequest(cause?: unknown): Problem {
  return new Problem('caller_gone', 'The caller left before the answer.', { cause });
}

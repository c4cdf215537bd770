import type { CancelSignal } from '../core/cancel-signal.js';
import { Problem } from '../core/problem.js';

/** What the caller is told of an error: a Problem as it is; everything else is a bug, hidden behind `internal`. */
export function problemOf(error: unknown, signal?: CancelSignal): Problem {
  if (error instanceof Problem) return error;
  if (signal?.aborted) return clientClosedRequest(error);
  return new Problem('internal', 'Something went wrong on our side.', { cause: error });
}

/** The Problem of a caller who left before the answer. */
export function clientClosedRequest(cause?: unknown): Problem {
  return new Problem('caller_gone', 'The caller left before the answer.', { cause });
}

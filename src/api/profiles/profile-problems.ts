import type { Fault, LocatedFault } from '../../core/fault.js';
import { Problem } from '../../core/problem.js';

/** Maximum number of errors in one reply. */
const ERROR_LIMIT = 100;

/**
 * Creates the Problem of a profile that cannot be stored; `at` is the pointer to the profile in the request.
 */
export function misconfigured(faults: readonly LocatedFault[], at: string): Problem {
  const errors = faults.map(({ pointer, message, fix }) => ({
    pointer: at + pointer,
    message: fix === '' ? message : `${message}. ${fix}`,
  }));
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const detail = `Nothing was changed: ${first?.pointer ?? ''} ${first?.message ?? ''}${more}`;
  return new Problem('invalid_request', detail, { errors: errors.slice(0, ERROR_LIMIT) });
}

/** Creates the Problem of a change that the server cannot apply. */
export function cannotStart(faults: readonly Fault[]): Problem {
  return misconfigured(
    faults.map((fault) => ({ ...fault, message: `${fault.message} (${fault.file})` })),
    '',
  );
}

/** Problems of unknown profiles, with the sentences that clients print (wire section 5.4). */
export const absent = {
  toRead: () => new Problem('profile_not_found', 'Profile not found.'),
  toChange: (name: string) => new Problem('profile_not_found', `Profile: ${name} does not exist!`),
} as const;

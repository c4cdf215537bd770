import { Problem } from '../../../core/problem.js';

/** The Problem of one member of a body that is not as it must be. */
export function invalidMember(pointer: string, message: string): Problem {
  return new Problem('invalid_request', `${pointer} ${message}.`, { errors: [{ pointer, message }] });
}

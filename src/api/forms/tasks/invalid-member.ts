import { Problem } from '../../../core/problem.js';

/** Creates the Problem of an invalid member of a request. */
export function invalidMember(pointer: string, message: string): Problem {
  return new Problem('invalid_request', `${pointer} ${message}.`, { errors: [{ pointer, message }] });
}

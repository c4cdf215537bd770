import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import type { ProblemCode } from '../../src/core/problem-codes.js';

/**
 * Returns a check for `assert.rejects` and `assert.throws`: a Problem with this code and a matching message.
 */
export function problem(code: ProblemCode, message = /./): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
}

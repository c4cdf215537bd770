import assert from 'node:assert/strict';
import type { ProblemCode } from '../../src/core/problem-codes.js';
import { Problem } from '../../src/core/problem.js';
import { column } from './columns.js';

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

/** Returns a check for the Problem invalid_request with an error at each of these pointers, in their order. */
export function invalidAt(...pointers: readonly string[]): (error: unknown) => true {
  return (error) => {
    problem('invalid_request')(error);
    assert.deepEqual(column((error as Problem).extras.errors, 'pointer'), pointers);
    return true;
  };
}

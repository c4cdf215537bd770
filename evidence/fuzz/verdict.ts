import assert from 'node:assert/strict';
import type { ProblemCode } from '../../src/core/problem-codes.js';
import { Problem } from '../../src/core/problem.js';

/** Returns the value, or the thrown error. */
export function resultOf<T>(read: () => T): { readonly value: T } | { readonly error: Error } {
  try {
    return { value: read() };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Returns the value; `undefined` for a refusal with one of these codes. Rethrows all other errors. */
export function problemOf<T>(
  read: () => T,
  ...codes: readonly ProblemCode[]
): { readonly value: T } | undefined {
  const result = resultOf(read);
  if ('value' in result) return result;
  if (!(result.error instanceof Problem)) throw result.error;
  assert.ok(codes.includes(result.error.code), result.error.code);
  return undefined;
}

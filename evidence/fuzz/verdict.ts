import assert from 'node:assert/strict';
import type { ProblemCode } from '../../src/core/problem-codes.js';
import { Problem } from '../../src/core/problem.js';

/** What came of it: a value, or the error that was thrown. */
export function resultOf<T>(read: () => T): { readonly value: T } | { readonly error: Error } {
  try {
    return { value: read() };
  } catch (error) {
    return { error: error as Error };
  }
}

/** The value; `undefined` for a refusal with one of these codes. Throws whatever else was thrown. */
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

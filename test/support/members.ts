import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

/**
 * Asserts that a value has the expected members, and maybe more. A RegExp matches a text; a list matches a list of the
 * same length, item by item.
 */
export function assertMembers(actual: unknown, expected: unknown, place = 'the value'): void {
  if (expected instanceof RegExp)
    assert.ok(typeof actual === 'string' && expected.test(actual), differs(actual, expected, place));
  else if (typeof expected !== 'object' || expected === null)
    assert.ok(isDeepStrictEqual(actual, expected), differs(actual, expected, place));
  else {
    assert.ok(typeof actual === 'object' && actual !== null, differs(actual, expected, place));
    const members = actual as Readonly<Record<string, unknown>>;
    if (Array.isArray(expected))
      assert.equal(members['length'], expected.length, differs(actual, expected, place));
    for (const [name, member] of Object.entries(expected))
      assertMembers(members[name], member, `${place}/${name}`);
  }
}

/** Returns true if a value has the expected members. */
export function hasMembers(actual: unknown, expected: unknown): boolean {
  try {
    assertMembers(actual, expected);
    return true;
  } catch {
    return false;
  }
}

function differs(actual: unknown, expected: unknown, place: string): string {
  const shown = expected instanceof RegExp ? String(expected) : JSON.stringify(expected);
  return `${place} is ${JSON.stringify(actual)}, not ${shown}`;
}

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';

/** Number of cases in each part of the requirements on secrets. */
const COUNTS = { G: 13, T: 12, R: 17, A: 18, V: 10, S: 15, X: 5 };

const ids = Object.entries(COUNTS).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, at) => `${letter}-${String(at + 1).padStart(2, '0')}`),
);

/** Returns the texts in the sources of all tests that begin with the number of a case, which are titles. */
function titles(): readonly string[] {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'))
    .flatMap((text) => text.match(/(?<=['"`])[A-Z]-\d\d [^'"`\n]+/g) ?? []);
}

describe('the numbered requirements on secrets', () => {
  const named = new Set(titles().flatMap((title) => title.match(/\b[GTRAVSX]-\d\d\b/g) ?? []));

  it('number ninety', () => {
    assert.equal(ids.length, 90);
  });

  it('have a test each', () => {
    assert.deepEqual(
      ids.filter((id) => !named.has(id)),
      [],
    );
  });

  it('include every number that a test title names', () => {
    assert.deepEqual(
      [...named].filter((id) => !ids.includes(id)),
      [],
    );
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';

/** Number of cases in each part of the requirements on secrets. */
const COUNTS = { G: 13, T: 12, R: 17, A: 18, V: 10, S: 15, X: 5 };

const ids = Object.entries(COUNTS).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, at) => `${letter}-${String(at + 1).padStart(2, '0')}`),
);

/** Returns the titles of all tests from their sources. */
function titles(): readonly string[] {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(ROOT, 'test', name), 'utf8'))
    .flatMap((text) => [...text.matchAll(/\bit\(\s*(['"`])(.+?)\1,/gs)].map(([, , title = '']) => title));
}

describe('the numbered requirements on secrets', () => {
  const named = new Set(titles().flatMap((title) => title.match(/\b[GTRAVSX]-\d\d\b/g) ?? []));

  it('number ninety', () => {
    assert.equal(ids.length, 90);
  });

  for (const id of ids)
    it(`have a test named ${id}`, () => {
      assert.ok(named.has(id));
    });

  it('include every number that a test title names', () => {
    assert.deepEqual(
      [...named].filter((id) => !ids.includes(id)),
      [],
    );
  });
});

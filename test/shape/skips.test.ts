import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';

/** Files that may skip a test: `describeWith`, a suite for the test of the test runner, and this file. */
const ALLOWED = ['test/support/needs.ts', 'test/e2e/failing-suite.ts', 'test/shape/skips.test.ts'];

const SKIP = /\.skip\s*\(|\b(?:describe|it|context|specify)\.skip\b|\bx(?:describe|it)\(/;

describe('the tests', () => {
  const files = ['test', 'evidence']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => /\.[cm]?[jt]s$/.test(file) && !file.includes('node_modules/'));

  it('skip only by needs: a suite that skips itself in a hook runs its other hooks (bug: `after` closed nothing)', () => {
    const checked = files.filter((file) => !ALLOWED.includes(file));
    assert.ok(checked.length > 1_000);
    assert.deepEqual(
      checked.filter((file) => SKIP.test(readFileSync(join(ROOT, file), 'utf8'))),
      [],
      'use describeWith or itWith of test/support/needs.ts',
    );
  });

  it('are found if they skip themselves', () => {
    for (const text of ['this.skip()', 'it.skip("a", f)', 'const d = isHere ? describe : describe.skip;'])
      assert.match(text, SKIP);
    assert.doesNotMatch('describeWith(LINUX, "a", f)', SKIP);
  });
});

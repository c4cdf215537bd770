import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../docs/markdown.js';

interface CommitCheck {
  commitFindings(commit: { subject: string; body: string; files: readonly string[] }): readonly string[];
}

describe('scripts/check-commits.mjs', () => {
  let check: CommitCheck;
  before(async () => {
    check = (await import(pathToFileURL(join(ROOT, 'scripts/check-commits.mjs')).href)) as CommitCheck;
  });

  for (const [title, subject, files, finding] of [
    [
      'accepts files of the area, with tests and guides',
      'secrets: retry',
      ['src/secrets/a.ts', 'test/secrets/a.test.ts', 'docs/b.md'],
    ],
    ['accepts a file with the name of the area', 'limits: count', ['src/core/limits.ts', 'src/http/a.ts']],
    ['accepts any of several areas', 'http, secrets: stop', ['src/http/a.ts', 'src/secrets/b.ts']],
    ['accepts an area of tests', 'test, http: drop', ['test/http/a.test.ts', 'test/support/b.ts']],
    [
      'finds an area of the minority of the files',
      'server: answer',
      ['src/server/a.ts', 'src/api/b.ts', 'src/api/c.ts'],
      '"server" matches 1 of its 3 files',
    ],
    [
      'finds a subject without an area',
      'Merge branch',
      ['src/a.ts'],
      'its subject is not "area: imperative"',
    ],
  ] as const)
    it(title, () => {
      const found = check.commitFindings({ subject, files, body: 'reason' });
      assert.deepEqual(found, finding === undefined ? [] : [finding]);
    });

  it('finds a commit without a reason', () => {
    const found = check.commitFindings({ subject: 'secrets: retry', files: ['src/secrets/a.ts'], body: '' });
    assert.deepEqual(found, ['it has no reason in its body']);
  });
});

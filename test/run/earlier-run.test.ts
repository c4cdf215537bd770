import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SUPERUSER } from '../support/need-list.js';
import { lackOf } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { UsageError } from './arguments.js';
import { filesDoneIn, writeResults } from './earlier-run.js';

describe('the results of an earlier run', () => {
  const root = temporaryFolder().path;
  const path = join(temporaryFolder().path, 'results.json');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  const files = ['test/a.test.ts', 'test/b.test.ts', 'test/c.test.ts', 'test/d.test.ts', 'test/e.test.ts'];
  const skipped = [
    { file: 'test/b.test.ts', title: 'the store (needs a planet) works' },
    { file: 'test/c.test.ts', title: 'a suite that skips itself' },
    { file: 'test/d.test.ts', title: 'a file (needs root) is read' },
    { file: 'test/e.test.ts', title: 'a file (needs an ordinary user) is read' },
  ];
  const isRejected = (message: RegExp, leakScan = false): void => {
    assert.throws(
      () => filesDoneIn(path, { leakScan }, root),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  };

  before(() => {
    writeFileSync(join(root, 'a.txt'), 'a');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'all');
    writeResults(path, { files, skipped, leakScan: false }, root);
  });

  it('leave out files without skipped tests, and those whose needs are not met now either', () => {
    const done = filesDoneIn(path, { leakScan: false }, root);
    assert.ok(done.includes('test/a.test.ts'));
    assert.ok(!done.includes('test/b.test.ts'), 'an unknown need');
    assert.ok(!done.includes('test/c.test.ts'), 'no need');
    assert.equal(done.includes('test/d.test.ts'), lackOf(SUPERUSER) !== undefined);
    assert.equal(done.includes('test/e.test.ts'), lackOf(SUPERUSER) === undefined);
  });

  it('are not accepted by a run that searches for secrets, unless they were searched', () => {
    isRejected(/is of a run without --leak-scan/, true);
  });

  it('are neither written nor accepted with changes', () => {
    writeFileSync(join(root, 'b.txt'), 'b');
    isRejected(/need a checkout without changes/);
    assert.throws(() => {
      writeResults(path, { files, skipped, leakScan: false }, root);
    }, UsageError);
  });

  it('are not accepted for another commit or another Node.js', () => {
    git('add', '.');
    git('commit', '-qm', 'more');
    isRejected(/is of commit \w+, not of \w+/);
    const run = JSON.parse(readFileSync(path, 'utf8')) as object;
    const commit = git('rev-parse', 'HEAD').toString().trim();
    writeFileSync(path, JSON.stringify({ ...run, commit, node: 'v1.0.0' }));
    isRejected(/is of Node\.js v1\.0\.0/);
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';
import { writeFiles } from '../support/write-files.js';
import { changedTests, testsOfChanges } from './changed.js';

/** Source files with their imports. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'src/core/a.ts': [],
  'src/core/b.ts': ['./a.js'],
  'src/core/c.ts': [],
  'test/core/a.test.ts': ['../../src/core/a.js'],
  'test/core/b.test.ts': ['../../src/core/b.js'],
  'test/core/c.test.ts': ['../../src/core/c.js'],
  'test/support/d.ts': [],
  'test/core/d.test.ts': ['../support/d.js'],
  'test/e2e/d.test.ts': ['../support/d.js'],
  'test/e2e/all.test.ts': ['../../src/core/b.js'],
};

describe('testsOfChanges', () => {
  const root = temporaryFolder().path;
  const write = (path: string, text: string): void => {
    writeFiles(root, { [path]: text });
  };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  const touch = (path: string, more = ''): void => {
    // With the quotes of the compiler.
    const text = (FILES[path] ?? []).map((one) => `import ${JSON.stringify(one)};\n`).join('') + more;
    write(path, text);
    write(`dist/${path.replace(/\.ts$/, '.js')}`, text);
  };
  const chosen = (select = testsOfChanges): readonly string[] => {
    const files = Object.keys(FILES).filter((path) => path.endsWith('.test.ts'));
    const compiled = files.map((path) => join(root, 'dist', path.replace(/\.ts$/, '.js')));
    return select(root, compiled).map((file) => relative(join(root, 'dist'), file));
  };

  before(() => {
    for (const path of Object.keys(FILES)) touch(path);
    write('.gitignore', 'dist/\n');
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'all');
  });

  it('returns no tests without a change', () => {
    assert.deepEqual(chosen(), []);
  });

  it('returns the tests that import a changed file, the nearest first, without end-to-end tests', () => {
    touch('src/core/a.ts', '// changed\n');
    assert.deepEqual(chosen(), ['test/core/a.test.js', 'test/core/b.test.js']);
  });

  it('knows the quotes of the compiler (bug: no import was followed)', () => {
    assert.match(readFileSync(new URL(import.meta.url), 'utf8'), /^import .* from "\.\/changed\.js";$/m);
  });

  it('returns changed tests of any tier', () => {
    git('add', '.');
    git('commit', '-qm', 'more');
    touch('test/e2e/all.test.ts', '// changed\n');
    assert.deepEqual(chosen(), ['test/e2e/all.test.js']);
  });

  it('returns changed test files, and one for each changed file that tests share', () => {
    git('add', '.');
    git('commit', '-qm', 'further');
    assert.deepEqual(chosen(changedTests), []);
    touch('src/core/a.ts', '// changed again\n');
    touch('test/e2e/all.test.ts', '// changed again\n');
    touch('test/support/d.ts', '// changed\n');
    assert.deepEqual(chosen(changedTests), ['test/e2e/all.test.js', 'test/core/d.test.js']);
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from '../../src/lib/create-folder.js';
import { LINUX } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('createFolder', () => {
  const root = temporaryFolder();

  it('creates a folder with those above it, and accepts one that exists', () => {
    const path = join(root.path, 'a', 'b', 'c');
    createFolder(path, 0o700);
    createFolder(path, 0o700);
    assert.equal(statSync(join(root.path, 'a')).mode & 0o777, 0o700);
  });

  it('throws the error of the system for a file in the way', () => {
    writeFileSync(join(root.path, 'file'), '');
    assert.throws(
      () => {
        createFolder(join(root.path, 'file'));
      },
      { code: 'EEXIST' },
    );
    assert.throws(
      () => {
        createFolder(join(root.path, 'file', 'b'));
      },
      { code: 'ENOTDIR' },
    );
  });

  itWith(LINUX, 'ends where nothing can be created (Node.js tries again for ever)', () => {
    const module = new URL('../../src/lib/create-folder.js', import.meta.url).href;
    const code = `import { createFolder } from ${JSON.stringify(module)};
      try { createFolder('/proc/gatehouse/data'); } catch (error) { process.stdout.write(error.code); }`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.equal(stdout, 'ENOENT');
  });
});

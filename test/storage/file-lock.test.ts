import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockFile } from '../../src/storage/file-lock.js';
import { LINUX } from '../support/need-list.js';
import { itWith } from '../support/needs.js';
import { openBelow } from '../support/open-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const MODULE = new URL('../../src/storage/file-lock.js', import.meta.url).href;

describe('lockFile (bug: two servers shared their data, and the audit trail broke)', () => {
  const folder = temporaryFolder();
  const path = (): string => join(folder.path, 'data', 'gatehouse.db');

  it('refuses a second lock, and names the holder', () => {
    const lock = lockFile(path(), '/etc/first/gatehouse.yaml');
    assert.throws(
      () => lockFile(path(), '/etc/second/gatehouse.yaml'),
      ({ message }: Error) => {
        const holder = `process ${process.pid} on ${hostname()} with the configuration /etc/first/gatehouse.yaml`;
        assert.ok(message.startsWith(`${path()} is in use by ${holder}. `), message);
        return true;
      },
    );
    lock.close();
    lockFile(path(), '/etc/second/gatehouse.yaml').close();
  });

  itWith(LINUX, 'leaves no file open when it is released', () => {
    lockFile(path(), "/etc/it's/gatehouse.yaml").close();
    assert.deepEqual(openBelow(folder.path), []);
  });

  it('locks each file by itself', () => {
    const locks = ['a.db', 'b.db'].map((name) => lockFile(join(folder.path, name), 'gatehouse.yaml'));
    for (const lock of locks) lock.close();
  });

  it('names the path and the next step if the folder cannot be used', () => {
    writeFileSync(join(folder.path, 'file'), '');
    const below = join(folder.path, 'file', 'data', 'gatehouse.db');
    const words = `The lock ${below}.lock cannot be created (ENOTDIR). A parent of the path is a file`;
    assert.throws(
      () => lockFile(below, 'gatehouse.yaml'),
      ({ message }: Error) => message.startsWith(words),
    );
    writeFileSync(join(folder.path, 'open.db.lock'), '', { mode: 0o666 });
    chmodSync(join(folder.path, 'open.db.lock'), 0o666);
    assert.throws(() => lockFile(join(folder.path, 'open.db'), 'gatehouse.yaml'), /Run: chmod o=/);
  });

  it('takes over the lock of a process that was killed', async () => {
    const code = `import { lockFile } from ${JSON.stringify(MODULE)};
      lockFile(${JSON.stringify(path())}, 'killed.yaml');
      process.stdout.write('locked');
      setInterval(() => undefined, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    assert.throws(
      () => lockFile(path(), 'gatehouse.yaml'),
      new RegExp(`process ${other.pid} on .*killed\\.yaml`),
    );
    other.kill('SIGKILL');
    await once(other, 'close');
    lockFile(path(), 'gatehouse.yaml').close();
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { readSecretFile } from '../../../src/secrets/files/read-secret-file.js';
import { SecretError } from '../../../src/secrets/secret-error.js';
import { ORDINARY_USER } from '../../support/need-list.js';
import { itWith } from '../../support/needs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('readSecretFile', () => {
  let outside: string;
  let root: string;
  beforeEach(() => {
    outside = temporaryFolder().path;
    root = join(outside, 'root');
    mkdirSync(join(root, 'folder'), { recursive: true });
    writeFileSync(join(root, 'password'), 'c4n4ry\n', { mode: 0o600 });
    writeFileSync(join(outside, 'other'), 'c4n4ry-other', { mode: 0o600 });
  });

  const read = (path: string, maxBytes = 100) => readSecretFile(path.split('/'), { root, maxBytes });
  const refusedWith = (code: string) => (error: unknown) => {
    assert.ok(error instanceof SecretError, String(error));
    assert.equal(error.code, code);
    assert.ok(!error.message.includes('c4n4ry') && !error.message.includes(root));
    return true;
  };

  it('returns the text of a file', async () => {
    assert.deepEqual(await read('password'), { text: 'c4n4ry\n', isWorldReadable: false });
  });

  it('reports a file that every user may read', async () => {
    chmodSync(join(root, 'password'), 0o644);
    assert.equal((await read('password')).isWorldReadable, true);
  });

  it('follows links inside the root, also of a root that is a link', async () => {
    symlinkSync('../password', join(root, 'folder', 'link'));
    symlinkSync(root, join(outside, 'linked-root'));
    const linked = { root: join(outside, 'linked-root'), maxBytes: 100 };
    assert.equal((await readSecretFile(['folder', 'link'], linked)).text, 'c4n4ry\n');
  });

  it('refuses links out of the root: of a file, of a folder, and to a folder with a longer name', async () => {
    mkdirSync(`${root}-other`);
    writeFileSync(`${root}-other/x`, 'c4n4ry');
    symlinkSync(join(outside, 'other'), join(root, 'file-link'));
    symlinkSync(outside, join(root, 'folder-link'));
    symlinkSync(`${root}-other/x`, join(root, 'sibling'));
    symlinkSync('/proc/self/environ', join(root, 'environment'));
    symlinkSync('.', join(root, 'self'));
    for (const path of ['file-link', 'folder-link/other', 'sibling', 'environment', 'self'])
      await assert.rejects(read(path), refusedWith('FILE_OUTSIDE_ROOT'), path);
  });

  describe('while another process replaces what it reads', () => {
    const { open } = files;
    /** Calls back before and after each opening of a file. */
    const aroundOpen = (before: () => void, after: () => void): void => {
      files.open = async (...input) => {
        before();
        const handle = await open(...input);
        after();
        return handle;
      };
      syncBuiltinESMExports();
    };
    afterEach(() => {
      files.open = open;
      syncBuiltinESMExports();
    });

    it('returns no file outside of the root, if a folder is a link out of it only while the file is opened', async () => {
      writeFileSync(join(root, 'folder', 'other'), 'inside', { mode: 0o600 });
      const [folder, aside] = [join(root, 'folder'), join(root, 'aside')];
      aroundOpen(
        () => {
          renameSync(folder, aside);
          symlinkSync(outside, folder);
        },
        () => {
          rmSync(folder);
          renameSync(aside, folder);
        },
      );
      await assert.rejects(read('folder/other'), refusedWith('FILE_UNREADABLE'));
    });

    it('returns no file outside of the root, if the file is a link out of it when it is opened', async () => {
      const [file, aside] = [join(root, 'password'), join(root, 'aside')];
      aroundOpen(
        () => {
          renameSync(file, aside);
          symlinkSync(join(outside, 'other'), file);
        },
        () => undefined,
      );
      await assert.rejects(read('password'), refusedWith('FILE_UNREADABLE'));
    });

    it('returns the new file after a replacement, and not the previous one', async () => {
      const file = join(root, 'password');
      let isReplaced = false;
      aroundOpen(
        () => undefined,
        () => {
          if (isReplaced) return;
          isReplaced = true;
          writeFileSync(`${file}.next`, 'n3w\n', { mode: 0o600 });
          renameSync(`${file}.next`, file);
        },
      );
      assert.equal((await read('password')).text, 'n3w\n');
    });
  });

  it('refuses segments that lead upward, should a caller not check them', async () => {
    await assert.rejects(read('../other'), refusedWith('FILE_OUTSIDE_ROOT'));
  });

  it('refuses a folder, a FIFO without a writer, and a device, without waiting', async () => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    for (const path of ['folder', 'fifo']) await assert.rejects(read(path), refusedWith('FILE_NOT_REGULAR'));
  });

  it('refuses a large file, an empty file, and bytes that are no text', async () => {
    writeFileSync(join(root, 'large'), 'x'.repeat(101));
    writeFileSync(join(root, 'exact'), 'x'.repeat(100));
    writeFileSync(join(root, 'empty'), '');
    writeFileSync(join(root, 'bytes'), Buffer.from([0xff, 0xfe, 1]));
    writeFileSync(join(root, 'nul'), 'a\0b');
    await assert.rejects(read('large'), refusedWith('FILE_TOO_LARGE'));
    assert.equal((await read('exact')).text.length, 100);
    await assert.rejects(read('empty'), refusedWith('FILE_EMPTY'));
    await assert.rejects(read('bytes'), refusedWith('FILE_NOT_TEXT'));
    await assert.rejects(read('nul'), refusedWith('FILE_NOT_TEXT'));
  });

  it('explains a missing file, a file in place of a folder, a link to itself, and a missing root', async () => {
    symlinkSync('loop', join(root, 'loop'));
    for (const path of ['none', 'none/password', 'password/below'])
      await assert.rejects(read(path), refusedWith('FILE_NOT_FOUND'), path);
    await assert.rejects(read('loop'), refusedWith('FILE_UNREADABLE'));
    await assert.rejects(
      readSecretFile(['password'], { root: join(outside, 'no-root'), maxBytes: 100 }),
      refusedWith('FILE_NOT_FOUND'),
    );
  });

  itWith(ORDINARY_USER, 'explains a file that the server must not read', async () => {
    chmodSync(join(root, 'password'), 0);
    await assert.rejects(read('password'), refusedWith('FILE_DENIED'));
  });
});

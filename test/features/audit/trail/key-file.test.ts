import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyFile, keyFileOf, readKeyFile } from '../../../../src/features/audit/trail/key.js';
import { LINUX } from '../../../support/need-list.js';
import { itWith } from '../../../support/needs.js';
import { openBelow } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('the key file of an audit trail', () => {
  const folder = temporaryFolder();

  it('is reported as unreadable with the cause if it exists but cannot be read', async () => {
    const path = keyFileOf(join(folder.path, 'unreadable'));
    assert.equal(await readKeyFile(path), undefined);
    mkdirSync(path, { mode: 0o700 });
    await assert.rejects(readKeyFile(path), (error) => {
      assert.ok(error instanceof Error && error.cause instanceof Error);
      const advice = 'cannot be read (EISDIR). Let this process read the file.';
      assert.equal(error.message, `The key of the audit trail, ${path}, ${advice}`);
      return true;
    });
  });

  itWith(LINUX, 'is closed after every read', async () => {
    const [good, bad] = ['good', 'bad'].map((name) => keyFileOf(join(folder.path, name))) as [string, string];
    await createKeyFile(good);
    assert.match((await readKeyFile(good)) ?? '', /^[0-9a-f]{64}$/);
    writeFileSync(bad, 'short', { mode: 0o600 });
    await assert.rejects(readKeyFile(bad));
    assert.deepEqual(openBelow(folder.path), []);
  });
});

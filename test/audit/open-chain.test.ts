import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKeyFile, keyFileOf } from '../../src/audit/key-file.js';
import { openAuditTrail } from '../../src/audit/open-audit-trail.js';
import { auditRecord } from '../support/audit-record.js';
import { openFiles, TELLS_OPEN_FILES } from '../support/open-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { watchSyncs } from '../support/watched-syncs.js';

describe('the file of an audit trail', () => {
  const folder = temporaryFolder();
  let count = 0;
  const newFile = (): string => join(folder.path, `chain-${(count += 1)}.log`);

  for (const [durability, opened, appended] of [
    ['fsync', ['file', 'folder'], ['file']],
    ['written', [], []],
  ] as const)
    it(`is put on the disk as asked for (${durability})`, async () => {
      const file = newFile();
      await createKeyFile(keyFileOf(file));
      const syncs = await watchSyncs();
      try {
        const trail = await openAuditTrail({ file, durability }, {});
        assert.deepEqual(syncs.kinds, opened);
        await trail.append(auditRecord('r'));
        assert.deepEqual(syncs.kinds, [...opened, ...appended]);
        await trail.close();
      } finally {
        syncs.stop();
      }
    });

  it('has its key on the disk before the first record, and the name of the key too', async () => {
    const syncs = await watchSyncs();
    try {
      await createKeyFile(keyFileOf(newFile()));
      assert.deepEqual(syncs.kinds, ['file', 'folder']);
    } finally {
      syncs.stop();
    }
  });

  for (const [what, there, bytes] of [
    ['a whole line', 'of others\n', 10],
    ['a line without its end', 'of others', 10],
  ] as const)
    it(`begins behind ${what} that was there`, async () => {
      const file = newFile();
      writeFileSync(file, there);
      const trail = await openAuditTrail({ file, durability: 'written' }, {});
      await trail.close();
      const [first, begin = '', rest] = readFileSync(file, 'utf8').split('\n');
      assert.deepEqual([first, rest], ['of others', '']);
      const { operation, outcome } = JSON.parse(begin) as Record<string, unknown>;
      assert.equal(operation, 'audit.begin');
      assert.match(String(outcome), new RegExp(`\\b${bytes}\\b`));
    });

  it('is closed again when it cannot be used', async function () {
    if (!TELLS_OPEN_FILES) return this.skip();
    const file = newFile();
    writeFileSync(file, '');
    truncateSync(file, 17 * 1024 * 1024);
    const before = openFiles();
    await assert.rejects(
      openAuditTrail({ file, durability: 'written' }, {}),
      /too long for a record; move it away/,
    );
    assert.equal(openFiles(), before);
  });
});

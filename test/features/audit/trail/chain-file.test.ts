import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFault } from '../../../../src/features/audit/trail/chain-file.js';
import { createKeyFile, keyFileOf } from '../../../../src/features/audit/trail/key.js';
import { openAuditTrail } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { auditRecord } from '../../../support/audit-record.js';
import { LINUX } from '../../../support/need-list.js';
import { itWith } from '../../../support/needs.js';
import { openBelow } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { watchSyncs } from '../../../support/watched-syncs.js';

describe('the file of an audit trail', () => {
  const folder = temporaryFolder();
  let count = 0;
  const newFile = (): string => join(folder.path, `chain-${(count += 1)}.log`);

  for (const [durability, opened, appended] of [
    ['fsync', ['file', 'folder'], ['file']],
    ['written', [], []],
  ] as const)
    it(`is synced according to the setting (${durability})`, async () => {
      const file = newFile();
      await createKeyFile(keyFileOf(file));
      await watchSyncs(async (kinds) => {
        const trail = await openAuditTrail({ file, durability }, {});
        assert.deepEqual(kinds, opened);
        await trail.append(auditRecord('r'));
        assert.deepEqual(kinds, [...opened, ...appended]);
        await trail.close();
      });
    });

  it('has its key and the directory entry of the key synced before the first record', async () => {
    await watchSyncs(async (kinds) => {
      await createKeyFile(keyFileOf(newFile()));
      assert.deepEqual(kinds, ['file', 'folder']);
    });
  });

  for (const [what, there] of [
    ['a whole line', 'of others\n'],
    ['a line without its end', 'of others'],
  ] as const)
    it(`starts a chain after ${what} of another writer`, async () => {
      const file = newFile();
      writeFileSync(file, there);
      const trail = await openAuditTrail({ file, durability: 'written' }, {});
      await trail.close();
      const [first, begin = '', rest] = readFileSync(file, 'utf8').split('\n');
      assert.deepEqual([first, rest], ['of others', '']);
      const { operation, outcome } = JSON.parse(begin) as Record<string, unknown>;
      assert.equal(operation, 'audit.begin');
      assert.match(String(outcome), /\b10\b/);
    });

  itWith(LINUX, 'is closed when it cannot be used', async () => {
    const file = newFile();
    writeFileSync(file, '');
    truncateSync(file, 17 * 1024 * 1024);
    await assert.rejects(
      openAuditTrail({ file, durability: 'written' }, {}),
      /too long for a record; move it away/,
    );
    assert.deepEqual(openBelow(folder.path), []);
  });
});

describe('openFault', () => {
  it('recommends a fix for each code, and names the cause that has none', () => {
    const rights = 'Give the user of this process the right to write it, or set audit.file to another path.';
    const failure = (code: string): Error => Object.assign(new Error('quoted by the system'), { code });
    for (const [cause, reason, advice] of [
      [failure('EISDIR'), 'EISDIR', 'It is a folder: let audit.file name a file in it.'],
      [failure('EACCES'), 'EACCES', rights],
      [failure('EPERM'), 'EPERM', rights],
      [failure('EROFS'), 'EROFS', 'Its file system is read-only: set audit.file to another path.'],
      [failure('ENOSPC'), 'ENOSPC', 'The disk is full: free space.'],
      [failure('ENOTDIR'), 'ENOTDIR', 'A part of its path is a file: correct audit.file.'],
      [failure('EEXIST'), 'EEXIST', 'A part of its path is a file: correct audit.file.'],
      [failure('EIO'), 'EIO', 'Check audit.file.'],
      [new Error('it is odd'), 'it is odd', 'Check audit.file.'],
      ['odd', 'unknown', 'Check audit.file.'],
    ] as const) {
      const fault = openFault('/var/a.log', cause);
      assert.equal(fault.message, `The audit file /var/a.log cannot be opened (${reason}). ${advice}`);
      assert.equal(fault.cause, cause);
    }
  });
});

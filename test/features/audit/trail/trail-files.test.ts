import assert from 'node:assert/strict';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openAuditTrail } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { chainFiles, fileOfChain, trailFiles } from '../../../../src/features/audit/trail/trail-files.js';
import { auditRecord } from '../../../support/audit-record.js';
import { openBelow, TELLS_OPEN_FILES } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

describe('chainFiles', () => {
  it('returns the audit file and those of the workers beside it, by number', async () => {
    const { path: folder } = temporaryFolder();
    const file = join(folder, 'audit.log');
    assert.equal(fileOfChain(file, 0), file);
    assert.equal(fileOfChain(file, 12), join(folder, 'worker-12.audit.log'));
    for (const number of [10, 2, 123, 9_999]) writeFileSync(fileOfChain(file, number), '');
    for (const worker of ['worker-0', 'worker-02', 'worker-10000', 'worker-a', 'my-worker-4'])
      writeFileSync(join(folder, `${worker}.audit.log`), '');
    for (const name of ['audit.log', 'worker-3.audit.log.1', 'worker-3.other.log'])
      writeFileSync(join(folder, name), '');
    const expected = [0, 2, 10, 123, 9_999].map((number) => fileOfChain(file, number));
    assert.deepEqual(await chainFiles(file), expected);
  });

  it('returns the audit file alone in a folder that does not exist', async () => {
    const file = join(temporaryFolder().path, 'missing', 'audit.log');
    assert.deepEqual(await chainFiles(file), [file]);
  });
});

/** Writes one file with records for each given number of records, each but the last moved away to its name. */
async function writeChain(file: string, moved: readonly (readonly [name: string, records: number])[]) {
  const time = { now: 0 };
  const clock = { now: () => time.now };
  const trail = await openAuditTrail({ file, durability: 'written' }, { clock });
  for (const [name, records] of moved) {
    for (let count = 0; count < records; count += 1) await trail.append(auditRecord(`${name}-${count}`));
    renameSync(file, name);
    // The trail looks for its file once in a while.
    time.now += 60_000;
  }
  await trail.append(auditRecord('last'));
  await trail.close();
}

describe('trailFiles', () => {
  let file: string;
  beforeEach(() => (file = join(temporaryFolder().path, 'audit.log')));

  it('returns a file with record 1 alone, also with files of an earlier chain beside it', async () => {
    await writeChain(file, []);
    renameSync(file, `${file}.1`);
    await writeChain(file, []);
    assert.deepEqual(await trailFiles(file), [file]);
  });

  it('returns files that were moved away by their records, whatever their names, oldest first', async () => {
    const moved = ['-20261125', '.a', '.3', '.9', '.1'].map((end) => [`${file}${end}`, 2] as const);
    await writeChain(file, moved);
    assert.deepEqual(await trailFiles(file), [...moved.map(([name]) => name), file]);
  });

  it('returns the files that were moved away if the file itself is missing or has no record', async () => {
    await writeChain(file, [[`${file}.2`, 2]]);
    renameSync(file, `${file}.1`);
    const moved = [`${file}.2`, `${file}.1`];
    assert.deepEqual(await trailFiles(file), moved);
    writeFileSync(file, 'not a record\n');
    assert.deepEqual(await trailFiles(file), [...moved, file]);
  });

  it('ends before a gap, because the chain before it cannot be verified', async () => {
    const moved = ['.3', '.2', '.1'].map((end) => [`${file}${end}`, 2] as const);
    await writeChain(file, moved);
    renameSync(`${file}.3`, `${file.replace('audit', 'other')}.3`);
    assert.deepEqual(await trailFiles(file), [`${file}.2`, `${file}.1`, file]);
  });

  it('leaves out copies of the file, folders, files without records, the key and the reserve, and closes all files', async () => {
    await writeChain(file, [[`${file}.1`, 2]]);
    mkdirSync(`${file}.d`);
    writeFileSync(`${file}.txt`, 'not a record\n');
    writeFileSync(`${file}.empty`, '');
    assert.deepEqual(await trailFiles(file), [`${file}.1`, file]);
    if (TELLS_OPEN_FILES) assert.deepEqual(openBelow(dirname(file)), []);
  });
});

import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChainHead } from '../../../../src/features/audit/chain.js';
import { keyFileOf, readKeyFile } from '../../../../src/features/audit/trail/key.js';
import { openAuditTrail } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { fileOfChain } from '../../../../src/features/audit/trail/trail-files.js';
import { verifyTrail } from '../../../../src/features/audit/trail/verify-trail.js';
import { auditRecord } from '../../../support/audit-record.js';
import { columns } from '../../../support/columns.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Writes the audit files of processes, with this many records in each. */
async function writeChains(...counts: readonly number[]) {
  const file = join(temporaryFolder().path, 'audit.log');
  for (const [chain, count] of counts.entries()) {
    const trail = await openAuditTrail({ file, durability: 'written' }, { chain });
    for (let at = 0; at < count; at += 1) await trail.append(auditRecord(`r${chain}-${at}`));
    await trail.close();
  }
  return { file, key: (await readKeyFile(keyFileOf(file))) ?? '' };
}

describe('verifyTrail', () => {
  it('returns the chain of a single process without others', async () => {
    const { file, key } = await writeChains(3);
    const found = await verifyTrail({ file, key });
    assert.deepEqual([found.whole, found.records, found.last.seq], [true, 3, 3]);
    assert.ok(!('break' in found) && !('others' in found));
  });

  it('returns the chain of each other process with its file, and counts the entries of all of them', async () => {
    const { file, key } = await writeChains(3, 2, 4);
    const progress: number[] = [];
    const found = await verifyTrail({ file, key }, { onProgress: (entries) => progress.push(entries) });
    assert.deepEqual([found.whole, found.records, 'break' in found], [true, 3, false]);
    assert.deepEqual(columns(found.others, 'file', 'whole', 'records'), [
      [fileOfChain(file, 1), true, 2],
      [fileOfChain(file, 2), true, 4],
    ]);
    assert.deepEqual(progress, [3, 5, 9]);
  });

  it('names the file of a break in any chain, and ends when it is cancelled', async () => {
    const { file, key } = await writeChains(2, 2);
    const other = fileOfChain(file, 1);
    writeFileSync(other, readFileSync(other, 'utf8').replace('"r1-1"', '"rX"'));
    const found = await verifyTrail({ file, key });
    assert.equal(found.whole, false);
    assert.deepEqual([found.break?.kind, found.break?.place], ['changed', `${other}, line 2`]);
    assert.deepEqual(columns(found.others, 'whole', 'records'), [[false, 1]]);
    const signal = AbortSignal.abort(new Error('the server stops'));
    await assert.rejects(verifyTrail({ file, key }, { signal }), /the server stops/);
  });

  it('names the first break if two chains have one', async () => {
    const { file, key } = await writeChains(2, 2);
    for (const path of [file, fileOfChain(file, 1)])
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"alice"', '"bob"'));
    const found = await verifyTrail({ file, key });
    assert.equal(found.break?.place, `${file}, line 1`);
  });

  it('finds an expected record in the chain of any process, and reports one that is in none', async () => {
    const { file, key } = await writeChains(2, 3);
    const intact = await verifyTrail({ file, key });
    const heads: readonly ChainHead[] = [intact.last, intact.others![0]!.last];
    for (const expected of heads)
      assert.equal((await verifyTrail({ file, key, expected })).whole, true, String(expected.seq));
    const gone = { ...heads[1]!, seq: 4 };
    const found = await verifyTrail({ file, key, expected: gone });
    assert.deepEqual([found.whole, found.break?.kind, found.break?.place], [false, 'removed', 'record 4']);
  });

  it('expects the last record that this process wrote in its own chain only', async () => {
    const { file, key } = await writeChains(3, 2);
    const head = (await verifyTrail({ file, key })).last;
    assert.equal((await verifyTrail({ file, key, own: { file, head } })).whole, true);
    const own = { file: fileOfChain(file, 1), head };
    const found = await verifyTrail({ file, key, own });
    assert.deepEqual([found.whole, found.break?.kind, found.break?.place], [false, 'removed', 'record 3']);
  });

  it('verifies a file that was moved away before the next record (bug: it was missing)', async () => {
    const { file, key } = await writeChains(2);
    const head = (await verifyTrail({ file, key })).last;
    renameSync(file, `${file}.1`);
    const moved = await verifyTrail({ file, key, own: { file, head } });
    assert.deepEqual([moved.whole, moved.records], [true, 2]);
    rmSync(`${file}.1`);
    await assert.rejects(verifyTrail({ file, key }), { code: 'ENOENT' });
  });
});

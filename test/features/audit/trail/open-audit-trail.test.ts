import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditRecord, roomFor } from '../../../../src/core/audit.js';
import type { AuditStore } from '../../../../src/features/audit/audit-trail.js';
import type { ChainedRecord } from '../../../../src/features/audit/chain.js';
import { keyFileOf, readKeyFile } from '../../../../src/features/audit/trail/key.js';
import { openAuditTrail, WriteQueue } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { verifyFiles } from '../../../../src/features/audit/trail/verify.js';
import { auditRecord } from '../../../support/audit-record.js';
import { column, columns } from '../../../support/columns.js';
import { killWriter } from '../../../support/kill-writer.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

function recordsOf(file: string): readonly AuditRecord[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  assert.equal(lines.pop(), '', 'the file ends with a line feed');
  return lines.map((line) => {
    const { seq, prev, hash, ...record } = JSON.parse(line) as ChainedRecord;
    assert.ok(seq > 0 && prev !== hash);
    return record;
  });
}

const isUnavailable = { code: 'audit_unavailable' };

describe('the audit trail in a file', () => {
  const folder = temporaryFolder();
  let count = 0;
  const newFile = (): string => join(folder.path, `trail-${(count += 1)}`, 'audit.log');

  it('writes a record before the append resolves, continues an existing file, and is readable only by its owner', async () => {
    const file = newFile();
    for (const id of ['first', 'second']) {
      const trail = await openAuditTrail({ file, durability: 'written' }, {});
      await trail.append(auditRecord(id));
      assert.equal(recordsOf(file).at(-1)?.requestId, id);
      await trail.close();
    }
    assert.equal(recordsOf(file).length, 2);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
  });

  it('writes pending records when it is closed and rejects later ones', async () => {
    const file = newFile();
    const trail = await openAuditTrail({ file, durability: 'fsync' }, {});
    assert.equal(await trail.reserve(20 * roomFor([])), true);
    const waiting = Array.from({ length: 20 }, (_, at) => trail.append(auditRecord(`r${at}`), roomFor([])));
    await trail.close();
    assert.equal(recordsOf(file).length, 20);
    await Promise.all(waiting);
    await assert.rejects(trail.append(auditRecord('late')), isUnavailable);
    assert.equal(recordsOf(file).length, 20);
  });

  it('continues a file of any size that has a record in its last 16 MiB', async () => {
    const file = newFile();
    const settings = { file, durability: 'written' } as const;
    const trail = await openAuditTrail(settings, {});
    const target = 'x'.repeat(1_000_000);
    for (let at = 0; at < 18; at += 1) await trail.append(auditRecord(`r${at}`, { target }));
    await trail.close();
    const again = await openAuditTrail(settings, {});
    await again.append(auditRecord('next'));
    assert.deepEqual(columns((await again.find({ limit: 1 })).results, 'requestId', 'seq'), [['next', 19]]);
    await again.close();
    appendFileSync(file, `${'x'.repeat(1023)}\n`.repeat(16_385));
    await assert.rejects(openAuditTrail(settings, {}), /it has no record at its end; move it away/);
  });

  it('reports how to fix a file that cannot be opened', async () => {
    const longLine = join(folder.path, 'long.log');
    writeFileSync(longLine, Buffer.alloc(17_000_000, 'x'));
    writeFileSync(join(folder.path, 'plain'), '');
    for (const [file, message] of [
      [folder.path, /folder: let audit\.file name a file/],
      [longLine, /too long for a record; move it away/],
      [join(folder.path, 'plain', 'audit.log'), /a file: correct audit\.file/],
    ] as const)
      await assert.rejects(openAuditTrail({ file, durability: 'written' }, {}), message);
  });

  it('loses no acknowledged record to kill -9', async () => {
    const file = newFile();
    const script = new URL('../../../storage/audit-writer.js', import.meta.url);
    const acknowledged: string[] = [];
    for (let kill = 0; kill < 10; kill += 1)
      acknowledged.push(...(await killWriter({ script, args: [file, `k${kill}`] }, 1 + kill * 4)));
    await (await openAuditTrail({ file, durability: 'fsync' }, {})).close();
    const key = (await readKeyFile(keyFileOf(file))) ?? '';
    assert.equal((await verifyFiles({ files: [file], key })).break, undefined);
    const lines = readFileSync(file, 'utf8').split('\n');
    const whole = lines.filter((line) => line.endsWith('}'));
    const kept = new Set(whole.map((line) => (JSON.parse(line) as AuditRecord).requestId));
    assert.ok(acknowledged.length >= 190);
    for (const id of acknowledged) assert.ok(kept.has(id), id);
    // A kill may tear only the line that was being written and not yet acknowledged.
    assert.ok(lines.filter((line) => line !== '' && !line.endsWith('}')).length <= 10);
  });
});

describe('an audit trail on a full disk', () => {
  const folder = temporaryFolder();

  it('rejects records, retries once a second and records the gap', async () => {
    const file = join(folder.path, 'audit.log');
    const real = join(folder.path, 'real.log');
    symlinkSync('/dev/full', file);
    let now = 0;
    const trail = await openAuditTrail({ file, durability: 'written' }, { clock: { now: () => now } });
    assert.equal(await trail.writable(), true);

    await assert.rejects(trail.append(auditRecord('lost')), isUnavailable);
    assert.equal(await trail.writable(), false);
    now = 1000;
    assert.equal(await trail.writable(), false, 'tried, and the disk is still full');

    rmSync(file);
    symlinkSync(real, file);
    now = 1999;
    assert.equal(await trail.writable(), false, 'not tried again within the second');
    now = 2000;
    assert.deepEqual(await Promise.all([trail.writable(), trail.writable()]), [true, true]);
    await trail.append(auditRecord('kept'));

    const [resume, ...others] = recordsOf(real);
    const { operation, outcome, durationMs } = resume ?? {};
    assert.deepEqual([operation, outcome, durationMs], ['audit.resume', 'records lost: 1', 2000]);
    assert.deepEqual(others, [auditRecord('kept')]);
    await trail.close();
  });

  it('is writable again as soon as an append succeeds, and records the gap after it (bug: the gap was not recorded)', async () => {
    const file = join(folder.path, 'again.log');
    symlinkSync('/dev/full', file);
    const trail = await openAuditTrail({ file, durability: 'written' }, { clock: { now: () => 0 } });
    await assert.rejects(trail.append(auditRecord('lost')), isUnavailable);
    rmSync(file);
    await trail.append(auditRecord('kept'));
    assert.equal(await trail.writable(), true);
    const [kept, resume, ...rest] = recordsOf(file);
    assert.deepEqual([kept, rest], [auditRecord('kept'), []]);
    assert.deepEqual([resume?.operation, resume?.outcome], ['audit.resume', 'records lost: 1']);
    await trail.close();
  });
});

describe('the audit trail in the store', () => {
  const settings = { file: '/unused', durability: 'store' } as const;

  it('writes records in the order of the calls, batched while a write is running, and rejects those of a failed write', async () => {
    const kept: string[][] = [];
    let running = 0;
    const append = async (records: readonly AuditRecord[]): Promise<void> => {
      assert.equal((running += 1), 1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (records.some(({ requestId }) => requestId === 'b')) throw new Error('SQLITE_FULL');
      kept.push(records.map(({ requestId }) => requestId));
    };
    const queue = new WriteQueue<AuditRecord>(append);
    const first = ['a', 'b'].map((id) => queue.append(auditRecord(id)));
    await new Promise((resolve) => setImmediate(resolve));
    const second = ['c', 'd'].map((id) => queue.append(auditRecord(id)));
    await queue.close();
    const ends = await Promise.allSettled([...first, ...second, queue.append(auditRecord('late'))]);
    assert.deepEqual(column(ends, 'status'), ['rejected', 'rejected', 'fulfilled', 'fulfilled', 'rejected']);
    assert.deepEqual(kept, [['c', 'd']]);
  });

  it('rejects records while the store fails and continues afterwards', async () => {
    let [isBroken, now] = [true, 0];
    const kept: AuditRecord[] = [];
    const append = (records: readonly AuditRecord[]) =>
      isBroken ? Promise.reject(new Error('SQLITE_FULL')) : Promise.resolve(void kept.push(...records));
    const store = { append, key: () => Promise.resolve('ab'.repeat(32)) } as unknown as AuditStore;
    const trail = await openAuditTrail(settings, { store, clock: { now: () => now } });
    await assert.rejects(trail.append(auditRecord('lost')), isUnavailable);
    assert.equal(await trail.writable(), false);
    isBroken = false;
    now = 1000;
    assert.equal(await trail.writable(), true);
    assert.deepEqual(column(kept, 'operation'), ['audit.resume']);
  });

  it('requires a store', async () => {
    await assert.rejects(openAuditTrail(settings, {}), /needs a store/);
  });
});

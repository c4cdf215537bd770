import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ChainVerification } from '../../../../src/features/audit/audit-trail.js';
import type { ChainedRecord, ChainHead } from '../../../../src/features/audit/chain.js';
import { keyFileOf, readKeyFile } from '../../../../src/features/audit/trail/key.js';
import { openAuditTrail } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { readLinesForward, verifyFiles } from '../../../../src/features/audit/trail/verify.js';
import { auditRecord } from '../../../support/audit-record.js';
import { column } from '../../../support/columns.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { until } from '../../../support/until.js';

const RECORDS = 20;

describe('verifyFiles', () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'audit.log');
  const copy = join(folder.path, 'copy.log');
  let key = '';
  let lines: readonly string[] = [];
  let last: ChainHead;

  before(async () => {
    const ids = Array.from({ length: RECORDS }, (_, at) => `record-${at} é`);
    await append(file, ids);
    key = await keyOf(file);
    lines = readFileSync(file, 'utf8').split(/(?<=\n)/);
    last = JSON.parse(lines.at(-1) ?? '') as ChainedRecord;
  });

  async function append(path: string, ids: readonly string[]): Promise<void> {
    const trail = await openAuditTrail({ file: path, durability: 'written' }, {});
    await Promise.all(ids.map((id) => trail.append(auditRecord(id))));
    await trail.close();
  }

  const verify = (bytes: Buffer | string, expected?: ChainHead): Promise<ChainVerification> => {
    writeFileSync(copy, bytes);
    return verifyFiles({ files: [copy], key, expected });
  };
  const keyOf = async (path: string): Promise<string> => (await readKeyFile(keyFileOf(path))) ?? '';
  const breakIn = async (changed: readonly string[], expected?: ChainHead) =>
    (await verify(changed.join(''), expected)).break;

  it('detects a change of any byte (property)', async () => {
    const bytes = readFileSync(file);
    const place = fc.integer({ min: 0, max: bytes.length - 2 });
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ mask;
        const { break: found, torn } = await verify(changed);
        const line = bytes.subarray(0, at).toString('latin1').split('\n').length;
        assert.deepEqual([found?.place, torn], [`line ${line}`, []]);
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  it('detects any added or removed byte (property)', async () => {
    const bytes = readFileSync(file);
    const place = fc.integer({ min: 0, max: bytes.length - 2 });
    await fc.assert(
      fc.asyncProperty(place, fc.option(fc.integer({ min: 0, max: 255 })), async (at, added) => {
        const middle = added === null ? [] : [Buffer.from([added])];
        const rest = bytes.subarray(added === null ? at + 1 : at);
        assert.equal((await verify(Buffer.concat([bytes.subarray(0, at), ...middle, rest]))).whole, false);
      }),
      { numRuns: 200, seed: 5 },
    );
  });

  it('detects any removed, swapped or repeated line (property)', async () => {
    const index = fc.integer({ min: 0, max: RECORDS - 1 });
    await fc.assert(
      fc.asyncProperty(index, index, async (one, other) => {
        const removed = lines.filter((_, at) => at !== one);
        assert.equal((await breakIn(removed, last))?.kind, 'removed');
        const repeated = lines.toSpliced(other, 0, lines[one] ?? '');
        assert.notEqual(await breakIn(repeated), undefined);
        if (one === other) return;
        const swapped = lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '');
        assert.notEqual(await breakIn(swapped), undefined);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it('reports the position and the kind of a break', async () => {
    const forged = (lines[4] ?? '').replace('"status":200', '"status":403');
    const old = '{"time":"","requestId":"","operation":"","subject":"","issuer":"","target":"","outcome":"","status":1,"durationMs":1}\n'; // prettier-ignore
    const NOT_AS_WRITTEN = 'its content was changed';
    const NOT_THERE = 'it was not there when record 5 was written';
    const cases = [
      [lines.with(4, forged), 'line 5', 'changed', NOT_AS_WRITTEN],
      [lines.toSpliced(4, 1), 'line 5', 'removed', 'before it, record 5 is missing'],
      [lines.toSpliced(4, 3), 'line 5', 'removed', 'before it, records 5 to 7 are missing'],
      [lines.slice(2), 'line 1', 'removed', 'the chain begins with record 3; the earlier records are missing'],
      [lines.toSpliced(4, 0, lines[2] ?? ''), 'line 5', 'inserted', 'it is record 3, but record 5 is expected'],
      [lines.toSpliced(4, 0, 'anything\n'), 'line 5', 'inserted', NOT_THERE],
      [lines.toSpliced(4, 0, old), 'line 5', 'inserted', NOT_THERE],
      [[old, ...lines], 'line 2', 'inserted', 'the chain began without it'],
      [['anything\n', ...lines], 'line 1', 'inserted', 'the chain began without it'],
      [lines.with(0, 'anything\n'), 'line 1', 'changed', NOT_AS_WRITTEN],
      [lines.with(RECORDS - 1, 'anything\n'), `line ${RECORDS}`, 'changed', NOT_AS_WRITTEN],
      [lines.with(RECORDS - 1, (lines.at(-1) ?? '').slice(0, -1)), `line ${RECORDS}`, 'torn', 'the line is incomplete; the next start of the server records it'],
    ] as const; // prettier-ignore
    for (const [changed, ...expected] of cases) {
      const { place, kind, message } = (await breakIn(changed)) ?? {};
      assert.deepEqual([place, kind, message], expected);
    }
  });

  it('compares the record that the caller knows with the file, which may start after it', async () => {
    const noted = JSON.parse(lines[4] ?? '') as ChainedRecord;
    const hash = '0'.repeat(64);
    const MISSING = 'the chain begins with record 7; the earlier records are missing';
    for (const [some, known, ...expected] of [
      [lines, last],
      [lines.slice(0, -2), undefined],
      [lines.slice(5), noted],
      [lines, { ...last, hash }, 'changed', `record ${RECORDS} differs from the known record`],
      [lines.slice(0, -2), last, 'removed', 'the record is missing: the trail ends before it'],
      [lines.slice(6), noted, 'removed', MISSING],
      [lines.slice(5), { ...noted, hash }, 'removed', MISSING.replace('7', '6')],
    ] as const) {
      const { kind, message } = (await breakIn(some, known)) ?? {};
      assert.deepEqual(kind === undefined ? [] : [kind, message], expected);
    }
    assert.equal((await breakIn(lines.slice(0, -2), last))?.place, `record ${RECORDS}`);
    assert.equal((await breakIn(['x\n'.repeat(999), ...lines]))?.message, 'the chain began without it');
  });

  it('rejects a file that was written with another key', async () => {
    const other = join(folder.path, 'other.log');
    await append(other, ['forged']);
    assert.equal((await verify(readFileSync(other))).break?.kind, 'changed');
  });

  it('reports lines torn by crashes and rejects other invalid lines', async () => {
    const torn = join(folder.path, 'torn.log');
    await append(torn, ['a', 'b']);
    appendFileSync(torn, (lines[3] ?? '').slice(0, 40));
    await append(torn, ['c']);
    // The record that reports the torn line is torn as well.
    appendFileSync(torn, 'x');
    await append(torn, []);
    const text = readFileSync(torn, 'utf8');
    const twice = text.trimEnd().split('\n').slice(0, -2).join('\n') + '\nx\n{"seq":6';
    writeFileSync(torn, twice);
    await append(torn, ['d']);
    const terms = { files: [torn], key: await keyOf(torn) };
    const { whole, torn: places, records } = await verifyFiles(terms);
    assert.deepEqual([whole, places, records], [true, ['line 3', 'line 6'], 6]);
    writeFileSync(torn, readFileSync(torn, 'utf8').replace('\nx\n', '\ny\n'));
    assert.equal((await verifyFiles(terms)).break?.place, 'line 6');
    writeFileSync(torn, readFileSync(torn, 'utf8').replace(/\ny\n.*\n/, '\n'));
    const { kind, message } = (await verifyFiles(terms)).break ?? {};
    assert.deepEqual([kind, message], ['removed', 'the torn line that it reports is missing']);
  });

  it('accepts records of an earlier version before the chain and counts them', async () => {
    const previous = join(folder.path, 'former.log');
    const { before, after, ...record } = auditRecord('former');
    assert.equal(before + after, '');
    writeFileSync(previous, `${JSON.stringify(record)}\n${JSON.stringify(record)}\n{"time":`);
    await append(previous, ['a']);
    await append(previous, ['b']);
    const terms = { files: [previous], key: await keyOf(previous) };
    const { whole, unchained, records } = await verifyFiles(terms);
    assert.deepEqual([whole, unchained, records], [true, 3, 3]);
    const trail = await openAuditTrail({ file: previous, durability: 'written' }, {});
    const { results } = await trail.find({ limit: 10 });
    assert.deepEqual(column(results, 'requestId'), ['b', 'a', '', 'former', 'former']);
    await trail.close();
    writeFileSync(previous, readFileSync(previous, 'utf8').split('\n').slice(1).join('\n'));
    assert.equal((await verifyFiles(terms)).break?.kind, 'inserted');
  });

  it('follows a chain into a new file after the old one was moved', async () => {
    const path = join(folder.path, 'moved', 'audit.log');
    let now = 10_000;
    const trail = await openAuditTrail({ file: path, durability: 'fsync' }, { clock: { now: () => now } });
    const old = `${path}.1`;
    await trail.append(auditRecord('a'));
    renameSync(path, old);
    await trail.append(auditRecord('b'));
    assert.equal(existsSync(path), false, 'not looked at again within the second');
    assert.deepEqual(await trail.find({ limit: 9 }), { results: [] });
    now += 1000;
    await trail.append(auditRecord('c'));
    await trail.close();
    const own = await keyOf(path);
    const both = await verifyFiles({ files: [old, path], key: own });
    assert.deepEqual([both.whole, both.records], [true, 4]);
    const alone = await verifyFiles({ files: [path], key: own });
    assert.deepEqual([alone.whole, alone.first, alone.last.seq], [true, 3, 4]);
    const elsewhere = { seq: 1, hash: '0'.repeat(64) };
    const older = await verifyFiles({ files: [path], key: own, expected: elsewhere });
    assert.equal(older.break?.message, 'the record is missing: an older file may contain it');
    const swapped = await verifyFiles({ files: [path, old], key: own });
    assert.equal(swapped.break?.place, `${old}, line 1`);
  });

  it('accepts records that another process appended', async () => {
    const path = join(folder.path, 'shared.log');
    let now = 10_000;
    const trail = await openAuditTrail({ file: path, durability: 'written' }, { clock: { now: () => now } });
    await trail.append(auditRecord('a'));
    await append(path, ['b']);
    now += 1000;
    await trail.append(auditRecord('c'));
    await trail.close();
    const { whole, records } = await verifyFiles({ files: [path], key: await keyOf(path) });
    assert.deepEqual([whole, records], [true, 3]);
  });

  it('rejects a file that was merged from two copies with the same key', async () => {
    const [one, other] = [join(folder.path, 'one.log'), join(folder.path, 'two.log')];
    await append(one, ['a']);
    copyFileSync(one, other);
    copyFileSync(keyFileOf(one), keyFileOf(other));
    await append(one, ['b']);
    await append(other, ['x', 'c']);
    const third = readFileSync(other, 'utf8').split(/(?<=\n)/).slice(2); // prettier-ignore
    appendFileSync(one, third.join(''));
    const { break: found } = await verifyFiles({ files: [one], key: await keyOf(one) });
    const message = 'its link does not match record 2';
    assert.deepEqual(found, { place: 'line 3', kind: 'changed', message });
  });

  it('accepts a file that grows during the verification', async () => {
    const path = join(folder.path, 'growing.log');
    const trail = await openAuditTrail({ file: path, durability: 'written' }, {});
    await trail.append(auditRecord('first'));
    const terms = { files: [path], key: await keyOf(path) };
    const state = { isDone: false };
    const growing = (async () => {
      while (!state.isDone)
        await Promise.all(Array.from({ length: 50 }, () => trail.append(auditRecord('more'))));
    })();
    await until(() => readFileSync(path).length > 200_000);
    const verifying = Promise.all([verifyFiles(terms), verifyFiles(terms)]);
    const found = await verifying.finally(() => (state.isDone = true));
    await growing;
    await trail.close();
    assert.deepEqual(column(found, 'whole'), [true, true]);
  });

  it('linesAhead waits for the end of an unfinished line', async () => {
    const path = join(folder.path, 'growing-line.log');
    writeFileSync(path, 'a\nb');
    const batches = readLinesForward(path);
    const first = await batches.next();
    appendFileSync(path, 'c\nd');
    const second = await batches.next();
    assert.deepEqual(first.value, [{ bytes: Buffer.from('a\n'), start: 0, isTerminated: true }]);
    assert.deepEqual(second.value, [{ bytes: Buffer.from('bc\n'), start: 2, isTerminated: true }]);
    assert.deepEqual(await batches.next(), { value: undefined, done: true });
  });

  it('rejects an endless line without reading it into memory', async () => {
    const { break: found } = await verify(Buffer.concat([readFileSync(file), Buffer.alloc(40_000_000, 'x')]));
    assert.deepEqual([found?.place, found?.kind], [`line ${RECORDS + 1}`, 'changed']);
  });
});

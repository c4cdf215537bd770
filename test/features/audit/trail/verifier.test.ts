import assert from 'node:assert/strict';
import type { AuditRecord } from '../../../../src/core/audit.js';
import type { AuditRow, ChainVerification } from '../../../../src/features/audit/audit-trail.js';
import {
  CHAIN_START,
  chained,
  type ChainedRecord,
  type ChainHead,
} from '../../../../src/features/audit/chain.js';
import { auditKey } from '../../../../src/features/audit/trail/key.js';
import { beginOutcome, tornOutcome } from '../../../../src/features/audit/trail/self-audit.js';
import { type TrailEntry, Verifier } from '../../../../src/features/audit/trail/verifier.js';
import { verifyStore } from '../../../../src/features/audit/trail/verify.js';
import { auditRecord } from '../../../support/audit-record.js';

const DIGITS = 'ab'.repeat(32);
const key = auditKey(DIGITS);

function links(head: ChainHead, ...records: readonly AuditRecord[]): readonly ChainedRecord[] {
  return chained(records, head, key.seal);
}

const forged = (record: ChainedRecord): ChainedRecord => ({ ...record, hash: '0'.repeat(64) });

function verifyFound(found: readonly TrailEntry[]): ChainVerification {
  const verifier = new Verifier(key, []);
  for (const one of found) verifier.take(one);
  verifier.endPart(false);
  return verifier.end();
}

const TORN = Buffer.from('{"ti\n');

function tornDigest(): string {
  const comparison = key.startByteDigest();
  comparison.add(TORN);
  return comparison.end();
}

describe('Verifier', () => {
  const [first, second] = links(CHAIN_START, auditRecord('a'), auditRecord('b')) as [
    ChainedRecord,
    ChainedRecord,
  ];
  const tornLine: TrailEntry = { place: 'line 2', bytes: TORN, start: 10 };
  const recordAfter = (record: Partial<AuditRecord>, head: ChainHead = first): ChainedRecord =>
    links(head, auditRecord('', { outcome: tornOutcome(tornDigest()), ...record }))[0]!;

  /** Returns the break after a line that is not a record, depending on the next record. */
  const breakAfterTorn = (next: ChainedRecord): unknown => {
    const { break: found, torn } = verifyFound([
      { place: 'line 1', record: first, start: 0 },
      tornLine,
      { place: 'line 3', record: next, start: 20 },
    ]);
    return found ? [found.place, found.kind] : torn;
  };

  it('accepts a torn line only if the next record reports it', () => {
    assert.deepEqual(breakAfterTorn(recordAfter({ operation: 'audit.torn' })), ['line 2']);
    assert.deepEqual(breakAfterTorn(recordAfter({ operation: 'audit.begin' })), ['line 2', 'inserted']);
    const another = recordAfter({ operation: 'audit.torn', outcome: tornOutcome('') });
    assert.deepEqual(breakAfterTorn(another), ['line 2', 'inserted']);
  });

  it('distinguishes a changed record from an inserted line', () => {
    const heads = [{ seq: 1, hash: second.hash }, { seq: 2, hash: first.hash }]; // prettier-ignore
    for (const head of heads)
      assert.deepEqual(breakAfterTorn(recordAfter({ operation: 'audit.torn' }, head)), ['line 2', 'changed']);
  });

  it('accepts earlier foreign lines only if the first record reports them', () => {
    const breakAtStart = (operation: string, outcome: string): unknown => {
      const [record] = links(CHAIN_START, auditRecord('', { operation, outcome }));
      const { break: found } = verifyFound([
        { place: 'line 1', bytes: Buffer.from('of others\n'), start: 0 },
        { place: 'line 2', record: record!, start: 10 },
      ]);
      return found && [found.place, found.kind];
    };
    assert.equal(breakAtStart('audit.begin', beginOutcome(10)), undefined);
    assert.deepEqual(breakAtStart('audit.torn', beginOutcome(10)), ['line 1', 'inserted']);
    assert.deepEqual(breakAtStart('audit.begin', beginOutcome(11)), ['line 1', 'inserted']);
  });

  it('requests no further records after a break', () => {
    const verifier = new Verifier(key, []);
    assert.equal(verifier.take({ place: 'line 1', record: first, start: 0 }), true);
    assert.equal(verifier.take({ place: 'line 2', record: first }), false);
    assert.equal(verifier.take({ place: 'line 3', record: second }), false);
    assert.equal(verifier.endPart(false), false);
  });

  it('stops after a thousand lines that are not records, and at the end of the file', () => {
    const verifier = new Verifier(key, []);
    for (let at = 1; at < 1000; at += 1) assert.equal(verifier.take({ place: `line ${at}` }), true);
    assert.equal(verifier.take({ place: 'line 1000' }), false);
    assert.deepEqual(verifier.end().break, {
      place: 'line 1',
      kind: 'changed',
      message: 'it and 999 lines after it are not records',
    });
    assert.equal(verifyFound([{ place: 'line 1' }]).break?.kind, 'changed');
  });
});

describe('verifyStore', () => {
  const all = links(CHAIN_START, ...['a', 'b', 'c', 'd'].map((id) => auditRecord(id)));
  const rowsOf = (records: readonly ChainedRecord[]): readonly AuditRow[] =>
    records.map((entry, at) => ({ id: at + 1, entry }));

  /** Verifies pages of two rows each. Returns the break, and the number of pages that were read. */
  async function verify(rows: readonly AuditRow[], expected?: ChainHead) {
    let pages = 0;
    const store = {
      key: () => Promise.resolve(DIGITS),
      head: () => Promise.resolve(all.at(-1)!),
      async *rows() {
        for (let at = 0; at < rows.length; at += 2) {
          pages += 1;
          yield await Promise.resolve(rows.slice(at, at + 2));
        }
      },
    };
    const { break: found, ...result } = await verifyStore(store, expected);
    return { ...result, found: [found?.place, found?.kind], pages };
  }

  it('verifies all pages', async () => {
    const { whole, records, last, pages } = await verify(rowsOf(all), all[1]);
    assert.deepEqual([whole, records, last.seq, pages], [true, 4, 4, 2]);
  });

  it('ends with the page of the first break', async () => {
    const changed = await verify(rowsOf(all.with(1, forged(all[1]!))));
    assert.deepEqual([changed.found, changed.pages], [['id 2', 'changed'], 2]);
    const removed = await verify(rowsOf(all.toSpliced(1, 1)));
    assert.deepEqual([removed.found, removed.pages], [['id 2', 'removed'], 1]);
  });

  it('detects a changed or removed record that the caller expects, and a row before the first one', async () => {
    for (const [rows, expected, found] of [
      [all, { seq: 2, hash: '0'.repeat(64) }, ['id 2', 'changed']],
      [all.slice(0, -1), undefined, ['record 4', 'removed']],
      [[forged(all[0]!), ...all], undefined, ['id 1', 'inserted']],
    ] as const)
      assert.deepEqual((await verify(rowsOf(rows), expected)).found, found);
  });
});

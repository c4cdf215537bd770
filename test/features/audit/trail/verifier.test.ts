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
    for (const head of [
      { seq: 1, hash: second.hash },
      { seq: 2, hash: first.hash },
    ])
      assert.deepEqual(breakAfterTorn(recordAfter({ operation: 'audit.torn' }, head)), ['line 2', 'changed']);
  });

  it('accepts earlier foreign lines only if the first record reports them', () => {
    const verifyStart = (operation: string, outcome: string): ChainVerification =>
      verifyFound([
        { place: 'line 1', bytes: Buffer.from('of others\n'), start: 0 },
        {
          place: 'line 2',
          record: links(CHAIN_START, auditRecord('', { operation, outcome }))[0]!,
          start: 10,
        },
      ]);
    assert.equal(verifyStart('audit.begin', beginOutcome(10)).whole, true);
    for (const [operation, outcome] of [
      ['audit.torn', beginOutcome(10)],
      ['audit.begin', beginOutcome(11)],
    ] as const) {
      const { break: found } = verifyStart(operation, outcome);
      assert.deepEqual([found?.place, found?.kind], ['line 1', 'inserted']);
    }
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
    const short = new Verifier(key, []);
    short.take({ place: 'line 1' });
    assert.equal(short.endPart(false), false);
    assert.equal(short.end().break?.kind, 'changed');
  });
});

describe('verifyStore', () => {
  const all = links(CHAIN_START, ...['a', 'b', 'c', 'd'].map((id) => auditRecord(id)));
  const rowsOf = (records: readonly ChainedRecord[]): readonly AuditRow[] =>
    records.map((entry, at) => ({ id: at + 1, entry }));

  /** Verifies pages of two rows each. Also returns the number of pages that were read. */
  async function verify(
    rows: readonly AuditRow[],
    expected?: ChainHead,
  ): Promise<readonly [ChainVerification, pages: number]> {
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
    return [await verifyStore(store, expected), pages];
  }

  it('verifies all pages', async () => {
    const [{ whole, records, last }, pages] = await verify(rowsOf(all), all[1]);
    assert.deepEqual([whole, records, last.seq, pages], [true, 4, 4, 2]);
  });

  it('ends with the page of the first break', async () => {
    const [{ break: found }, pages] = await verify(rowsOf(all.with(1, forged(all[1]!))));
    assert.deepEqual([found?.place, found?.kind, pages], ['id 2', 'changed', 2]);
    const [{ break: early }, read] = await verify(rowsOf(all.toSpliced(1, 1)));
    assert.deepEqual([early?.place, early?.kind, read], ['id 2', 'removed', 1]);
  });

  it('detects a changed or removed record that the caller expects', async () => {
    const [{ break: found }] = await verify(rowsOf(all), { seq: 2, hash: '0'.repeat(64) });
    assert.deepEqual([found?.place, found?.kind], ['id 2', 'changed']);
    const [{ break: end }] = await verify(rowsOf(all.slice(0, -1)));
    assert.deepEqual([end?.place, end?.kind], ['record 4', 'removed']);
  });

  it('detects a row inserted before the first one', async () => {
    const [{ break: found }] = await verify(rowsOf([forged(all[0]!), ...all]));
    assert.deepEqual([found?.place, found?.kind], ['id 1', 'inserted']);
  });
});

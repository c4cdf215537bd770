import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { AuditRecord } from '../../../../src/core/audit.js';
import { AUDIT_FIELDS, CHAIN_START, chained } from '../../../../src/features/audit/chain.js';
import { auditKey, textHmac } from '../../../../src/features/audit/trail/key.js';
import { anyText } from '../../../support/any-text.js';
import { auditRecord } from '../../../support/audit-record.js';

// Trails that are years old are verified with the current version, so the output of a key must never change.
describe('auditKey', () => {
  const key = auditKey('ab'.repeat(32));

  it('seals records with a fixed output', () => {
    const [first, second] = chained([auditRecord('a'), auditRecord('b')], CHAIN_START, key.seal);
    assert.deepEqual([first?.seq, first?.prev, second?.seq, second?.prev], [1, '', 2, first?.hash]);
    assert.equal(first?.hash, '89305c429e2435a385c20a40d6ac7666888e24b1218b4b3527ca7e18436e052c');
  });

  it('digests a state with a fixed output and an undefined state to an empty text', () => {
    assert.equal(
      key.digest({ b: 1, a: [true, null] }),
      'e37768580ee3b2ec683f17b50a98d92eac27efa4fcb20d273f04f22289edfa48',
    );
    assert.equal(key.digest({ a: [true, null], b: 1 }), key.digest({ b: 1, a: [true, null] }));
    assert.equal(key.digest(undefined), '');
  });

  it('digests bytes with a fixed output, independent of their chunks', () => {
    const comparison = key.startByteDigest();
    for (const piece of ['{"ti', 'me']) comparison.add(Buffer.from(piece));
    assert.equal(
      comparison.end(),
      '6 bytes, 5677923093d279fefe6541ea99c5e3bf1397934a0918aa185d6162bf2e3faece',
    );
  });

  it('produces different output for another key', () => {
    const other = auditKey('cd'.repeat(32));
    assert.notEqual(other.digest(1), key.digest(1));
    assert.notEqual(other.startByteDigest().end(), key.startByteDigest().end());
  });

  it('seals the JSON of the values of a record with HMAC-SHA256 (property)', () => {
    const linkKey = createHmac('sha256', Buffer.from('ab'.repeat(32), 'hex'))
      .update('gatehouse audit link')
      .digest();
    const optional = fc.record(
      { name: anyText(), clientAddress: anyText(), reason: anyText() },
      { requiredKeys: [] },
    );
    const changes = fc.record({
      subject: anyText(),
      target: anyText(),
      durationMs: fc.double(),
      outcome: anyText(),
    });
    fc.assert(
      fc.property(changes, optional, (members, others) => {
        const record: AuditRecord = auditRecord('a', { ...members, ...others });
        const [link] = chained([record], { seq: 6, hash: 'c' }, key.seal);
        const values: unknown[] = [7, 'c', ...AUDIT_FIELDS.map((field) => record[field])];
        const { name, clientAddress, reason } = record;
        const tail = [name, clientAddress, reason];
        while (tail.length > 0 && tail.at(-1) === undefined) tail.pop();
        const text = JSON.stringify([...values, ...tail.map((value) => value ?? null)]);
        assert.equal(link?.hash, createHmac('sha256', linkKey).update(text).digest('hex'));
      }),
      { numRuns: 500 },
    );
  });
});

describe('textHmac', () => {
  it('returns the same as createHmac for texts of any length in any order', () => {
    const [short, block] = [Buffer.from('0123456789abcdef'), Buffer.alloc(64, 0xab)];
    const lengths = [0, 1, 55, 56, 63, 64, 65, 1_000, 100_000, 64, 0];
    for (const key of [short, block]) {
      const hmac = textHmac(key);
      for (const unit of ['a', '\u00e9', '\u20ac', '\ud83d\ude00', '\ud800'])
        for (const length of lengths) {
          const text = unit.repeat(length);
          assert.equal(hmac(text), createHmac('sha256', key).update(text).digest('hex'), `${length} ${unit}`);
        }
    }
  });
});

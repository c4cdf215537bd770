import assert from 'node:assert/strict';
import { auditKey } from '../../src/audit/key.js';
import { chained, CHAIN_START } from '../../src/core/audit.js';
import { auditRecord } from '../support/audit-record.js';

// Trails that are years old are verified with the current version: the output of a key must never change.
describe('the key of an audit trail', () => {
  const key = auditKey('ab'.repeat(32));

  it('seals as it always has', () => {
    const [first, second] = chained([auditRecord('a'), auditRecord('b')], CHAIN_START, key.seal);
    assert.deepEqual([first?.seq, first?.prev, second?.seq, second?.prev], [1, '', 2, first?.hash]);
    assert.equal(first?.hash, '89305c429e2435a385c20a40d6ac7666888e24b1218b4b3527ca7e18436e052c');
  });

  it('digests a state as it always has, and none to nothing', () => {
    assert.equal(
      key.digest({ b: 1, a: [true, null] }),
      'e37768580ee3b2ec683f17b50a98d92eac27efa4fcb20d273f04f22289edfa48',
    );
    assert.equal(key.digest({ a: [true, null], b: 1 }), key.digest({ b: 1, a: [true, null] }));
    assert.equal(key.digest(undefined), '');
  });

  it('weighs bytes as it always has, in whatever pieces they come', () => {
    const weighing = key.startByteDigest();
    for (const piece of ['{"ti', 'me']) weighing.add(Buffer.from(piece));
    assert.equal(weighing.end(), '6 bytes, 5677923093d279fefe6541ea99c5e3bf1397934a0918aa185d6162bf2e3faece');
  });

  it('does nothing as another key does', () => {
    const other = auditKey('cd'.repeat(32));
    assert.notEqual(other.digest(1), key.digest(1));
    assert.notEqual(other.startByteDigest().end(), key.startByteDigest().end());
  });
});

import assert from 'node:assert/strict';
import { auditKey } from '../../src/audit/key.js';
import { CHAIN_START, chained } from '../../src/core/audit.js';
import { auditRecord } from '../support/audit-record.js';

// Trails that are years old are verified with the current version, so the output of a key must never change.
describe('auditKey', () => {
  const key = auditKey('ab'.repeat(32));

  it('seals records with a fixed output', () => {
    const [first, second] = chained([auditRecord('a'), auditRecord('b')], CHAIN_START, key.seal);
    assert.deepEqual([first?.seq, first?.prev, second?.seq, second?.prev], [1, '', 2, first?.hash]);
    assert.equal(first?.hash, '89305c429e2435a385c20a40d6ac7666888e24b1218b4b3527ca7e18436e052c');
  });

  it('seals the name of a caller, and records without one as before', () => {
    const [plain, named, other] = [undefined, 'alice', 'bob'].map(
      (name) => chained([auditRecord('a', name === undefined ? {} : { name })], CHAIN_START, key.seal)[0],
    );
    assert.equal(plain?.hash, '89305c429e2435a385c20a40d6ac7666888e24b1218b4b3527ca7e18436e052c');
    assert.equal(new Set([plain.hash, named?.hash, other?.hash]).size, 3);
    assert.deepEqual([plain.name, named?.name], [undefined, 'alice']);
  });

  it('seals the address of a client, and distinguishes it from a name', () => {
    const hashes = [{}, { name: '::1' }, { clientAddress: '::1' }, { name: '::1', clientAddress: '::1' }].map(
      (members) => chained([auditRecord('a', members)], CHAIN_START, key.seal)[0]?.hash,
    );
    assert.equal(hashes[0], '89305c429e2435a385c20a40d6ac7666888e24b1218b4b3527ca7e18436e052c');
    assert.equal(new Set(hashes).size, 4);
  });

  it('seals the reason of an orchestrator, and distinguishes it from an address and a name', () => {
    const hashes = [
      {},
      { name: 'x' },
      { clientAddress: 'x' },
      { reason: 'x' },
      { name: 'x', reason: 'x' },
    ].map((members) => chained([auditRecord('a', members)], CHAIN_START, key.seal)[0]?.hash);
    assert.equal(hashes[0], '89305c429e2435a385c20a40d6ac7666888e24b1218b4b3527ca7e18436e052c');
    assert.equal(new Set(hashes).size, 5);
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
});

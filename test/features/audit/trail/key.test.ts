import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { AuditRecord } from '../../../../src/core/audit.js';
import { AUDIT_FIELDS, CHAIN_START, chained } from '../../../../src/features/audit/chain.js';
import {
  auditKey,
  createKeyFile,
  keyFileOf,
  readKeyFile,
  textHmac,
} from '../../../../src/features/audit/trail/key.js';
import { openAuditTrail } from '../../../../src/features/audit/trail/open-audit-trail.js';
import { anyText } from '../../../support/any-text.js';
import { auditRecord } from '../../../support/audit-record.js';
import { LINUX } from '../../../support/need-list.js';
import { itWith } from '../../../support/needs.js';
import { openBelow } from '../../../support/open-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

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
    assert.notEqual(key.digest(null), '');
  });

  it('seals the JSON of the values of a record with HMAC-SHA256 (property)', () => {
    const secret = Buffer.from('ab'.repeat(32), 'hex');
    const linkKey = createHmac('sha256', secret).update('gatehouse audit link').digest();
    const text = anyText();
    const optional = fc.record({ name: text, clientAddress: text, reason: text }, { requiredKeys: [] });
    const changes = fc.record({ subject: text, target: text, durationMs: fc.double(), outcome: text });
    fc.assert(
      fc.property(changes, optional, (members, others) => {
        const record: AuditRecord = auditRecord('a', { ...members, ...others });
        const [link] = chained([record], { seq: 6, hash: 'c' }, key.seal);
        const values: unknown[] = [7, 'c', ...AUDIT_FIELDS.map((field) => record[field])];
        const { name, clientAddress, reason } = record;
        const tail = [name, clientAddress, reason];
        while (tail.length > 0 && tail.at(-1) === undefined) tail.pop();
        const sealed = JSON.stringify([...values, ...tail.map((value) => value ?? null)]);
        assert.equal(link?.hash, createHmac('sha256', linkKey).update(sealed).digest('hex'));
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

describe('the key file of an audit trail', () => {
  const { path: folder } = temporaryFolder();
  const open = (name: string) => openAuditTrail({ file: join(folder, name), durability: 'written' }, {});
  const withAdvice = (message: string) => (error: unknown) => {
    assert.ok(error instanceof Error && error.cause instanceof Error);
    assert.equal(error.message, `The key of the audit trail, ${message}`);
    return true;
  };

  it('is created once, readable only by its owner, and reused', async () => {
    const digests: string[] = [];
    for (const name of ['a.log', 'a.log', 'b.log']) {
      const trail = await open(name);
      digests.push(trail.digest({ b: 1 }));
      await trail.close();
    }
    assert.equal(digests[0], digests[1]);
    assert.notEqual(digests[0], digests[2], 'another key, another digest');
    assert.match(readFileSync(join(folder, 'a.log.key'), 'utf8'), /^[0-9a-f]{64}\s?$/);
    assert.equal(statSync(join(folder, 'a.log.key')).mode & 0o777, 0o600);
  });

  it('is kept when a second process tries to create it', async () => {
    const path = join(folder, 'twice', 'e.log.key');
    await createKeyFile(path);
    const made = readFileSync(path, 'utf8');
    await createKeyFile(path);
    assert.equal(readFileSync(path, 'utf8'), made);
    assert.deepEqual(readdirSync(join(folder, 'twice')), ['e.log.key'], 'no draft is left');
  });

  it('is reported with the cause and an advice if it cannot be created or read', async () => {
    writeFileSync(join(folder, 'plain'), '');
    const path = join(folder, 'plain', 'below', 'f.log.key');
    const advice = 'Let this process write to its folder, or set audit.file to another file.';
    await assert.rejects(createKeyFile(path), withAdvice(`${path}, cannot be created (ENOTDIR). ${advice}`));
    const unreadable = keyFileOf(join(folder, 'unreadable'));
    assert.equal(await readKeyFile(unreadable), undefined);
    mkdirSync(unreadable, { mode: 0o700 });
    const message = `${unreadable}, cannot be read (EISDIR). Let this process read the file.`;
    await assert.rejects(readKeyFile(unreadable), withAdvice(message));
  });

  it('is not replaced when an existing chain requires it', async () => {
    const trail = await open('c.log');
    await trail.append(auditRecord('r'));
    await trail.close();
    rmSync(join(folder, 'c.log.key'));
    await assert.rejects(open('c.log'), /c\.log\.key, is missing\. Restore it/);
  });

  it('is rejected if others may read it or if it is malformed', async () => {
    await (await open('d.log')).close();
    const path = join(folder, 'd.log.key');
    chmodSync(path, 0o640);
    await assert.rejects(open('d.log'), /chmod 600/);
    chmodSync(path, 0o600);
    for (const text of ['short', `${'a'.repeat(64)}0`, `0${'a'.repeat(64)}`, 'A'.repeat(64)]) {
      writeFileSync(path, text);
      await assert.rejects(open('d.log'), /64 hexadecimal digits\. Restore the right file/, text);
    }
  });

  itWith(LINUX, 'is closed after every read', async () => {
    const [good, bad] = ['good', 'bad'].map((name) => keyFileOf(join(folder, name))) as [string, string];
    await createKeyFile(good);
    assert.match((await readKeyFile(good)) ?? '', /^[0-9a-f]{64}$/);
    writeFileSync(bad, 'short', { mode: 0o600 });
    await assert.rejects(readKeyFile(bad));
    assert.deepEqual(openBelow(folder), []);
  });
});

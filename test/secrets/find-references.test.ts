import assert from 'node:assert/strict';
import { withValues } from '../../src/json/pointer.js';
import { findReferences } from '../../src/secrets/find-references.js';
import { column, columns } from '../support/columns.js';

const CIPHER = '4c9d1f00aa17e2b3c4d5e6f708192a3b4c5d6e7f8091a2b3';

describe('findReferences', () => {
  it('G-04 lists every fault of a document, G-05 without the ciphertext', () => {
    const { faults, references } = findReferences({
      a: `$ENC${CIPHER}`,
      b: [{ c: `$enc${CIPHER}` }, '$VAULT_ok#x'],
      d: { e: `  $ENC${CIPHER}`, f: '$VAULT_..#x' },
    });
    assert.deepEqual(
      faults.map(({ pointer, code }) => `${pointer} ${code}`),
      ['/a ENC_REJECTED', '/b/0/c ENC_REJECTED', '/d/e ENC_REJECTED', '/d/f VAULT_REF_SYNTAX'],
    );
    assert.deepEqual(column(references, 'pointer'), ['/b/1']);
    assert.ok(faults[0]?.message.includes('"$ENC…(52 chars)"'));
    assert.ok(!JSON.stringify(faults).includes(CIPHER.slice(0, 6)));
  });

  it('V7 refuses an encrypted member name at its object, and does not print the name', () => {
    const name = `$Enc${CIPHER}`;
    const { faults, references } = findReferences({ a: [{ [name]: { x: '$VAULT_a#b', y: '$ENCx' } }] });
    assert.deepEqual(columns(faults, 'pointer', 'code'), [['/a/0', 'ENC_REJECTED']]);
    assert.deepEqual(references, []);
    assert.ok(!JSON.stringify(faults).includes(CIPHER.slice(0, 6)));
  });

  it('G-07 finds references only in strings, at any depth', () => {
    const document = { n: 1, t: true, z: null, l: [[['$VAULT_a#b']]] };
    const { references, literals, faults } = findReferences(document);
    assert.deepEqual(column(references, 'pointer'), ['/l/0/0/0']);
    assert.deepEqual([literals, faults], [[], []]);
  });

  it('G-08 ignores a member name that looks like a reference', () => {
    const { references, faults } = findReferences({ '$VAULT_a#b': 'x', $VAULT_: 'y' });
    assert.deepEqual([references, faults], [[], []]);
  });

  it('G-03 removes the escape from escaped strings', () => {
    const document = { a: '$$VAULT_x', b: ['$$ENCx', '$$'] };
    const { literals } = findReferences(document);
    const changes = new Map(literals.map(({ pointer, text }) => [pointer, text]));
    assert.deepEqual(withValues(document, changes), { a: '$VAULT_x', b: ['$ENCx', '$$'] });
  });
});

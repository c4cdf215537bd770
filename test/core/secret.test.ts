import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Secret } from '../../src/core/secret.js';

describe('Secret', () => {
  const secret = new Secret('s3cr3t-value');

  it('prints as [secret] in every representation', () => {
    const shown = [
      String(secret),
      `${secret}`, // oxlint-disable-line typescript/restrict-template-expressions
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: [secret] }, { showHidden: true, depth: 9 }),
      JSON.stringify(Object.entries(secret)),
    ];
    for (const text of shown) assert.ok(!text.includes('s3cr3t'), text);
    assert.equal(JSON.stringify({ secret }), '{"secret":"[secret]"}');
  });

  it('returns its value from reveal', () => {
    assert.equal(secret.reveal(), 's3cr3t-value');
  });
});

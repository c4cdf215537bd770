import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isBase64 } from '../../src/lib/base64.js';

describe('isBase64', () => {
  it('accepts what encodes bytes, of any length', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        assert.ok(isBase64(Buffer.from(bytes).toString('base64')));
      }),
    );
    assert.ok(isBase64('QUJD'.repeat(2_500_000)));
  });

  for (const text of ['Q', 'QU', 'QUI', 'QQ=', 'Q===', '====', 'QQ==QUJD', 'QU J', 'QUJ_', 'QUJD\n', 'QUJDQ'])
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(isBase64(text), false);
    });
});

import assert from 'node:assert/strict';
import { createStateCipher } from '../../../src/auth/oidc/seal.js';
import { Secret } from '../../../src/core/secret.js';

const secret = new Secret('a secret of at least 32 characters');

describe('createSeal', () => {
  it('encrypts a text that another process with the same secret can decrypt', () => {
    const sealed = createStateCipher(secret).encrypt('naïve {"a":1}');
    assert.match(sealed, /^[\w-]+$/);
    assert.ok(!Buffer.from(sealed, 'base64url').toString('latin1').includes('{"a":1}'));
    assert.equal(createStateCipher(secret).decrypt(sealed), 'naïve {"a":1}');
  });

  it('produces a different text each time', () => {
    const { encrypt: close } = createStateCipher(secret);
    assert.notEqual(close('a'), close('a'));
  });

  it('rejects a text that was sealed with another key', () => {
    const sealed = createStateCipher(secret).encrypt('a');
    assert.equal(
      createStateCipher(new Secret('another secret with 32 characters')).decrypt(sealed),
      undefined,
    );
    assert.equal(createStateCipher(undefined).decrypt(sealed), undefined);
  });

  it('decrypts texts of the same process without a secret', () => {
    assert.equal(createStateCipher(undefined).decrypt(createStateCipher(undefined).encrypt('a')), 'a');
  });

  it('rejects any changed bit and any other length', () => {
    const { encrypt: close, decrypt: open } = createStateCipher(undefined);
    const bytes = Buffer.from(close('{"state":"x"}'), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      assert.equal(open(changed.toString('base64url')), undefined, String(at));
      assert.equal(open(bytes.subarray(0, at).toString('base64url')), undefined, String(at));
    }
    for (const text of ['', 'a', '!', 'x'.repeat(5000)]) assert.equal(open(text), undefined);
  });
});

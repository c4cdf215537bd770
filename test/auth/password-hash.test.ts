import assert from 'node:assert/strict';
import { hashPassword, passwordHashFault, verifyPassword } from '../../src/auth/password-hash.js';
import { Secret } from '../../src/core/secret.js';
import { cheapHash } from '../support/password-hash.js';

describe('password hashes', () => {
  it('are verified with their own parameters and salt', async () => {
    const encoded = cheapHash('open sesame');
    assert.equal(await verifyPassword(new Secret('open sesame'), encoded), true);
    for (const wrong of ['', 'open sesam', 'open sesame ', 'Open sesame', encoded])
      assert.equal(await verifyPassword(new Secret(wrong), encoded), false);
  });

  it('are created with ln=17 and a new salt each time', async () => {
    const password = new Secret('correct horse');
    const [first, second] = [await hashPassword(password), await hashPassword(password)];
    assert.match(first, /^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(first, second);
    assert.equal(passwordHashFault(first), undefined);
    assert.equal(await verifyPassword(password, first), true);
  });

  it('are independent of the Unicode composition of accents', async () => {
    assert.equal(await verifyPassword(new Secret('gru\u0308n'), cheapHash('gr\u00fcn')), true);
  });

  it('accept the maximum and the minimum cost', () => {
    for (const cost of ['ln=20,r=8,p=4', 'ln=14,r=8,p=1'])
      assert.equal(passwordHashFault(cheapHash('x').replace('ln=14,r=1,p=1', cost)), undefined);
  });

  const valid = cheapHash('x');
  const invalidHashes: readonly (readonly [string, RegExp])[] = [
    ['', /form/],
    ['x', /form/],
    [valid.replace('$scrypt', '$argon2id'), /form/],
    [valid.replace('ln=14,r=1', 'r=1,ln=14'), /form/],
    [`${valid}=`, /form/],
    [`${valid}\n`, /form/],
    [valid.replace(/\$[^$]*$/, '$'), /form/],
    [valid.replace(/\$[^$]*$/, '$AAAA'), /form/],
    [valid.replace('ln=14', 'ln=-1'), /form/],
    [valid.replace('ln=14', 'ln=1e1'), /form/],
    [valid.replace('ln=14', 'ln=100'), /form/],
    [`x${valid}`, /form/],
    [valid.replace('r=1', 'r=100'), /form/],
    [valid.replace('p=1', 'p=100'), /form/],
    [valid.replace('r=1', 'r=10'), /work/],
    [valid.replace('p=1', 'p=10'), /work/],
    [valid.replace('ln=14', 'ln=13'), /work/],
    [valid.replace('ln=14', 'ln=21'), /work/],
    [valid.replace('r=1', 'r=9'), /work/],
    [valid.replace('r=1', 'r=0'), /work/],
    [valid.replace('p=1', 'p=5'), /work/],
    [valid.replace('p=1', 'p=0'), /work/],
    [`${valid.slice(0, -1)}/`, /canonical/],
    [valid.replace(/.\$([^$]*)$/, '/$$$1'), /canonical/],
  ];
  for (const [encoded, reason] of invalidHashes)
    it(`reject ${JSON.stringify(encoded.slice(0, 30))}: ${reason.source}`, async () => {
      assert.match(passwordHashFault(encoded) ?? '', reason);
      await assert.rejects(verifyPassword(new Secret('x'), encoded), reason);
    });
});

import assert from 'node:assert/strict';
import { Secret } from '../../src/core/secret.js';
import { hashPassword, passwordHashFault, verifyPassword } from '../../src/auth/password-hash.js';
import { cheapHash } from '../support/password-hash.js';

describe('a password hash', () => {
  it('is checked with its own parameters and salt', async () => {
    const encoded = cheapHash('open sesame');
    assert.equal(await verifyPassword(new Secret('open sesame'), encoded), true);
    for (const wrong of ['', 'open sesam', 'open sesame ', 'Open sesame', encoded])
      assert.equal(await verifyPassword(new Secret(wrong), encoded), false);
  });

  it('is made with ln=17 and a new salt every time', async () => {
    const password = new Secret('correct horse');
    const [first, second] = [await hashPassword(password), await hashPassword(password)];
    assert.match(first, /^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(first, second);
    assert.equal(passwordHashFault(first), undefined);
    assert.equal(await verifyPassword(password, first), true);
    assert.equal(await verifyPassword(new Secret('correct horsf'), first), false);
  });

  it('does not mind how accents are composed', async () => {
    assert.equal(await verifyPassword(new Secret('gru\u0308n'), cheapHash('gr\u00fcn')), true);
  });

  it('may ask for as much work as is allowed, and as little', () => {
    for (const cost of ['ln=20,r=8,p=4', 'ln=14,r=1,p=1'])
      assert.equal(passwordHashFault(cheapHash('x').replace('ln=14,r=8,p=1', cost)), undefined);
  });

  const good = cheapHash('x');
  const bad: readonly (readonly [string, RegExp])[] = [
    ['', /form/],
    ['x', /form/],
    [good.replace('$scrypt', '$argon2id'), /form/],
    [good.replace('ln=14,r=8', 'r=8,ln=14'), /form/],
    [`${good}=`, /form/],
    [`${good}\n`, /form/],
    [good.replace(/\$[^$]*$/, '$'), /form/],
    [good.replace(/\$[^$]*$/, '$AAAA'), /form/],
    [good.replace('ln=14', 'ln=-1'), /form/],
    [good.replace('ln=14', 'ln=1e1'), /form/],
    [good.replace('ln=14', 'ln=100'), /form/],
    [`x${good}`, /form/],
    [good.replace('r=8', 'r=100'), /form/],
    [good.replace('p=1', 'p=100'), /form/],
    [good.replace('r=8', 'r=10'), /work/],
    [good.replace('p=1', 'p=10'), /work/],
    [good.replace('ln=14', 'ln=13'), /work/],
    [good.replace('ln=14', 'ln=21'), /work/],
    [good.replace('r=8', 'r=9'), /work/],
    [good.replace('r=8', 'r=0'), /work/],
    [good.replace('p=1', 'p=5'), /work/],
    [good.replace('p=1', 'p=0'), /work/],
    [`${good.slice(0, -1)}/`, /canonical/],
    [good.replace(/.\$([^$]*)$/, '/$$$1'), /canonical/],
  ];
  for (const [encoded, reason] of bad)
    it(`of the form ${JSON.stringify(encoded.slice(0, 30))} is refused: ${reason.source}`, async () => {
      assert.match(passwordHashFault(encoded) ?? '', reason);
      await assert.rejects(verifyPassword(new Secret('x'), encoded), reason);
    });
});

import assert from 'node:assert/strict';
import { closestName, didYouMean } from '../../src/lib/closest-name.js';

describe('closestName', () => {
  const known = ['accept', 'contentType', 'path', 'method', 'passwordHash', 'tokenFile', 'tokenEnv'];

  it('takes a misspelt name for the closest one', () => {
    for (const [written, meant] of [
      ['acept', 'accept'],
      ['Accept', 'accept'],
      ['content-type', 'contentType'],
      ['contenttype', 'contentType'],
      ['paht', 'path'],
      ['aght', undefined],
      ['pat', 'path'],
      ['password', 'passwordHash'],
      ['token', undefined],
      ['con', undefined],
      ['body', undefined],
      ['', undefined],
      ['a'.repeat(100_000), undefined],
    ] as const)
      assert.equal(closestName(written, known), meant, JSON.stringify(written.slice(0, 20)));
  });

  it('counts two swapped characters as one edit, so that it knows short names', () => {
    assert.equal(closestName('nco', ['noc', 'admin']), 'noc');
    assert.equal(closestName('con', ['noc', 'admin']), undefined);
  });

  it('prefers the nearest name', () => {
    assert.equal(closestName('timeoutM', ['timeouts1', 'timeoutMs']), 'timeoutMs');
  });
});

describe('didYouMean', () => {
  it('asks for the similar name, and is empty without one', () => {
    assert.equal(didYouMean('chek', ['check', 'serve']), '; did you mean "check"?');
    assert.equal(didYouMean('xyz', ['check', 'serve']), '');
  });
});

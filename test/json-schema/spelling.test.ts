import assert from 'node:assert/strict';
import { closestName } from '../../src/json-schema/wording.js';

describe('closestName', () => {
  const known = ['accept', 'contentType', 'path', 'method'];

  for (const [written, meant] of [
    ['acept', 'accept'],
    ['Accept', 'accept'],
    ['content-type', 'contentType'],
    ['contenttype', 'contentType'],
    ['paht', 'path'],
    ['aght', undefined],
    ['pat', 'path'],
    ['body', undefined],
    ['', undefined],
    ['a'.repeat(100_000), undefined],
  ] as const)
    it(`takes ${JSON.stringify(written.slice(0, 20))} for ${String(meant)}`, () => {
      assert.equal(closestName(written, known), meant);
    });

  it('prefers the nearest name', () => {
    assert.equal(closestName('timeoutM', ['timeouts1', 'timeoutMs']), 'timeoutMs');
  });
});

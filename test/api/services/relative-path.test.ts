import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pathBelow } from '../../../src/api/services/module-search.js';

const BASES = ['https://nso.example:8888', 'https://b.example/api'];

describe('pathBelow', () => {
  for (const [url, expected] of [
    ['https://nso.example:8888/restconf/m', '/restconf/m'],
    ['HTTPS://NSO.example:8888/m?x=1#part', '/m?x=1'],
    ['/restconf/m', '/restconf/m'],
    ['https://b.example/api/m', '/m'],
    ['https://nso.example:8888/a/../m', '/m'],
    ['https://b.example/apis/m', undefined],
    ['https://b.example/api/../m', undefined],
    ['https://b.example/api/%2e%2e/m', undefined],
    ['https://nso.example:8889/m', undefined],
    ['http://nso.example:8888/m', undefined],
    ['https://nso.example:8888@evil.example/m', undefined],
    ['https://user:pw@nso.example:8888/m', undefined],
    ['https://nso.example:8888', '/'],
    ['//evil.example/m', undefined],
    ['https://b.example/api//evil.example/m', undefined],
    ['\\\\evil.example\\m', undefined],
    ['m.yang', undefined],
    ['javascript:alert(1)', undefined],
    ['https://', undefined],
  ] as const)
    it(`returns ${expected ?? 'undefined'} for ${url}`, () => {
      assert.equal(pathBelow(url, BASES), expected);
    });

  it('returns undefined or an absolute path for any text (property)', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.webPath()), (text) => {
        for (const url of [text, `/${text}`, `https://b.example/api${text}`]) {
          const path = pathBelow(url, BASES);
          assert.ok(path === undefined || path.startsWith('/'));
          if (path !== undefined && !URL.canParse(path, BASES[0])) assert.fail(url);
        }
      }),
    );
  });
});

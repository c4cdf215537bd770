import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bearerToken } from '../../src/auth/authenticate.js';
import { uniformReason } from './fixtures.js';

describe('bearerToken', () => {
  const taken: readonly (readonly [string, string])[] = [
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
  ];
  for (const [header, token] of taken)
    it(`returns the token of "${header}"`, () => {
      assert.equal(bearerToken(header), token);
      assert.equal(bearerToken([header]), token);
    });

  const refused: readonly (readonly string[] | string | undefined)[] = [
    ...[undefined, [], ['Bearer abc', 'Bearer abc'], ['Bearer abc', 'Basic abc'], '', 'Bearer', 'Bearer '],
    ...['Bearer  abc', 'Bearer\tabc', ' Bearer abc', 'Bearer abc ', 'Bearer abc\n', 'Bearer abc, Bearer abc'],
    ...['Bearer abc,abc', 'Bearer abc def', 'Bearer a=b', 'Bearer "abc"', 'Bearer abc\u0000', 'Bearer äbc'],
    ...['Basic YTpi', 'abc', 'Bearerabc', 'Bearer: abc', 'token=abc'],
  ];
  it('rejects every other form', () => {
    for (const header of refused)
      assert.throws(
        () => bearerToken(header),
        (error) => uniformReason(error) !== '',
        JSON.stringify(header),
      );
  });

  it('returns only text that the header contains (property)', () => {
    const letters = fc.string({ unit: fc.constantFrom('B', 'e', 'a', 'r', ' ', '.', '=', ',', '\t') });
    fc.assert(
      fc.property(fc.oneof(fc.string(), letters), (text) => {
        try {
          assert.equal(`bearer ${bearerToken(text)}`, text.replace(/^bearer/i, 'bearer'));
        } catch (error) {
          uniformReason(error);
        }
      }),
    );
  });
});

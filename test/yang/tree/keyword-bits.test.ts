import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Statement } from '../../../src/yang/syntax/statement.js';
import { hasExtension, keywordBits, mayHave } from '../../../src/yang/tree/keyword-bits.js';

const KEYWORDS = ['type', 'when', 'must', 'leaf', 'case', 'refine', 'e:note', 'f:other', 'max-elements'];

describe('keywordBits', () => {
  it('tells of no keyword that occurs that it does not, and of extensions exactly (property)', () => {
    fc.assert(
      fc.property(fc.subarray(KEYWORDS), (keywords) => {
        const bits = keywordBits(keywords.map((keyword) => ({ keyword }) as Statement));
        for (const keyword of keywords) assert.equal(mayHave(bits, keyword), true, keyword);
        assert.equal(
          hasExtension(bits),
          keywords.some((keyword) => keyword.includes(':')),
        );
      }),
    );
  });

  it('tells that a frequent keyword does not occur', () => {
    assert.equal(mayHave(keywordBits([]), 'leaf'), false);
    assert.equal(mayHave(keywordBits([{ keyword: 'type' } as Statement]), 'when'), false);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sizeOfJson } from '../../src/json/json-size.js';

const sizeOf = (text: string, member?: string) => sizeOfJson(Buffer.from(text), member);

/** Returns the number of values by the parsed document. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + valuesIn(inner), 1);
}

describe('sizeOfJson', () => {
  it('counts the values of every document, with and without blanks', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1), (value, indent) => {
        // JSON.parse may have fewer members than the text: `__proto__` is one of the text.
        const text = JSON.stringify(value, null, indent);
        assert.equal(sizeOf(text).values, valuesIn(JSON.parse(text)));
      }),
    );
  });

  it('finds a member of the outermost object, and the number of values in it', () => {
    const text = '{ "a": {"body": [1]}, "x,\\"{": "}", "body" : [ {}, [1, 2] ] , "z": 1 }';
    const { values, member } = sizeOf(text, 'body');
    assert.ok(member);
    assert.equal(text.slice(member.start, member.end).trim(), '[ {}, [1, 2] ]');
    assert.deepEqual([values, member.values], [11, 5]);
    assert.equal(sizeOf('[{"body":1}]', 'body').member, undefined);
  });

  it('reads malformed texts to their end', () => {
    for (const text of ['', '[', '{"a', '"\\', '}}}]', '{"body":[1,', ':::', '[1 2'])
      assert.ok(sizeOf(text, 'body').values >= 1, text);
  });

  it('counts a million brackets in one pass', () => {
    assert.equal(sizeOf('['.repeat(1_000_000)).values, 1_000_000);
  });
});

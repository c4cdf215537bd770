import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasMoreValues, sizeOfJson } from '../../src/json/json-size.js';

const sizeOf = (text: string, member?: string) => sizeOfJson(Buffer.from(text), { member });

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

describe('the costly values of a JSON text', () => {
  const costlyIn = (text: string) => sizeOfJson(Buffer.from(text), { mostCostly: 10_000 }).costly;

  it('count a member once for all objects that begin with the same names', () => {
    assert.equal(costlyIn('[{"a":1,"b":2},{"a":3,"b":4},{"a":5},[],"a",{}]'), 2);
    assert.equal(costlyIn('{"a":{"a":{"a":1}}}'), 1);
    assert.equal(costlyIn('{"a":{"b":1},"c":2,"d":[{"a":1,"c":1}]}'), 4);
  });

  it('count members in another order, and with other names', () => {
    assert.equal(costlyIn('[{"a":1,"b":2},{"b":1,"a":2}]'), 4);
    assert.equal(costlyIn('[{"a":1},{"A":1},{"a ":1},{"\\u0061":1}]'), 4);
  });

  it('count each member of a very large object, also of equal ones', () => {
    const large = `{${Array.from({ length: 1_200 }, (_, at) => `"m${at}":1`).join(',')}}`;
    assert.equal(costlyIn(`[${large},${large}]`), 1_200 + 200);
  });

  it('count numbers of 16 and more digits', () => {
    assert.equal(
      costlyIn('[1234567890123456, -12345678901234567890, 123456789012345, 1.5, "1234567890123456"]'),
      2,
    );
  });

  it('are read in malformed texts as well', () => {
    for (const text of ['', '{', '}}}{"a":1', '{"a', ':::', '{"a":{"b":]}'])
      assert.ok(costlyIn(text) <= 2, text);
  });
});

describe('hasMoreValues', () => {
  it('is true below the number of values that sizeOfJson counts, and reads no further', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const { values } = sizeOfJson(bytes);
        for (let most = 0; most < values + 2; most += 1)
          assert.equal(hasMoreValues(bytes, most), most < values);
      }),
    );
    assert.equal(sizeOfJson(Buffer.from('[1,2,3,4]'), { most: 2 }).values, 3);
  });
});

import assert from 'node:assert/strict';
import { hasMoreValues } from '../../src/json/count-values.js';

const countOf = (text: string): number => {
  const bytes = Buffer.from(text);
  return (
    Array.from({ length: bytes.length + 1 }, (_, most) => most).find((most) => !hasMoreValues(bytes, most)) ??
    -1
  );
};

describe('the number of values in a JSON text', () => {
  it('counts members, elements, objects and arrays, without a list of them', () => {
    const counts = ['1', '[]', '[1,2]', '{"a":1}', '{"a":{},"b":[[],[1]]}'].map(countOf);
    assert.deepEqual(counts, [0, 1, 2, 1, 7]);
  });

  it('does not read strings', () => {
    assert.equal(countOf('["a,b,[{", "\\"[,", "\\\\"]'), 3);
    assert.equal(countOf('"[[[[[[[['), 0);
  });
});

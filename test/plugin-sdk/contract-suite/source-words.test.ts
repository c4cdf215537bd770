import assert from 'node:assert/strict';
import {
  createRandom,
  randomCall,
  randomDocument,
} from '../../../src/plugin-sdk/contract-suite/fuzz-tests.js';
import { pathsIn } from '../../../src/plugin-sdk/contract-suite/source-words.js';

const found = (source: string): readonly string[] => pathsIn(source).map((path) => path.join('/'));

describe('pathsIn', () => {
  it('finds chains of members without the method at their end', () => {
    const source = 'parsed.value?.rrsets.map((set) => set.records)';
    assert.deepEqual(found(source), ['value/rrsets', 'rrsets', 'records']);
  });

  it('finds members of patterns, strings, and JSON pointers', () => {
    const source = `const { zone, kind: type } = valueAt(value, '/data/items')["ietf:name"];`;
    assert.deepEqual(found(source), ['data/items', 'ietf:name', 'zone', 'kind']);
  });

  it('limits the number of paths', () => {
    const source = Array.from({ length: 1_000 }, (_, at) => `value.member${at};`).join('\n');
    assert.equal(pathsIn(source).length, 150);
  });
});

describe('generated inputs', () => {
  const inputsOf = (seed: number): readonly unknown[] => {
    const random = createRandom(seed);
    return Array.from({ length: 50 }, () => [
      randomDocument(random, [['a'], ['b', 'c']]),
      randomCall(random, [['a']]),
    ]);
  };

  it('are the same for the same seed, and others for another seed', () => {
    assert.deepEqual(inputsOf(1), inputsOf(1));
    assert.notDeepEqual(inputsOf(1), inputsOf(2));
  });

  it('are generated without paths as well', () => {
    const random = createRandom(3);
    for (let count = 0; count < 200; count += 1)
      assert.notEqual(JSON.stringify([randomDocument(random, []), randomCall(random, [])]), undefined);
  });
});

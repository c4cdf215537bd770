import assert from 'node:assert/strict';
import { Random } from '../yang/random.js';
import { LONGEST, Mutator } from './mutate.js';

describe('inputs made of others', () => {
  const corpus = ['a long text of no meaning', 'b', ''].map((text) => Buffer.from(text));
  const make = (count: number, given = corpus): readonly string[] => {
    const mutator = new Mutator({ corpus: given, tokens: ['<token>'], random: new Random(7) });
    return Array.from({ length: count }, () => mutator.next().toString('latin1'));
  };

  it('are the same for the same seed', () => {
    assert.deepEqual(make(100), make(100));
  });

  it('differ from each other, and hold pieces of the corpus and of the language', () => {
    const made = make(10_000);
    assert.ok(new Set(made).size > 5_000);
    assert.ok(made.some((text) => text.includes('<token>')));
    assert.ok(made.some((text) => /long text.*long text/.test(text)));
    assert.ok(made.some((text) => text.length > 26));
  });

  it('are never longer than the longest, however long those were that they are made of', () => {
    const lengths = make(10_000, [Buffer.alloc(LONGEST, 'x'), Buffer.alloc(LONGEST + 9, 'y')]).map(
      ({ length }) => length,
    );
    assert.equal(Math.max(...lengths), LONGEST);
    assert.ok(Math.min(...lengths) < LONGEST);
  });

  it('are made of nothing as well', () => {
    assert.ok(make(100, []).some((text) => text.length > 0));
  });
});

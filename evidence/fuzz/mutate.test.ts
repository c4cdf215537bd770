import assert from 'node:assert/strict';
import { Random } from '../../test/support/random.js';
import { LONGEST, Mutator } from './mutate.js';

describe('mutated inputs', () => {
  const corpus = ['a long text of no meaning', 'b', ''].map((text) => Buffer.from(text));
  const make = (count: number, given = corpus): readonly string[] => {
    const mutator = new Mutator({ corpus: given, tokens: ['<token>'], random: new Random(7) });
    return Array.from({ length: count }, () => mutator.next().toString('latin1'));
  };

  it('are the same for the same seed', () => {
    assert.deepEqual(make(100), make(100));
  });

  it('differ from each other, and contain parts of the corpus and tokens of the language', () => {
    const made = make(10_000);
    assert.ok(new Set(made).size > 5_000);
    assert.ok(made.some((text) => text.includes('<token>')));
    assert.ok(made.some((text) => /long text.*long text/.test(text)));
    assert.ok(made.some((text) => text.length > 26));
  });

  it('never exceed the maximum length, also with longer inputs in the corpus', () => {
    const lengths = make(10_000, [Buffer.alloc(LONGEST, 'x'), Buffer.alloc(LONGEST + 9, 'y')]).map(
      ({ length }) => length,
    );
    assert.equal(Math.max(...lengths), LONGEST);
    assert.ok(Math.min(...lengths) < LONGEST);
  });

  it('are generated from an empty corpus', () => {
    assert.ok(make(100, []).some((text) => text.length > 0));
  });
});

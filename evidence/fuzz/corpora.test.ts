import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readCorpus } from './corpora.js';
import { TARGETS } from './targets.js';

describe('untrusted input', () => {
  for (const [name, { run, seeds, tokens }] of Object.entries(TARGETS))
    describe(`for the parser ${name}`, () => {
      it('meets the properties of the target for the whole corpus', () => {
        const inputs = [...seeds.map((seed) => Buffer.from(seed, 'latin1')), ...readCorpus(name)];
        assert.ok(inputs.length > seeds.length, 'there is no corpus');
        for (const input of inputs) run(input);
      });

      it('meets the properties of the target for random combinations', () => {
        const piece = fc.oneof(
          fc.constantFrom(...tokens, ...seeds),
          fc.string({ unit: 'binary', maxLength: 8 }),
        );
        const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
        fc.assert(
          fc.property(text, (written) => {
            run(Buffer.from(written));
          }),
          { numRuns: 100 },
        );
      });
    });
});

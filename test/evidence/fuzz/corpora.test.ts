import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { readCorpus } from './corpora.js';
import { TARGETS } from './targets.js';

describe('what strangers write', () => {
  for (const [name, { run, seeds, tokens }] of Object.entries(TARGETS))
    describe(`as ${name}`, () => {
      it('means what it should in every input that was ever worth keeping', () => {
        const inputs = [...seeds.map((seed) => Buffer.from(seed, 'latin1')), ...readCorpus(name)];
        assert.ok(inputs.length > seeds.length, 'there is no corpus');
        for (const input of inputs) run(input);
      });

      it('means what it should when it is put together at random', () => {
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

describe('the search for such inputs', () => {
  it('finds a fault behind four bytes', function () {
    this.timeout(120_000);
    const script = fileURLToPath(new URL('main.js', import.meta.url));
    const env = { ...process.env, SEED: '1', EVIDENCE_SABOTAGE: '1' };
    const { status, stdout } = spawnSync(process.execPath, [script, '100'], {
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stdout, /"failures":1/);
  });
});

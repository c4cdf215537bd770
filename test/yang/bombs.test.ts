import assert from 'node:assert/strict';
import { compileYang } from '../../src/yang/compile.js';
import { repeat, YANG_BOMBS } from '../support/yang-bombs.js';
import { asModule } from '../support/yang.js';

describe('compileYang with hostile modules', () => {
  for (const [what, text, expected] of YANG_BOMBS)
    it(`reports faults or compiles: ${what}`, () => {
      const compiled = compileYang([{ file: 'bomb.yang', text }], { limits: { nodes: 100_000 } });
      const outcome =
        'faults' in compiled ? compiled.faults.map(({ message }) => message).join('\n') : 'compiles';
      if (expected === 'compiles') assert.equal(outcome, 'compiles');
      else assert.match(outcome, expected);
    });

  it('stops at the time limit', () => {
    let now = 0;
    const text = asModule(repeat(20_000, (at) => `leaf l${at} { type int8; }`));
    const compiled = compileYang([{ file: 'm.yang', text }], {
      now: () => (now += 10),
      limits: { milliseconds: 15 },
    });
    assert.ok('faults' in compiled);
    assert.match(compiled.faults[0]?.message ?? '', /compiling takes longer than 15 ms/);
  });

  it('stops at the size limit', () => {
    const compiled = compileYang([{ file: 'm.yang', text: asModule('') }], { limits: { bytes: 10 } });
    assert.ok('faults' in compiled && compiled.faults[0]?.rule === 'limit');
  });
});

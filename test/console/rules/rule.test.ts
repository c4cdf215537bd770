import assert from 'node:assert/strict';
import { proposedName, rulePath, valuesIn, withoutEmpty } from '../../../console/src/pages/rules/rule.js';

describe('proposedName', () => {
  for (const [words, taken, name] of [
    [['noc', 'query', 'nso1.example.com'], [], 'noc-query-nso1.example.com'],
    [['noc'], ['noc'], 'noc-2'],
    [['noc'], ['noc', 'noc-2'], 'noc-3'],
    [['robot-*'], [], 'robot'],
    [['net admins', 'a/b'], [], 'net-admins-a-b'],
    [['*'], [], 'rule'],
    [['x'.repeat(80)], [], 'x'.repeat(60)],
  ] as const)
    it(`makes ${name} of ${words.join(' ')}`, () => {
      assert.equal(proposedName(words, taken), name);
    });
});

describe('a rule of the console', () => {
  it('has a path for each kind', () => {
    assert.equal(rulePath('access-rule', 'a', 'preview'), '/access/rules/a/preview');
    assert.equal(rulePath('limit', 'a'), '/limits/a');
  });

  it('reads lists from fields, and leaves out what is empty', () => {
    assert.deepEqual(valuesIn(' a, b ,,a'), ['a', 'b']);
    assert.deepEqual(withoutEmpty({ a: [], b: '', c: undefined, d: 0, e: ['x'] }), { d: 0, e: ['x'] });
  });
});

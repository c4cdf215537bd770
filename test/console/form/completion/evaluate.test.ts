import assert from 'node:assert/strict';
import { evaluate } from '../../../../console/src/form/model/completion/evaluate.js';

const DOCUMENT = { site: { name: 'BER' }, ports: [{ mtu: 1500 }, { mtu: 9000 }], tags: ['a', 'b'], none: '' };

const value = (expression: unknown) => evaluate(expression, { document: DOCUMENT, around: DOCUMENT });

describe('an expression of a calculated field', () => {
  const CASES: readonly (readonly [expression: unknown, wanted: unknown])[] = [
    [{ var: 'site.name' }, 'BER'],
    [{ var: '/ports/1/mtu' }, 9000],
    [{ var: ['missing', 7] }, 7],
    [{ cat: [{ var: 'site.name' }, '-', 1] }, 'BER-1'],
    [{ '+': [0.1, 0.2] }, 0.3],
    [{ '-': [5] }, -5],
    [{ '/': [1, 0] }, undefined],
    [{ round: [2.345, 1] }, 2.3],
    [{ max: [{ map: [{ var: 'ports' }, { var: 'mtu' }] }] }, 9000],
    [{ count: [{ filter: [{ var: 'ports' }, { '>': [{ var: 'mtu' }, 2000] }] }] }, 1],
    [{ reduce: [{ var: 'ports' }, { '+': [{ var: 'current.mtu' }, { var: 'accumulator' }] }, 0] }, 10_500],
    [{ if: [{ in: ['a', { var: 'tags' }] }, 'yes', 'no'] }, 'yes'],
    [{ if: [{ and: [true, { '==': [1, '1'] }, { '!': [{ var: 'none' }] }] }, 1, 2] }, 1],
    [{ or: [{ var: 'none' }, 'x'] }, 'x'],
    [{ '+': [{ var: 'missing' }, 1] }, undefined],
    [{ cat: ['a', { var: 'missing' }] }, undefined],
  ];
  for (const [expression, wanted] of CASES)
    it(`gives ${JSON.stringify(wanted)} for ${JSON.stringify(expression)}`, () => {
      assert.deepEqual(value(expression), wanted);
    });

  it('reads own members only, and calls no method', () => {
    for (const hostile of [
      { var: 'constructor' },
      { var: '__proto__.polluted' },
      { var: 'site.name.constructor.constructor' },
      { method: [{ var: 'site' }, 'toString'] },
      { constructor: ['alert(1)'] },
      { '+': [1], '-': [2] },
    ])
      assert.equal(value(hostile), undefined);
  });

  it('has no value beyond the limit of steps, however it nests', () => {
    const many = Array.from({ length: 60 }, (_, at) => at);
    const nested = { map: [many, { map: [many, { map: [many, { var: '' }] }] }] };
    assert.equal(value({ count: [nested] }), undefined);
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) deep = { '+': [deep, 1] };
    assert.equal(value(deep), undefined);
  });
});

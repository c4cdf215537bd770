import assert from 'node:assert/strict';
import { compileSchema } from '../../../src/json-schema/engine/index.js';
import { validatorOf } from './validator-of.js';

function nested(levels: number, wrap: (inner: unknown) => unknown, innermost: unknown): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

describe('the limits of the schema engine', () => {
  it('stop references that multiply, after exactly the allowed steps', () => {
    const levels = Array.from({ length: 40 }, (_, at): [string, unknown] => [
      `l${at}`,
      { allOf: [{ $ref: `#/$defs/l${at + 1}` }, { $ref: `#/$defs/l${at + 1}` }] },
    ]);
    const schema = { $ref: '#/$defs/l0', $defs: { ...Object.fromEntries(levels), l40: {} } };
    const { outcome, steps } = validatorOf(schema).validate(1, { fuel: 100_000 });
    assert.deepEqual([outcome, steps], ['out of fuel', 100_000]);
  });

  it('stop schemas that refer to themselves endlessly', () => {
    const dynamic = { $dynamicAnchor: 'a', $dynamicRef: '#a' };
    assert.equal(validatorOf(dynamic).validate(1).outcome, 'out of fuel');
    const optional = { anyOf: [{ type: 'string' }, { $ref: '#' }] };
    assert.equal(validatorOf(optional).validate('a').outcome, 'valid');
    assert.equal(validatorOf(optional).validate(1).outcome, 'out of fuel');
  });

  it('hold for deeply nested values without an exception', () => {
    const deep = nested(20_000, (inner) => [inner], 1);
    assert.equal(validatorOf({ items: { $ref: '#' } }).validate(deep).outcome, 'out of fuel');
    assert.equal(validatorOf({ const: 1 }).validate(deep).outcome, 'invalid');
    assert.equal(validatorOf({ uniqueItems: true }).validate([deep, deep]).outcome, 'out of fuel');
    assert.equal(validatorOf({ enum: [[1]] }).validate(deep).outcome, 'out of fuel');
  });

  it('hold for deeply nested schemas without an exception, and allow 100 levels', () => {
    const wrap = (inner: unknown): unknown => ({ properties: { a: inner } });
    const fine = nested(100, wrap, { type: 'string' });
    assert.equal(validatorOf(fine).validate(nested(100, (a) => ({ a }), 1)).outcome, 'invalid');
    assert.ok('faults' in compileSchema(nested(20_000, wrap, {})));
    const chain: Record<string, unknown> = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`l${at}`, { $ref: `#/$defs/l${at + 1}` }]),
    );
    const long = compileSchema({ $ref: '#/$defs/l0', $defs: { ...chain, l20000: {} } });
    assert.ok('validator' in long);
    assert.equal(long.validator.validate(1).outcome, 'out of fuel');
  });

  it('keep the steps of uniqueItems nearly linear in the number of items', () => {
    const validator = validatorOf({ uniqueItems: true });
    const steps = (count: number): number =>
      validator.validate(Array.from({ length: count }, (_, at) => ({ name: `n${at}`, tags: [at] }))).steps;
    assert.ok(steps(8_000) < steps(1_000) * 9);
    const twins = [{ a: 1, b: [2] }, 3, { b: [2], a: 1 }];
    assert.match(validator.validate(twins).errors[0]?.message ?? '', /item 2 is there already/);
    assert.equal(validator.validate([1, '1', true, null, 'null', [1], { 0: 1 }, 0]).outcome, 'valid');
  });

  it('allow patterns that take exponential time in backtracking engines', () => {
    const { outcome, steps } = validatorOf({ pattern: '^(a+)+$' }).validate(`${'a'.repeat(50_000)}!`);
    assert.equal(outcome, 'invalid');
    assert.ok(steps < 100_000);
  });

  it('count the steps of a long text against a large pattern', () => {
    for (const pattern of ['^([a-z]{1,500}){1,2}$', `^${'[a-z]{1,1000}'.repeat(3)}$`])
      assert.equal(validatorOf({ pattern }).validate('a'.repeat(1_000_000)).outcome, 'out of fuel', pattern);
  });
});

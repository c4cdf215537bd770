import { equal } from 'node:assert/strict';
import { isListedValue } from '../../src/form-model/listed-values.js';

const SITE = { enum: ['Berlin (Mitte)', 7] };
const SCHEMA = {
  properties: {
    site: SITE,
    same: { $ref: '#/$defs/site' },
    links: { items: { properties: { site: { oneOf: [{ const: 'a*' }] } } } },
    all: { allOf: [{ type: 'string' }, { const: 'b&c' }] },
    loop: { $ref: '#/properties/loop' },
    free: { type: 'string' },
  },
  $defs: { site: SITE },
};

describe('the values that a schema lists', () => {
  it('are those of enum, const and oneOf, also by reference and in lists', () => {
    for (const [pointer, value, isListed] of [
      ['/site', 'Berlin (Mitte)', true],
      ['/site', 7, true],
      ['/site', '7', false],
      ['/same', 'Berlin (Mitte)', true],
      ['/links/*/site', 'a*', true],
      ['/links/*/site', 'b*', false],
      ['/all', 'b&c', true],
      ['/loop', 'x', false],
      ['/free', 'x', false],
      ['/none', undefined, false],
      ['/toString', 'x', false],
    ] as const)
      equal(isListedValue(SCHEMA, pointer, value), isListed, `${pointer} ${String(value)}`);
  });
});

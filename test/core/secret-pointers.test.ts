import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonSchema } from '../../src/core/schema.js';
import { secretPointers } from '../../src/core/secret-pointers.js';

const SECRET = { type: 'string', 'x-secret': true };

describe('secretPointers', () => {
  const cases: readonly (readonly [string, JsonSchema, readonly string[]])[] = [
    [
      'a schema without secrets',
      { type: 'object', properties: { a: { type: 'string', 'x-secret': false } } },
      [],
    ],
    ['the root', SECRET, ['']],
    ['members', { properties: { 'a/b': SECRET, c: { properties: { d: SECRET } } } }, ['/a~1b', '/c/d']],
    ['members with any name', { additionalProperties: SECRET, patternProperties: { '^x': SECRET } }, ['/*']],
    ['items', { properties: { a: { items: { properties: { b: SECRET } } } } }, ['/a/*/b']],
    ['items by index', { prefixItems: [{}, SECRET], items: false }, ['/1']],
    ['items by index in drafts before 2020-12', { items: [SECRET, {}] }, ['/0']],
    ['variants', { oneOf: [{ properties: { a: SECRET } }, { properties: { b: SECRET } }] }, ['/a', '/b']],
    ['conditions', { if: {}, then: { properties: { a: SECRET } }, else: { anyOf: [SECRET] } }, ['', '/a']],
    ['references', { $defs: { s: SECRET }, properties: { a: { $ref: '#/$defs/s' } } }, ['/a']],
    [
      'a member called like a keyword',
      { properties: { properties: SECRET, items: SECRET } },
      ['/items', '/properties'],
    ],
  ];
  it('finds the secrets in each form', () => {
    for (const [what, schema, places] of cases) assert.deepEqual(secretPointers(schema), places, what);
  });

  it('follows a schema that refers to itself once', () => {
    const node = { properties: { secret: SECRET, next: { $ref: '#' } } };
    assert.deepEqual(secretPointers(node), ['/next/secret', '/secret']);
  });

  it('ends for definitions that refer to each other', () => {
    const names = Array.from({ length: 12 }, (_, at) => `d${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const $defs = Object.fromEntries(
      names.map((name) => [name, { properties: { ...properties, s: SECRET } }]),
    );
    assert.ok(secretPointers({ $defs, properties }).includes('/d0/s'));
  });

  it('returns pointers for any object (property)', () => {
    const words = fc.constantFrom(
      'properties',
      'items',
      'allOf',
      '$ref',
      '#',
      '#/items',
      'x-secret',
      '#/%',
      'a',
    );
    fc.assert(
      fc.property(fc.object({ key: words, values: [words, fc.boolean()], maxDepth: 4 }), (schema) => {
        for (const place of secretPointers(schema)) assert.match(place, /^(?:\/.*)?$/s);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonSchema } from '../../../src/core/schema.js';
import { secretPointers } from '../../../src/features/schema/operations.js';

const SECRET = { type: 'string', 'x-secret': true };

describe('secretPointers', () => {
  const cases: readonly (readonly [JsonSchema, readonly string[]])[] = [
    [{ type: 'object', properties: { a: { type: 'string', 'x-secret': false } } }, []],
    [SECRET, ['']],
    [{ properties: { 'a/b': SECRET, c: { properties: { d: SECRET } } } }, ['/a~1b', '/c/d']],
    [{ additionalProperties: SECRET, patternProperties: { '^x': SECRET } }, ['/*']],
    [{ properties: { a: { items: { properties: { b: SECRET } } } } }, ['/a/*/b']],
    [{ prefixItems: [{}, SECRET], items: false }, ['/1']],
    [{ items: [SECRET, {}] }, ['/0']],
    [{ oneOf: [{ properties: { a: SECRET } }, { properties: { b: SECRET } }] }, ['/a', '/b']],
    [{ if: {}, then: { properties: { a: SECRET } }, else: { anyOf: [SECRET] } }, ['', '/a']],
    [{ $defs: { s: SECRET }, properties: { a: { $ref: '#/$defs/s' } } }, ['/a']],
    [{ properties: { properties: SECRET, items: SECRET } }, ['/items', '/properties']],
  ];
  it('finds the secrets of a schema', () => {
    for (const [schema, places] of cases)
      assert.deepEqual(secretPointers(schema), places, JSON.stringify(schema));
  });

  it('follows a schema that refers to itself once', () => {
    const node = { properties: { secret: SECRET, next: { $ref: '#' } } };
    assert.deepEqual(secretPointers(node), ['/next/secret', '/secret']);
  });

  it('ends for definitions that refer to each other', () => {
    const names = Array.from({ length: 12 }, (_, at) => `d${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
    const definition = { properties: { ...properties, s: SECRET } };
    const $defs = Object.fromEntries(names.map((name) => [name, definition]));
    assert.ok(secretPointers({ $defs, properties }).includes('/d0/s'));
  });

  it('returns pointers for any object (property)', () => {
    const keywords = ['properties', 'items', 'allOf', '$ref', 'x-secret'];
    const words = fc.constantFrom(...keywords, '#', '#/items', '#/%', 'a');
    fc.assert(
      fc.property(fc.object({ key: words, values: [words, fc.boolean()], maxDepth: 4 }), (schema) => {
        for (const place of secretPointers(schema)) assert.match(place, /^(?:\/.*)?$/s);
      }),
    );
  });
});

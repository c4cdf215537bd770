import assert from 'node:assert/strict';
import { compileSchema } from '../../../src/json-schema/engine/index.js';

const faultsOf = (schema: unknown): readonly string[] => {
  const compiled = compileSchema(schema);
  if (!('faults' in compiled)) return [];
  for (const { message } of compiled.faults)
    assert.match(message, /^leads back to itself for the same value/);
  return compiled.faults.map(({ pointer }) => pointer);
};

describe('references that lead back to themselves', () => {
  it('are a fault of the schema (bug: the data was called too large)', () => {
    const ab = { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } };
    for (const [schema, pointer] of [
      [{ $ref: '#' }, '/$ref'],
      [{ $ref: '#/$defs/a', $defs: ab }, '/$defs/a/$ref'],
      [{ properties: { x: { $ref: '#/$defs/a' } }, $defs: ab }, '/$defs/a/$ref'],
      [{ allOf: [{}, { $ref: '#' }] }, '/allOf/1/$ref'],
      [{ anyOf: [{ $ref: '#' }, {}] }, '/anyOf/0/$ref'],
      [{ oneOf: [{ $ref: '#' }] }, '/oneOf/0/$ref'],
      [{ not: { not: { $ref: '#' } } }, '/not/not/$ref'],
      [{ if: { $ref: '#' } }, '/if/$ref'],
    ] as const)
      assert.deepEqual(faultsOf(schema), [pointer], JSON.stringify(schema));
  });

  it('are each reported once', () => {
    const twice = { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] };
    const schema = { ...twice, $defs: { a: { $ref: '#/$defs/a' }, b: { allOf: [{ $ref: '#/$defs/b' }] } } };
    assert.deepEqual([...faultsOf(schema)].sort(), ['/$defs/a/$ref', '/$defs/b/allOf/0/$ref']);
    const many = Array.from({ length: 300 }, () => ({ $ref: '#' }));
    assert.equal(faultsOf({ allOf: many }).length, 100);
  });

  it('are allowed where the value becomes smaller, where another branch may fit first, and where nothing refers to them', () => {
    for (const schema of [
      { properties: { next: { $ref: '#' } } },
      { items: { allOf: [{ $ref: '#' }] } },
      { additionalProperties: { anyOf: [{ $ref: '#' }] } },
      { anyOf: [{ type: 'string' }, { $ref: '#' }] },
      { if: { type: 'object' }, else: { $ref: '#' } },
      { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: { type: 'string' } } },
      { $defs: { a: { $ref: '#/$defs/a' } } },
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/definitions/a',
        allOf: [{ $ref: '#' }],
        definitions: { a: {} },
      },
    ])
      assert.deepEqual(faultsOf(schema), [], JSON.stringify(schema));
  });
});

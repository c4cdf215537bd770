import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { toEditorSchema } from '../../src/config/editor-schema.js';
import type { JsonSchema } from '../../src/core/schema.js';

/** One for all schemas, because a new one compiles the metaschema again. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
ajv.addVocabulary(['errorMessage', 'patternErrorMessage']);

/** Returns true if the editor form of a schema accepts a value. References are allowed below `/open` alone. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  return ajv.validate(
    toEditorSchema(schema, (pointer) => pointer.startsWith('/open')),
    value,
  );
}

const inOpen = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { open: schema } });
const inClosed = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { closed: schema } });

/** Returns the editor form of a schema for a member without references. */
function closedOf(schema: JsonSchema): JsonSchema {
  const { properties } = toEditorSchema(inClosed(schema), () => false);
  return (properties as { readonly closed: JsonSchema }).closed;
}

const TEXT = { type: 'string' };
const PORT = { type: 'integer', minimum: 1, maximum: 9 };
const WORD = { type: 'string', enum: ['a', 'b'], default: 'a' };
const ADDRESS = { type: 'string', pattern: '^http://' };
const LONG = { type: 'string', minLength: 3, maxLength: 4 };
const SWITCH = { type: 'boolean', default: true };
const NULLABLE = { type: ['integer', 'null'], minimum: 1 };

describe('toEditorSchema', () => {
  for (const [name, schema, valid, invalid] of [
    [
      'a text',
      TEXT,
      ['', 'x', '$', '$${', '$$${x', '$$ENCx', '$$VAULT_x', 'a$VAULT', '${A}', '${A:-}'],
      ['${', '${1}', '${A', '${A:-{}', '$ENCx', ' $eNc', 'vault://a#b', 1],
    ],
    ['a number', PORT, [1, 9, '${A}', '${A:-5}'], [0, 10, 1.5, '5', '${A}0', ' ${A}', '$${A}', '']],
    ['a word', WORD, ['a', '${A}', 'x${A}'], ['c', '$${A}', 1, '${']],
    ['a pattern', ADDRESS, ['http://x', 'http://${A}', '${A}', '${A:-http://x}'], ['x', '$${A}://', '$ENCx']],
    ['a length', LONG, ['abc', 'abcd', '${A}', '😀😀😀😀'], ['ab', 'abcde', '$$']],
    ['a boolean', SWITCH, [true, false, '${A}'], ['true', 'yes', 1]],
    ['a number or null', NULLABLE, [null, 1, '${A}'], [0, '', 'null']],
  ] as const) {
    it(`accepts variables in place of ${name}`, () => {
      for (const value of valid) assert.ok(accepts(inClosed(schema), { closed: value }), String(value));
      for (const value of invalid) assert.ok(!accepts(inClosed(schema), { closed: value }), String(value));
    });

    it(`accepts references in place of ${name} where they are allowed`, () => {
      for (const reference of [
        ...['$VAULT_a', '$VAULT_/m/a?version=2&encoding=base64#/x/y', '$VAULT_a%20b#c d', '$SECRET_a $KEY_b'],
        ...['$VAULT_${A}#b', '$VAULT_a/${A}'],
      ]) {
        assert.ok(accepts(inOpen(schema), { open: reference }), reference);
        assert.ok(!accepts(inClosed(schema), { closed: reference }), reference);
      }
      for (const malformed of [
        ...['$VAULT_', '$VAULT_a b', '$VAULT_a#', '$VAULT_a#b#c', '$VAULT_/a', '$VAULT_a//b', '$VAULT_a?x=1'],
        ...['$vault_a#b', '$SECRET_a', ' $VAULT_a'],
      ])
        assert.ok(!accepts(inOpen(schema), { open: malformed }), malformed);
    });
  }

  it('selects the branch of a union by its tag', () => {
    const branch = (kind: string, key: string): JsonSchema => ({
      type: 'object',
      additionalProperties: false,
      required: ['kind', key],
      properties: { kind: { type: 'string', const: kind }, [key]: { type: 'integer' } },
    });
    const union = {
      type: 'object',
      discriminator: { propertyName: 'kind' },
      oneOf: [branch('a', 'x'), branch('b', 'y')],
    };
    assert.ok(accepts(union, { kind: 'a', x: 1 }));
    assert.ok(accepts(union, { kind: '${KIND}', y: 1 }));
    for (const value of [
      { kind: 'a', y: 1 },
      { kind: 'a' },
      { x: 1 },
      { kind: 'c', x: 1 },
      { kind: '${KIND}', z: 1 },
      { kind: 'a', x: 'b' },
    ])
      assert.ok(!accepts(union, value), JSON.stringify(value));
  });

  it('keeps the meaning of alternatives that require one member each', () => {
    const one = (name: string): JsonSchema => ({ required: [name], properties: { [name]: true } });
    const schema = { type: 'object', oneOf: [one('a'), one('b'), one('c')] };
    const names = ['a', 'b', 'c'];
    for (let set = 0; set < 8; set += 1) {
      const members = names.filter((_, at) => (set & (1 << at)) > 0);
      const value = Object.fromEntries(members.map((name) => [name, null]));
      assert.equal(accepts(schema, value), members.length === 1, JSON.stringify(value));
    }
  });

  it('finds encrypted values and names at any depth of a free value', () => {
    const free = inOpen({ type: 'object' });
    assert.ok(accepts(free, { open: { a: [{ b: '$VAULT_a#b' }, 1, null, '${A}'] } }));
    for (const value of [{ a: [{ b: '$ENC1' }] }, { $ENC1: 1 }, { a: { $enc1: {} } }, { a: ['${'] }])
      assert.ok(!accepts(free, { open: value }), JSON.stringify(value));
  });

  it('keeps a schema that refers to another one', () => {
    const reference = { $ref: '#/$defs/x', type: 'object', description: 'any' };
    assert.deepEqual(closedOf(reference), reference);
  });

  it('accepts only texts of a JSON pointer, of a least length, and of every part that a schema combines', () => {
    const pointer = inClosed({ type: 'string', format: 'json-pointer' });
    for (const closed of ['', '/a~0/b~1', '${A}']) assert.ok(accepts(pointer, { closed }), closed);
    for (const closed of ['a', '/~2', '/~']) assert.ok(!accepts(pointer, { closed }), closed);
    const long = inClosed({ type: 'string', minLength: 2 });
    assert.deepEqual(
      ['ab', 'a'].map((closed) => accepts(long, { closed })),
      [true, false],
    );
    const combined = { type: 'object', allOf: [{ properties: { closed: PORT } }] };
    assert.deepEqual(
      ['${A}', 1, 0].map((closed) => accepts(combined, { closed })),
      [true, true, false],
    );
  });

  it('says in a sentence what a value must be', () => {
    const errorOf = (schema: JsonSchema): unknown => {
      const converted = closedOf(schema) as {
        readonly errorMessage?: string;
        readonly anyOf?: readonly { readonly errorMessage?: string }[];
      };
      return converted.errorMessage ?? converted.anyOf?.[0]?.errorMessage;
    };
    const each = { oneOf: [{ required: ['a'] }, { required: ['b'] }] };
    for (const [schema, sentence] of [
      [{ type: 'string' }, 'The value must be a text.'],
      [{ type: 'integer' }, 'The value must be a whole number.'],
      [{ type: 'number' }, 'The value must be a number.'],
      [{ type: 'boolean' }, 'The value must be true or false.'],
      [{ type: ['integer', 'object'] }, 'The value must be a whole number or an object.'],
      [{ type: ['integer', 'array'] }, 'The value must be a whole number or a list.'],
      [{ type: ['boolean', 'null'] }, 'The value must be true or false or null.'],
      [{ type: ['boolean', 'other'] }, 'The value must be true or false or something else.'],
      [{ type: 'object', ...each }, 'The value must be an object.'],
      [{ type: 'object', ...each, 'x-hint': 'must have one' }, 'The value must have one.'],
      [{ title: 'The port', type: 'integer', minimum: 1 }, 'The port must be a whole number of at least 1.'],
      [{ type: 'integer', maximum: 9 }, 'The value must be a whole number of at most 9.'],
      [{ type: 'number', minimum: 0, maximum: 1 }, 'The value must be a number from 0 to 1.'],
      [{ type: 'string', minLength: 2 }, 'The value must be a text of at least 2 characters.'],
      [{ type: 'string', maxLength: 4 }, 'The value must be a text of at most 4 characters.'],
      [{ type: 'string', minLength: 2, maxLength: 4 }, 'The value must be a text from 2 to 4 characters.'],
      [{ enum: ['a', 1, null] }, 'The value must be one of a, 1, null.'],
      [{ const: true }, 'The value must be true.'],
      [{ not: { const: null }, 'x-hint': 'must not be null' }, 'The value must not be null.'],
    ] as const)
      assert.equal(errorOf(schema), sentence, JSON.stringify(schema));
  });

  it('names the pattern of a text and of names in their sentences', () => {
    const text = closedOf({ type: 'string', pattern: '^a', 'x-hint': 'must begin with a' });
    const patternErrorMessage = 'The value must begin with a.';
    assert.deepEqual(text['anyOf'], [
      { pattern: '^a', patternErrorMessage },
      { $ref: '#/$defs/substituted' },
    ]);
    const names = { pattern: '^a', 'x-hint': 'must begin with a' };
    assert.deepEqual(closedOf({ type: 'object', propertyNames: names })['propertyNames'], {
      pattern: '^a',
      patternErrorMessage: 'The name must begin with a.',
    });
    assert.throws(() => closedOf({ type: 'string', format: 'date' }), /no pattern for the format date/);
  });

  it('accepts only the members of a pair of alternatives that its branches name', () => {
    const schema = { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] };
    const errorMessage = 'The value must be an object.';
    const { oneOf, anyOf, allOf } = closedOf(schema);
    assert.equal(oneOf, undefined);
    assert.deepEqual(anyOf, [
      { required: ['a'], properties: { a: true }, errorMessage },
      { required: ['b'], properties: { b: true }, errorMessage },
    ]);
    assert.deepEqual(allOf, [
      { if: { required: ['a'], properties: { a: true } }, then: { properties: { b: false }, errorMessage } },
    ]);
  });
});

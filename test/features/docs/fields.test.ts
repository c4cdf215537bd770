import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/core/schema.js';
import { fieldsOf, resolverOf } from '../../../src/features/docs/fields.js';
import { exampleOf } from '../../../src/features/docs/operation-section.js';
import type { OpenApiDocument } from '../../../src/http/openapi-types.js';
import { compileSchema } from '../../../src/json-schema/compile.js';

const tree: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    children: { type: 'array', items: { $ref: '#/components/schemas/tree' } },
  },
};
const circle = { $ref: '#/components/schemas/circle' };
const resolve = resolverOf({ components: { schemas: { tree, circle } } } as unknown as OpenApiDocument);
const linesOf = (schema: JsonSchema): readonly string[] =>
  fieldsOf(schema, resolve).map(({ name, type, isRequired, meaning }) =>
    `${name}: ${type}${isRequired ? '!' : ''} ${meaning}`.trim(),
  );

const TREE = { $ref: '#/components/schemas/tree' };
const TREE_LINES = ['name: text!', 'children: list of object'];

describe('fieldsOf', () => {
  it('lists each member with its path, type and rules', () => {
    const form = { type: 'object', properties: { id: { type: 'string' } } };
    const schema = {
      type: 'object',
      required: ['forms'],
      properties: {
        forms: { type: 'array', minItems: 1, items: form },
        size: { type: ['integer', 'null'], minimum: 1, default: 3, description: 'How large' },
        level: { enum: ['low', 'high', null] },
        names: { type: 'array', items: { type: 'string', 'x-hint': 'must be short' } },
        headers: { type: 'object', additionalProperties: { type: 'string', maxLength: 9 } },
        other: {},
      },
    };
    assert.deepEqual(linesOf(schema), [
      'forms: list of object! Elements, at least 1.',
      'forms[].id: text',
      'size: integer or null How large. Default: 3. At least 1.',
      'level: text or null One of low, high, null.',
      'names: list of text',
      'headers: object',
      'headers.*: text Characters, at most 9.',
      'other: anything',
    ]);
  });

  it('describes the value itself when the schema is not a plain object', () => {
    assert.deepEqual(linesOf({ type: 'array', items: { type: 'integer' } }), [': list of integer!']);
    assert.deepEqual(linesOf({ const: 'yes', description: 'Agreed' }), [': text! Agreed. Always yes.']);
    assert.deepEqual(linesOf({ oneOf: [TREE, { type: 'null' }] }), [': object or null!', ...TREE_LINES]);
  });

  it('stops at a schema that contains itself and at an unresolved reference', () => {
    assert.deepEqual(linesOf(TREE), TREE_LINES);
    assert.deepEqual(linesOf(circle), [': anything!']);
    assert.deepEqual(linesOf({ $ref: '#/nowhere' }), [': anything!']);
  });
});

describe('exampleOf', () => {
  it('returns an example that validates', () => {
    for (const schema of [
      tree,
      { type: 'object', properties: { a: { type: 'integer', minimum: 7 }, b: { type: 'boolean' } } },
      { type: 'string', pattern: '^[0-9a-f]{24}$' },
      { type: 'string', minLength: 50 },
      { type: ['null', 'array'], items: { enum: ['a', 'b'] } },
      { oneOf: [{ type: 'object', required: ['x'], properties: { x: { const: 1 } } }, { type: 'null' }] },
      { type: 'string', format: 'date-time' },
      { default: [] },
      { type: 'null' },
    ] as readonly JsonSchema[]) {
      const own = schema === tree ? { ...tree, components: { schemas: { tree } } } : schema;
      const validate = schema === tree ? () => ({ violations: [] }) : compileSchema(own);
      const example = exampleOf(schema, resolve);
      assert.notEqual(example, undefined, JSON.stringify(schema).slice(0, 60));
      assert.deepEqual(validate(example).violations, [], JSON.stringify(schema).slice(0, 60));
    }
  });

  it('ends for a schema that contains itself', () => {
    const endless = { type: 'object', required: ['next'], properties: { next: circle } };
    assert.deepEqual(exampleOf(tree, resolve), { name: 'text' });
    assert.deepEqual(
      exampleOf(endless, () => endless),
      JSON.parse('{"next":'.repeat(8) + '{}' + '}'.repeat(8)),
    );
  });
});

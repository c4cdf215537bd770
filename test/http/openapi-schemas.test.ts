import assert from 'node:assert/strict';
import type { JsonSchema } from '../../src/core/schema.js';
import { componentName, createSchemaComponents } from '../../src/http/openapi-schemas.js';

const described = (schema: JsonSchema): JsonSchema => createSchemaComponents().describe(schema);

describe('the schemas of an API description', () => {
  it('reject two schemas with the same title', () => {
    const { describe } = createSchemaComponents();
    describe({ title: 'Item', type: 'string' });
    assert.throws(() => describe({ title: 'item', type: 'integer' }), /two schemas have the title "item"/);
  });

  it('refer to a component or null where null is allowed', () => {
    const { describe, all } = createSchemaComponents();
    assert.deepEqual(describe({ title: 'Item', type: ['object', 'null'], properties: {} }), {
      anyOf: [{ $ref: '#/components/schemas/Item' }, { type: 'null' }],
    });
    assert.deepEqual(all()['Item'], { title: 'Item', type: 'object', properties: {} });
  });

  it('have one alternative for each of several types', () => {
    assert.deepEqual(described({ type: ['object', 'array', 'null'], maxItems: 2, description: 'Rules' }), {
      description: 'Rules',
      anyOf: [
        { type: 'object', additionalProperties: true },
        { type: 'array', maxItems: 2, items: {} },
        { type: 'null' },
      ],
    });
  });

  it('name the type of constants and of enumerations', () => {
    assert.deepEqual(described({ const: 'a' }), { type: 'string', const: 'a' });
    assert.deepEqual(described({ enum: [1, -1] }), { type: 'integer', enum: [1, -1] });
    assert.deepEqual(described({ enum: ['a', null] }), { type: ['string', 'null'], enum: ['a', null] });
  });

  it('describe a single boolean as a boolean that is not the other', () => {
    assert.deepEqual(described({ const: true }), { type: 'boolean', not: { type: 'boolean', const: false } });
    assert.deepEqual(described({ enum: [false, null] }), {
      type: ['boolean', 'null'],
      not: { type: 'boolean', const: true },
    });
    assert.deepEqual(described({ enum: [true, false] }), { type: 'boolean', enum: [true, false] });
  });

  it('are described at every depth', () => {
    const deep = {
      properties: { a: { anyOf: [{ items: { const: 1 } }] } },
      additionalProperties: { type: 'array' },
    };
    assert.deepEqual(described(deep), {
      properties: { a: { anyOf: [{ items: { type: 'integer', const: 1 } }] } },
      additionalProperties: { type: 'array', items: {} },
    });
  });
});

describe('the name of a component', () => {
  for (const [title, name] of [
    ['Adapter entry', 'AdapterEntry'],
    ['REST action result', 'RestActionResult'],
    ['Form, or null', 'FormOrNull'],
    ['Task ShowJsonForm', 'TaskShowJsonForm'],
    ['OpenAPI 3.1 document', 'OpenAPI31Document'],
  ] as const)
    it(`of "${title}" is ${name}`, () => {
      assert.equal(componentName(title), name);
    });
});

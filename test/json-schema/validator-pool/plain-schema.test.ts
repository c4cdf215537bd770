import assert from 'node:assert/strict';
import { plainSchema } from '../../../src/json-schema/validator-pool/plain-schema.js';

describe('plainSchema', () => {
  it('replaces each reference by the referenced schema', () => {
    const schema = {
      $id: 'https://a.example/s',
      properties: {
        a: { $ref: '#/$defs/x' },
        b: { $ref: '#named' },
        c: { $ref: 'https://a.example/s#/$defs/with~1slash%20' },
        d: { $ref: '#/$defs/chain' },
      },
      $defs: {
        x: { type: 'string', title: 'X' },
        y: { $anchor: 'named', minimum: 1 },
        'with/slash ': true,
        chain: { items: { $ref: '#/$defs/x' } },
      },
    };
    const { properties } = plainSchema(schema, undefined) as { properties: unknown };
    assert.deepEqual(properties, {
      a: { type: 'string', title: 'X' },
      b: { $anchor: 'named', minimum: 1 },
      c: true,
      d: { items: { type: 'string', title: 'X' } },
    });
  });

  it('keeps the keywords beside a reference', () => {
    const propertyWith = (beside: object): unknown => {
      const schema = {
        properties: { a: { $ref: '#/$defs/x', ...beside } },
        $defs: { x: { minimum: 1, title: 'X' } },
      };
      return (plainSchema(schema, undefined) as { properties: { a: unknown } }).properties.a;
    };
    assert.deepEqual(propertyWith({ title: 'A', maximum: 9 }), { minimum: 1, title: 'A', maximum: 9 });
    assert.deepEqual(propertyWith({ minimum: 5 }), { minimum: 5, allOf: [{ minimum: 1, title: 'X' }] });
  });

  it('leaves data unchanged that looks like a reference', () => {
    const schema = {
      default: { $ref: 'x' },
      enum: [{ $ref: 'y' }],
      properties: { $ref: { type: 'string' } },
    };
    assert.deepEqual(plainSchema(schema, undefined), schema);
  });

  it('replaces references in properties that are named like keywords', () => {
    const x = { type: 'string' };
    const properties = Object.fromEntries(
      ['default', 'enum', 'const', '$defs', '$ref'].map((name) => [name, { $ref: '#/$defs/x' }]),
    );
    const plain = plainSchema({ properties, $defs: { x } }, undefined);
    assert.deepEqual(plain, { properties: { default: x, enum: x, const: x, $defs: x, $ref: x } });
  });

  it('refuses external and circular references', () => {
    const $defs = { a: { not: { $ref: '#/$defs/b' } }, b: { not: { $ref: '#/$defs/a' } } };
    for (const [schema, message] of [
      [{ $ref: 'http://a.example/s' }, /nothing is fetched/],
      [{ items: { $ref: '#' } }, /refers to itself/],
      [{ $ref: '#/$defs/a', $defs }, /refers to itself/],
    ] as const)
      assert.throws(() => plainSchema(schema, undefined), { code: 'schema_invalid', message });
  });

  it('F2: refuses references that multiply', () => {
    const levels = Array.from({ length: 40 }, (_, at) => [`d${at}`, { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }]); // prettier-ignore
    const $defs = { ...(Object.fromEntries(levels) as object), d40: {} };
    assert.throws(() => plainSchema({ $ref: '#/$defs/d0', $defs }, undefined), { code: 'schema_too_costly' });
  });

  it('adds the binding of a bound property as x-binding', () => {
    const schema = { properties: { site: { type: 'string' }, other: {} } };
    const links = [
      { rel: 'collection', href: 'a' },
      { rel: 'item', href: 'restQuery/core1', targetMediaType: 'application/json' },
    ];
    const binding = {
      ...{ 'binding:method': 'POST', 'binding:link': 'item', 'binding:target': '/enum' },
      'binding:hyperSchema': { base: '/orchestrator_manager/', links },
      'binding:source': { propertyPointer: '/sites', keyPointer: '/name' },
    };
    const expected = {
      ...{ method: 'POST', href: '/orchestrator_manager/restQuery/core1', target: '/enum' },
      ...{ targetMediaType: 'application/json', source: { propertyPointer: '/sites', keyPointer: '/name' } },
    };
    assert.deepEqual(plainSchema(schema, { properties: { site: binding } }), {
      properties: { site: { type: 'string', 'x-binding': expected }, other: {} },
    });
  });

  it('refuses invalid bindings', () => {
    const noProperty = { code: 'schema_invalid', message: /no such property/ };
    for (const [binding, fault] of [
      [{ properties: { b: {} } }, noProperty],
      [{ properties: { __proto__: null, toString: {} } }, noProperty],
      [[], { code: 'invalid_request' }],
      [{ properties: { a: 1 } }, { code: 'invalid_request' }],
    ] as const)
      assert.throws(() => plainSchema({ properties: { a: {} } }, binding), fault);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  matchingSubtrees,
  partialSchema,
  selectSubtrees,
  textTestOf,
} from '../../src/form-model/partial-schema.js';
import { isDefinition, SchemaIndex } from '../../src/form-model/schema-index.js';
import {
  isSubtreeLeftOut,
  type SchemaSubtree,
  type SchemaWithUi,
  SUBTREE,
  withSubtrees,
} from '../../src/form-model/schema-subtrees.js';
import { compileSchema } from '../../src/json-schema/engine/index.js';
import type { JsonObject } from '../../src/json/json-object.js';
import { pointerTo, valueAt } from '../../src/json/pointer.js';
import { largeModule } from '../support/large-module.js';
import { compileText } from '../support/yang.js';

const MODULE = compileText(largeModule({ areas: 4, parts: 4, leaves: 6 }));

function indexOf(schema: unknown, uiSchema: unknown = {}): SchemaIndex {
  const index = SchemaIndex.of({ schema, uiSchema });
  assert.ok(index);
  return index;
}

const indexOfModule = (): SchemaIndex => indexOf(MODULE.schema, MODULE.uiSchema);

/** Returns the pointers of the objects that a schema lacks. */
function leftOutIn(value: unknown, pointer = ''): readonly string[] {
  if (isSubtreeLeftOut(value)) return [pointer];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => leftOutIn(inner, pointerTo(pointer, name)));
}

/** Returns a form with all of its subtrees, each loaded alone. */
function completed(index: SchemaIndex, form: SchemaWithUi, characters: number): SchemaWithUi {
  let complete = form;
  for (;;) {
    const [next] = leftOutIn(complete.schema);
    if (next === undefined) return complete;
    assert.ok(index.has(next), next);
    complete = withSubtrees(complete, selectSubtrees(index, { starts: [next], characters }).subtrees);
  }
}

const pointersOf = (subtrees: readonly SchemaSubtree[]): readonly string[] =>
  subtrees.map(({ pointer }) => pointer);

const NAMES = ['interface', 'items', 'properties', 'mtu', 'a/b', 'm~n', '$defs', 'ietf-ip:ipv4'];

/** Schemas of objects, lists and leaves, whose definitions refer to each other. */
const schemas = fc.letrec<{ readonly schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant({ type: 'string', title: 'Leaf' }),
    fc.constantFrom('one', 'two', 'three').map((name) => ({ $ref: `#/$defs/${name}` })),
    fc
      .dictionary(fc.constantFrom(...NAMES), tie('schema'), { minKeys: 1, maxKeys: 4, noNullPrototype: true })
      .map((properties) => ({ type: 'object', title: 'Container', properties })),
    tie('schema').map((items) => ({ type: 'array', items, 'x-yang': { keys: ['name'] } })),
    tie('schema').map((inner) => ({ anyOf: [inner, { type: 'integer' }] })),
  ),
})).schema;

const documents = fc.record({ one: schemas, two: schemas, three: schemas, root: schemas }).map(
  ({ one, two, three, root }): JsonObject => ({
    type: 'object',
    properties: { root, one: { $ref: '#/$defs/one' }, two: { items: { $ref: '#/$defs/two' } }, three: { $ref: '#/$defs/three' } },
    $defs: { one, two, three },
  }),
); // prettier-ignore

describe('a schema that is loaded in parts', () => {
  it('is the whole schema when all subtrees are loaded', () => {
    fc.assert(
      fc.property(documents, fc.nat(2000), fc.nat(500), (schema, first, next) => {
        const index = SchemaIndex.of({ schema, uiSchema: {} });
        // A member has the name of a keyword.
        if (!index) return;
        const initial = partialSchema(index, [], first);
        assert.deepEqual(completed(index, initial, next), { schema, uiSchema: {} });
      }),
    );
  });

  it('is the whole schema and uiSchema of a YANG module when all subtrees are loaded', () => {
    const { schema, uiSchema } = MODULE;
    for (const characters of [1, 3000, 1_000_000]) {
      const initial = partialSchema(indexOfModule(), [], characters);
      assert.deepEqual(completed(indexOfModule(), initial, characters), { schema, uiSchema });
    }
  });

  it('accepts what the whole schema accepts', () => {
    const isValid = (schema: unknown, document: unknown): boolean => {
      const compiled = compileSchema(schema);
      assert.ok('validator' in compiled);
      return compiled.validator.validate(document, { fuel: 100_000, errors: 1 }).outcome === 'valid';
    };
    const document = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('text', 1, null),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom(...NAMES, 'root', 'one', 'two'), tie('value'), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
      ),
    })).value;
    fc.assert(
      fc.property(documents, document, fc.nat(1000), (schema, value, characters) => {
        // A definition may refer to itself without end.
        if ('faults' in compileSchema(schema) || !isValid(schema, value)) return;
        const index = SchemaIndex.of({ schema, uiSchema: {} });
        assert.ok(!index || isValid(partialSchema(index, [], characters).schema, value));
      }),
    );
  });

  it('begins with the objects in which the documents have values', () => {
    const part = 'device-model:device/properties/area-3/properties/part-3-2';
    const data = { 'device-model:device': { 'area-3': { 'part-3-2': { 'entry-3-2': [{ name: 'one' }] } } } };
    const { schema } = partialSchema(indexOfModule(), [undefined, data], 1);
    const entry = `/properties/${part}/properties/entry-3-2`;
    assert.ok(valueAt(schema, `${entry}/items/properties/mtu-3-2`));
    const out = leftOutIn(valueAt(schema, '/properties/device-model:device/properties/area-3')).length;
    assert.deepEqual(out, 4);
    assert.equal(valueAt(schema, '/properties/device-model:device/properties/area-2/properties'), undefined);
  });

  it('keeps title, type, required members and annotations of what is left out', () => {
    const inner = { type: 'object', title: 'ipv4', required: ['address'], properties: { address: {} }, additionalProperties: false }; // prettier-ignore
    const { schema } = partialSchema(indexOf({ properties: { ipv4: { ...inner, 'x-yang': { kind: 'container' } } } }), [], 1); // prettier-ignore
    assert.deepEqual(valueAt(schema, '/properties/ipv4'), {
      type: 'object',
      title: 'ipv4',
      required: ['address'],
      'x-yang': { kind: 'container' },
      [SUBTREE]: true,
    });
  });

  it('keeps definitions whole that alternatives and conditions use', () => {
    const member = { type: 'object', properties: { mtu: { properties: { size: { type: 'integer' } } } } };
    const schema = { properties: { one: { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] } }, $defs: { a: member, b: { ...member, required: ['mtu'] } } }; // prettier-ignore
    assert.deepEqual(partialSchema(indexOf(schema), [], 1).schema, schema);
  });

  it('is not divided if it only has a meaning as a whole', () => {
    const inner = { properties: { mtu: {} } };
    for (const schema of [
      true,
      { type: 'array', items: inner },
      { properties: { one: { $ref: '#' } } },
      { properties: { one: { $ref: 'https://example.com/schema' } } },
      { properties: { one: { ...inner, $anchor: 'one' } } },
      { properties: { one: inner }, unevaluatedProperties: false },
      { properties: { one: { allOf: [{ $ref: '#/properties/two' }] }, two: inner } },
    ])
      assert.equal(SchemaIndex.of({ schema, uiSchema: {} }), undefined, JSON.stringify(schema));
  });

  it('loads what matches a search, with the containers around it', () => {
    const { subtrees, isTruncated } = matchingSubtrees(indexOfModule(), textTestOf('MTU-3-2'), 100_000);
    const device = '/properties/device-model:device';
    const part = `${device}/properties/area-3/properties/part-3-2`;
    assert.deepEqual(
      pointersOf(subtrees).filter((pointer) => !isDefinition(pointer)),
      ['', device, `${device}/properties/area-3`, part, `${part}/properties/entry-3-2/items`],
    );
    assert.equal(isTruncated, false);
    assert.equal(matchingSubtrees(indexOfModule(), textTestOf('mtu'), 2000).isTruncated, true);
  });

  it('searches for all words of one member, and for the last name of a path', () => {
    const found = (search: string): number =>
      matchingSubtrees(indexOfModule(), textTestOf(search), 1_000_000).subtrees.length;
    assert.ok(found('value-1-1-2 part') > 1);
    assert.equal(found('value-1-1-2 hold-time'), 1);
    assert.equal(found('/device/area-1/part-1-1/value-1-1-2'), found('value-1-1-2'));
    assert.equal(found(' '), 1);
    assert.equal(found('.*'), 1);
  });
});

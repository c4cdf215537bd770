import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Json, openAll, openForm, rowsOf } from '../../../console/src/form/model/index.js';

type Schema = Readonly<Record<string, unknown>>;

const names = fc.constantFrom('a', 'b', 'c', 'a/b', '~', '__proto__', 'toString', '0');

const { schema: schemas } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.constantFrom<Schema>({ type: 'string' }, { type: 'integer' }, { type: 'boolean' }),
    fc
      .uniqueArray(fc.tuple(names, tie('schema')), { maxLength: 4, selector: ([name]) => name })
      .map((members): Schema => ({
        type: 'object',
        properties: members.reduce(withMember, {}),
        additionalProperties: false,
      })),
    tie('schema').map((items): Schema => ({ type: 'array', items })),
  ),
}));

function withMember(all: object, [name, value]: readonly [string, unknown]): object {
  return Object.defineProperty({ ...all }, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** A document of a schema, with some of its members. */
function documentOf(schema: Schema): fc.Arbitrary<Json> {
  if (schema['type'] === 'string') return fc.string({ maxLength: 3 });
  if (schema['type'] === 'integer') return fc.integer();
  if (schema['type'] === 'boolean') return fc.boolean();
  if (schema['type'] === 'array') return fc.array(documentOf(schema['items'] as Schema), { maxLength: 3 });
  const members = Object.entries(schema['properties'] as Schema).map(([name, inner]) =>
    fc.option(
      documentOf(inner as Schema).map((value) => [name, value] as const),
      { nil: undefined },
    ),
  );
  return fc
    .tuple(...members)
    .map((some) => some.reduce((all, one) => (one ? withMember(all, one) : all), {}) as Json);
}

/** Pointer, level, place and text of every row, as simply as it can be written. */
function expected(
  schema: Schema,
  value: Json | undefined,
  at: { pointer: string; level: number; place: string },
): readonly string[] {
  const line = `${at.pointer} ${at.level} ${at.place}`;
  const children: (readonly [string, Schema, Json | undefined])[] = [];
  if (schema['type'] === 'object')
    for (const [name, inner] of Object.entries(schema['properties'] as Schema))
      children.push([
        name,
        inner as Schema,
        value !== undefined && Object.hasOwn(value as object, name)
          ? (value as Record<string, Json>)[name]
          : undefined,
      ]);
  if (schema['type'] === 'array' && value !== undefined)
    (value as Json[]).forEach((item, index) =>
      children.push([String(index), schema['items'] as Schema, item]),
    );
  const below = children.flatMap(([name, inner, one], index) =>
    expected(inner, one, {
      pointer: `${at.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      level: at.level + 1,
      place: `${index + 1}/${children.length}`,
    }),
  );
  return at.level === 0 ? below : [line, ...below];
}

describe('the rows of a random form', () => {
  it('equal the rows of a plain walk through schema and data', () => {
    const forms = schemas.chain((schema) => documentOf(schema).map((data) => ({ schema, data })));
    fc.assert(
      fc.property(forms, ({ schema, data }) => {
        const { rows, indexOf } = rowsOf(openAll(openForm({ schema, data })));
        const level = schema['type'] === 'object' ? 0 : 1;
        const found = rows.map((row) => `${row.id} ${row.level} ${row.position}/${row.setSize}`);
        assert.deepEqual(found, expected(schema, data, { pointer: '', level, place: '1/1' }));
        rows.forEach((row, at) => {
          assert.equal(indexOf(row.id), at);
          const actual = rows[indexOf(row.parent ?? row.id)]?.level;
          assert.equal(actual, row.parent === undefined ? row.level : row.level - 1);
        });
      }),
      { numRuns: 300 },
    );
  });
});

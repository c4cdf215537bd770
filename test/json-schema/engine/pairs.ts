import fc from 'fast-check';

/** A schema, and a value that may or may not match it. */
export interface SchemaPair {
  readonly schema: Readonly<Record<string, unknown>> | boolean;
  readonly data: unknown;
}

// There are few names, texts and numbers, so that schemas and values often match.
const NAMES = ['a', 'b', 'ab', 'é', '~/'] as const;
const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom('', 'a', 'ab', 'abc', '😀', '2024-02-29', 'x@y.example', 'A1');
const number = fc.constantFrom(-1, 0, 1, 2, 3, 1.5, 2.5, 10, 1e10);
const scalar = fc.oneof(text, number, fc.constantFrom(null, true, false));
const size = fc.constantFrom(0, 1, 2, 3);
const pattern = fc.constantFrom('^a', 'b$', '^[a-z]*$', '\\d', 'a|t', '^\\p{L}+$', '.');
const type = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'integer', 'string');

/** JSON values with a depth of at most three. */
const { value: data } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));

type Keywords = Record<string, fc.Arbitrary<unknown>>;

/** Keywords without subschemas, in all drafts since draft 6. */
const LEAVES: Keywords = {
  type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
  const: data,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: fc.constantFrom(1, 2, 3, 0.5, 2.5),
  minLength: size,
  maxLength: size,
  pattern,
  minItems: size,
  maxItems: size,
  uniqueItems: fc.boolean(),
  minProperties: size,
  maxProperties: size,
  required: fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
};

/** A draft and its keywords. */
interface PairDraft {
  readonly uri: string;
  readonly keywords: (schema: fc.Arbitrary<unknown>) => Keywords;
}

function shared(schema: fc.Arbitrary<unknown>): Keywords {
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
  return {
    ...LEAVES,
    properties: fc.dictionary(name, schema, { maxKeys: 3 }),
    patternProperties: fc.dictionary(pattern, schema, { maxKeys: 2 }),
    additionalProperties: schema,
    propertyNames: schema,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: schema,
    contains: schema,
  };
}

function conditional(schema: fc.Arbitrary<unknown>): Keywords {
  return { if: schema, then: schema, else: schema };
}

const names = fc.uniqueArray(name, { maxLength: 2 });

/** The drafts of the generated pairs. */
export const PAIR_DRAFTS: readonly PairDraft[] = [
  {
    uri: 'http://json-schema.org/draft-07/schema',
    keywords: (schema) => ({
      ...shared(schema),
      ...conditional(schema),
      items: fc.oneof(schema, fc.array(schema, { minLength: 1, maxLength: 3 })),
      additionalItems: schema,
      dependencies: fc.dictionary(name, fc.oneof(schema, names), { maxKeys: 2 }),
    }),
  },
  {
    uri: 'https://json-schema.org/draft/2020-12/schema',
    keywords: (schema) => ({
      ...shared(schema),
      ...conditional(schema),
      $ref: fc.constantFrom('#/$defs/one', '#two'),
      prefixItems: fc.array(schema, { minLength: 1, maxLength: 3 }),
      items: schema,
      dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
      dependentSchemas: fc.dictionary(name, schema, { maxKeys: 2 }),
      minContains: size,
      maxContains: size,
      unevaluatedProperties: schema,
      unevaluatedItems: schema,
    }),
  },
];

/**
 * Generates pairs of a draft. Schemas in `$defs` contain no references, so that references cannot form a
 * cycle.
 */
export function pairsOf({ uri, keywords }: PairDraft): fc.Arbitrary<SchemaPair> {
  const leaf = fc.record(LEAVES, { requiredKeys: [] }).map((one) => fewOf(one, 2));
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: leaf, weight: 3 },
      { arbitrary: fc.boolean(), weight: 1 },
      { arbitrary: someOf(keywords(tie('schema'))), weight: 4 },
    ),
  }));
  const definitions = fc.record({ one: leaf, two: leaf.map((two) => ({ ...two, $anchor: 'two' })) });
  const root = someOf(keywords(schema));
  const pair = fc.record({ schema: root, definitions, data }).map((made) => ({
    schema: { $schema: uri, ...made.schema, $defs: made.definitions },
    data: made.data,
  }));
  // Unlike generated objects, parsed objects have a prototype.
  return pair.map((made) => JSON.parse(JSON.stringify(made)) as SchemaPair);
}

/** Generates an object with one to four of the keywords. */
function someOf(keywords: Keywords): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
    .chain((picked) =>
      fc.record(
        Object.fromEntries(picked.map((keyword) => [keyword, keywords[keyword] ?? fc.constant(true)])),
      ),
    );
}

function fewOf(object: Record<string, unknown>, maximum: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).slice(0, maximum));
}

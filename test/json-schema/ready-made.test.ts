import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { JsonSchema } from '../../src/core/schema.js';
import { createAjv, digestOf } from '../../src/json-schema/compile.js';
import { isJsonObject } from '../../src/json/json-object.js';
import { adapterSchema } from '../../src/settings/adapter.js';
import { settingsSchema } from '../../src/settings/settings.js';
import { ROOT } from '../docs/markdown.js';

type Validate = ((value: unknown) => boolean) & { errors?: unknown };

interface Builder {
  readonly readyMadeCode: (compiled: string) => Promise<string>;
}

/** Values that fit few schemas. */
const ANYTHING = fc.constantFrom<unknown>(
  null,
  true,
  '',
  'x'.repeat(300),
  -1,
  1.5,
  [],
  [1, 1],
  {},
  { more: 1 },
);

/** Values that fit a schema in parts, so that most of its keywords fail now and then. */
function valuesOf(schema: unknown): fc.Arbitrary<unknown> {
  if (!isJsonObject(schema)) return ANYTHING;
  return fc.oneof({ weight: 1, arbitrary: ANYTHING }, { weight: 12, arbitrary: fittingValues(schema) });
}

function fittingValues(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { enum: values, const: value, oneOf, anyOf, items, properties, additionalProperties } = schema;
  if (value !== undefined) return fc.constant(value);
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  const branches = oneOf ?? anyOf;
  if (Array.isArray(branches)) return fc.oneof(...branches.map(valuesOf));
  if (isJsonObject(items)) return fc.array(valuesOf(items), { maxLength: 2 });
  if (isJsonObject(properties) || isJsonObject(additionalProperties)) {
    const members = Object.entries(properties ?? {}).map(
      ([name, member]) => [name, valuesOf(member)] as const,
    );
    const others = fc.dictionary(fc.constantFrom('a', 'b c'), valuesOf(additionalProperties), { maxKeys: 1 });
    return fc
      .tuple(fc.record(Object.fromEntries(members), { requiredKeys: [] }), fc.oneof(fc.constant({}), others))
      .map(([known, more]) => ({ ...known, ...more }));
  }
  const simple = fc.constantFrom<unknown>('a', 'https://a.example', 0, 1, 100, true, null);
  return 'default' in schema ? fc.oneof(fc.constant(schema['default']), simple) : simple;
}

describe('the validators of the bundle', () => {
  const validators = new Map<string, Validate>();
  before(async () => {
    const path = join(ROOT, 'scripts', 'ready-made.js');
    const { readyMadeCode } = (await import(pathToFileURL(path).href)) as Builder;
    const exported: { READY_MADE?: typeof validators } = {};
    const code = await readyMadeCode(join(ROOT, 'dist'));
    // oxlint-disable-next-line typescript/no-implied-eval -- the code of the bundle
    const define = new Function('exports', 'require', code) as (...values: readonly unknown[]) => void;
    define(exported, createRequire(path));
    for (const [digest, validate] of exported.READY_MADE ?? []) validators.set(digest, validate);
  });

  function resultOf(validate: Validate, value: unknown): unknown {
    const found = { secrets: new Set<string>(), paths: new Set<string>() };
    const copy = structuredClone(value);
    const valid = validate.call(found, copy);
    return { valid, errors: validate.errors, value: copy, ...found };
  }

  for (const [name, schema] of [
    ['settings', settingsSchema],
    ['adapters', adapterSchema],
  ] as const) {
    it(`judge any ${name} as Ajv does`, () => {
      const readyMade = validators.get(digestOf(schema));
      assert.ok(readyMade);
      const compiled = createAjv().compile(schema) as Validate;
      fc.assert(
        fc.property(valuesOf(schema), (value) => {
          assert.deepEqual(resultOf(readyMade, value), resultOf(compiled, value));
        }),
        { numRuns: 300 },
      );
    });
  }
});

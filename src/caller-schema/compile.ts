import { createHash } from 'node:crypto';
import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv';
import type { RequestError } from '../domain/problem.js';
import { DIALECTS, type Dialect, dialectOf } from './dialects.js';
import type { Engine } from './engine.js';
import { PatternRefused } from './ecma-pattern.js';
import { isObject } from './json-object.js';
import { placeOf, placesIn } from './places.js';
import { refusal } from './refusal.js';
import { ValidatorCache } from './validator-cache.js';

/** A schema ready to be applied. */
export interface Compiled {
  readonly dialect: string;
  readonly validate: ValidateFunction;
}

/** A schema as it was sent. */
export interface CallerSchema {
  readonly schema: unknown;
  /** Pointer of the schema in what the caller sent, for messages. */
  readonly at: string;
  /** Draft of a schema that names none. */
  readonly dialect: string;
}

/** Compiles callers' schemas and keeps the last ones. */
export interface Compiler {
  /** Throws `schema_invalid` or `schema_too_costly`. */
  compile(given: CallerSchema): Compiled;
}

/** Makes a compiler. `registry` holds schemas that others may refer to, by URI; nothing is ever fetched. */
export function createCompiler(registry: Readonly<Record<string, unknown>>): Compiler {
  const cache = new ValidatorCache<Compiled>();
  const judges = new Map(DIALECTS.map((dialect) => [dialect.uri, dialect.createEngine()]));
  // The schemas of schemas are compiled now, outside of anybody's time limit.
  for (const judge of judges.values()) void judge.validateSchema({});
  return {
    compile(given) {
      const dialect = chooseDialect(given);
      const text = JSON.stringify(given.schema);
      const key = `${dialect.uri} ${createHash('sha256').update(text).digest('base64')}`;
      const known = cache.get(key);
      if (known) return known;
      checkSchema(given, judges.get(dialect.uri));
      const compiled = { dialect: dialect.uri, validate: compileOne(given, dialect, registry) };
      cache.set(key, compiled, text.length);
      return compiled;
    },
  };
}

function chooseDialect({ schema, at, dialect }: CallerSchema): Dialect {
  const named = isObject(schema) && Object.hasOwn(schema, '$schema') ? schema['$schema'] : dialect;
  const chosen = typeof named === 'string' ? dialectOf(named) : undefined;
  if (chosen) return chosen;
  const known = DIALECTS.map(({ uri }) => uri).join(', ');
  throw refusal('schema_invalid', [{ pointer: `${at}/$schema`, message: `must be one of ${known}` }]);
}

/** Words that Ajv reads and that change the verdict behind the caller's back. */
const REFUSED_WORDS = new Map([
  ['$async', 'is not known here'],
  ['$dynamicRef', 'is not supported; use $ref'],
]);

function checkSchema({ schema, at }: CallerSchema, judge: Engine | undefined): void {
  if (!isObject(schema) && typeof schema !== 'boolean')
    throw refusal('schema_invalid', [{ pointer: at, message: 'must be an object, true or false' }]);
  const refused = [...placesIn(schema)].flatMap(({ name, value, pointer }) => {
    const message = isObject(value) ? undefined : REFUSED_WORDS.get(name);
    return message === undefined ? [] : [{ pointer: at + pointer, message }];
  });
  const valid = judge?.validateSchema(withoutDialect(schema)) === true;
  const broken = valid ? [] : (judge?.errors ?? []).map((error) => brokenRule(at, error));
  const [first, ...others] = [...refused, ...broken];
  if (first) throw refusal('schema_invalid', [first, ...others]);
}

/** The engine would look for the draft by the very spelling of the schema. */
function withoutDialect(schema: AnySchema): AnySchema {
  if (!isObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema'));
}

function brokenRule(at: string, { instancePath, message = 'is wrong' }: ErrorObject): RequestError {
  return { pointer: at + instancePath, message };
}

function compileOne(
  given: CallerSchema,
  dialect: Dialect,
  registry: Readonly<Record<string, unknown>>,
): ValidateFunction {
  try {
    const engine = dialect.createEngine();
    for (const [uri, schema] of Object.entries(registry)) engine.addSchema(schema as AnySchema, uri);
    return engine.compile(given.schema as AnySchema);
  } catch (error) {
    throw compileFailure(given, error);
  }
}

function compileFailure({ schema, at }: CallerSchema, error: unknown): unknown {
  // The stack overflows, or an array grows too long.
  if (error instanceof RangeError)
    return refusal('schema_too_costly', [{ pointer: at, message: 'is too large or too deep' }]);
  if (!(error instanceof Error)) return error;
  if (error instanceof PatternRefused) {
    const place = placeOf(schema, 'pattern', error.source) ?? placeOf(schema, error.source) ?? '';
    return refusal('schema_invalid', [{ pointer: at + place, message: error.message }]);
  }
  const missing = (error as { readonly missingRef?: unknown }).missingRef;
  if (typeof missing !== 'string')
    return refusal('schema_invalid', [
      { pointer: at, message: `cannot be used: ${error.message.slice(0, 200)}` },
    ]);
  const message = `refers to "${missing.slice(0, 200)}", which is not in the schema; nothing is fetched`;
  return refusal('schema_invalid', [{ pointer: at + (refPlace(schema, missing) ?? ''), message }]);
}

/** Ajv resolves a reference before it misses it: the one that was written ends alike. */
function refPlace(schema: unknown, missing: string): string | undefined {
  const candidates = [...placesIn(schema)].filter(({ name }) => name === '$ref' || name === '$recursiveRef');
  return candidates.find(({ value }) => typeof value === 'string' && missing.endsWith(value))?.pointer;
}

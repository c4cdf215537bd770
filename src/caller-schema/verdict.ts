import type { ErrorObject } from 'ajv';
import type { SchemaVerdict, ValueError } from '../domain/caller-schema.js';
import type { Compiled } from './compile.js';
import { refusal, shortened } from './refusal.js';

/** Most errors of one verdict; nobody reads further. */
const ERROR_LIMIT = 100;

/** Longest name in a message, in characters. */
const SHOWN = 200;

/** Applies a schema to a value. Throws `schema_too_costly` where the value is nested too deep for it. */
export function judge({ validate, dialect }: Compiled, value: unknown): SchemaVerdict {
  const valid = run(validate, value);
  const found = valid ? [] : (validate.errors ?? []);
  // What was found would be kept as long as the validator, and the value with it.
  validate.errors = null;
  return {
    valid,
    errors: found.slice(0, ERROR_LIMIT).map(valueError),
    truncated: found.length > ERROR_LIMIT,
    dialect,
  };
}

function run(validate: Compiled['validate'], value: unknown): boolean {
  try {
    return validate(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refusal('schema_too_costly', [
      { pointer: '/formData', message: 'is too large or too deep for its schema' },
    ]);
  }
}

function valueError(error: ErrorObject): ValueError {
  const { keyword } = error;
  const instancePath = shortened(error.instancePath);
  const title = titleOf(error);
  return { instancePath, keyword, message: messageOf(error), ...(title !== undefined && { title }) };
}

/** Parameters of Ajv that name a member which the message does not. */
const EXTRA_NAMES = ['additionalProperty', 'unevaluatedProperty'];

function messageOf({ message = 'is not allowed', params }: ErrorObject): string {
  const given = params as Readonly<Record<string, unknown>>;
  const extra = EXTRA_NAMES.map((name) => given[name]).find((name) => typeof name === 'string');
  return extra === undefined ? message.slice(0, SHOWN) : `${message}: "${extra.slice(0, SHOWN)}"`;
}

/** The title of the field that is wrong; of a missing one, the title of what is missing. */
function titleOf({ params, parentSchema }: ErrorObject): string | undefined {
  const { missingProperty } = params as Readonly<Record<string, unknown>>;
  const schema = typeof missingProperty === 'string' ? memberOf(memberOf(parentSchema, 'properties'), missingProperty) : parentSchema; // prettier-ignore
  const title = memberOf(schema, 'title');
  return typeof title === 'string' && title !== '' ? title.slice(0, SHOWN) : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

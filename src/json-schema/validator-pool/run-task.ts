import { Problem, type RequestError } from '../../core/problem.js';
import type { CallerSchema, Compiler } from './compile.js';
import { plainSchema } from './plain-schema.js';
import type { Outcome, Task } from './task.js';
import { pointerTo } from '../../core/pointer.js';
import { parseJson } from '../../core/strict-json.js';
import { isJsonObject } from '../../core/json-object.js';
import { schemaProblem, shortened } from './schema-problem.js';
import type { SchemaValidationResult, ValueError } from '../../core/schema-validator.js';
import type { SchemaError, SchemaValidator } from '../../core/schema-engine.js';
import { checkYangDocument, isYangSchema } from '../../core/yang-document.js';

/** Maximum length of a title, in characters. */
const SHOWN = 200;

/**
 * Applies a schema to a value. If the schema was made from YANG, also applies the rules that it carries next
 * to JSON Schema. Throws `schema_too_costly` if that takes too many steps or goes too deep.
 */
function validateInTurn(validator: SchemaValidator, value: unknown, schema: unknown): SchemaValidationResult {
  const verdict = judgeBySchema(validator, value);
  if (!verdict.valid || !isYangSchema(schema)) return verdict;
  const errors = checkYangDocument(schema, value).map(({ pointer, message }) => ({
    instancePath: shortened(pointer),
    keyword: 'x-yang',
    message,
  }));
  return { ...verdict, valid: errors.length === 0, errors };
}

function judgeBySchema(validator: SchemaValidator, value: unknown): SchemaValidationResult {
  const { outcome, errors, truncated } = validator.validate(value);
  if (outcome === 'out of fuel')
    throw schemaProblem('schema_too_costly', [
      { pointer: '/formData', message: 'is too large or too deep for its schema' },
    ]);
  return {
    valid: outcome === 'valid',
    errors: errors.map(valueError),
    truncated,
    dialect: validator.dialect,
  };
}

function valueError({ instancePath, keyword, message, title }: SchemaError): ValueError {
  const reported = { instancePath: shortened(instancePath), keyword, message };
  return title === undefined ? reported : { ...reported, title: title.slice(0, SHOWN) };
}

/** Default drafts of schemas without `$schema`. */
const OF_FORMS = 'http://json-schema.org/draft-07/schema';
const OF_DATA = 'https://json-schema.org/draft/2020-12/schema';

/** Runs a task. Errors are returned as outcomes. */
export function performTask(task: Task, compiler: Compiler): Outcome {
  try {
    return runTask(task, compiler);
  } catch (error) {
    // The stack overflowed, or a text exceeded the maximum length of a string.
    if (error instanceof RangeError) return tooLarge();
    if (!(error instanceof Problem))
      return { bug: error instanceof Error ? (error.stack ?? '') : String(error) };
    return { problem: { code: error.code, detail: error.message, errors: error.extras.errors ?? [] } };
  }
}

function tooLarge(): Outcome {
  const detail = 'The schema grows too large when it is applied.';
  return { problem: { code: 'schema_too_costly', detail, errors: [] } };
}

/** Maximum size of a decoded schema, in bytes. References multiply their targets. */
const LARGEST_ANSWER = 16_777_216;

function schemaOfForm(form: Uint8Array): CallerSchema {
  const { schema } = readJson(form) as { readonly schema: unknown };
  return { schema, at: '/schema', dialect: OF_FORMS };
}

function runTask(task: Task, compiler: Compiler): Outcome {
  switch (task.kind) {
    case 'validateData': {
      const { jsonSchema, formData } = readMembers(task.body, { jsonSchema: true, formData: true });
      const compiled = compiler.compile({ schema: jsonSchema, at: '/jsonSchema', dialect: OF_DATA });
      return { verdict: validateInTurn(compiled, formData, jsonSchema) };
    }
    case 'validateForm': {
      const { formData } = readMembers(task.body, { formData: true });
      const { schema, validator } = compiler.compileIn(task.form, schemaOfForm);
      return { verdict: validateInTurn(validator, formData, schema) };
    }
    case 'decode': {
      const { jsonSchema, bindingSchema } = readMembers(task.body, {
        jsonSchema: true,
        bindingSchema: false,
      });
      const json = Buffer.from(JSON.stringify({ jsonSchema: plainSchema(jsonSchema, bindingSchema) }));
      return json.length > LARGEST_ANSWER ? tooLarge() : { json };
    }
  }
}

/** Names of members; true for required members. */
type Members = Readonly<Record<string, boolean>>;

/** Returns the members of a JSON object. Throws `invalid_json`, or `invalid_request` with every fault. */
function readMembers<const M extends Members>(
  bytes: Uint8Array,
  members: M,
): Readonly<Record<keyof M & string, unknown>> {
  const value = readJson(bytes);
  if (!isJsonObject(value))
    throw schemaProblem('invalid_request', [{ pointer: '', message: 'must be an object' }]);
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
  const missing = Object.keys(members).filter((name) => members[name] && !Object.hasOwn(value, name));
  const known = Object.keys(members).join(', ');
  const [first, ...others] = [
    ...unknown.map((name) => fault(name, `is not known here; known: ${known}`)),
    ...missing.map((name) => fault(name, 'is missing')),
  ];
  if (first) throw schemaProblem('invalid_request', [first, ...others]);
  return value;
}

/** Parses a JSON document. Throws `invalid_json`. */
export function readJson(bytes: Uint8Array): unknown {
  const parsed = parseJson(bytes);
  if ('fault' in parsed) throw schemaProblem('invalid_json', [parsed.fault]);
  return parsed.value;
}

function fault(name: string, message: string): RequestError {
  return { pointer: pointerTo('', name), message };
}

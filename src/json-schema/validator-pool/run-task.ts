import { workerData } from 'node:worker_threads';
import { Problem, type RequestError } from '../../core/problem.js';
import type { SchemaError, SchemaValidator, ValidationOutcome } from '../../core/schema-engine.js';
import { checkYangDocument, isYangSchema } from '../../core/yang-document.js';
import { yangModelOf } from '../../core/yang.js';
import { withoutByteOrderMark } from '../../json/byte-order-mark.js';
import { isJsonObject } from '../../json/json-object.js';
import { pointerTo } from '../../json/pointer.js';
import { parseExactJson } from '../../json/strict-json.js';
import { jsonText } from '../../json/write-json.js';
import { serveThread } from '../../lib/thread-pool.js';
import {
  type CallerSchema,
  type CompiledDocument,
  type Compiler,
  type CountedEngine,
  createCompiler,
} from './compile.js';
import { plainSchema } from './plain-schema.js';
import { type SchemaValidationResult, type ValueError, YANG_DIALECT } from './schema-validator.js';
import { type TaskResult, schemaProblem, truncate, type Task, type WorkerSettings } from './task.js';

/** Maximum length of a title, in characters. */
const MAX_TITLE_LENGTH = 200;

/**
 * Validates a value against a schema. Also checks the rules in `x-yang` if the schema was compiled from YANG.
 * Throws `schema_too_costly` if the validation takes too many steps or the value is nested too deeply.
 */
function validateValue(validator: SchemaValidator, value: unknown, schema: unknown): SchemaValidationResult {
  const validation = validateBySchema(validator, value);
  if (!validation.valid || !isYangSchema(schema)) return validation;
  const errors = checkYangDocument(schema, value).map(({ pointer, message }) => ({
    instancePath: truncate(pointer),
    keyword: 'x-yang',
    message,
  }));
  const yangModel = yangModelOf(schema);
  return { ...validation, valid: errors.length === 0, errors, ...(yangModel && { yangModel }) };
}

function validateBySchema(validator: SchemaValidator, value: unknown): SchemaValidationResult {
  const outcome = validator.validate(value);
  if (outcome.outcome === 'out of fuel')
    throw schemaProblem('schema_too_costly', [
      { pointer: '/formData', message: 'is too large or too deep for its schema' },
    ]);
  return validationResult(validator, outcome);
}

function validationResult(
  { dialect }: SchemaValidator,
  { outcome, errors, truncated }: ValidationOutcome,
): SchemaValidationResult {
  return { valid: outcome === 'valid', errors: errors.map(valueError), truncated, dialect };
}

function valueError({ instancePath, keyword, message, title }: SchemaError): ValueError {
  const reported = { instancePath: truncate(instancePath), keyword, message };
  return title === undefined ? reported : { ...reported, title: title.slice(0, MAX_TITLE_LENGTH) };
}

/** Result for a document that only the model can validate. */
const UNCHECKED = { valid: true, errors: [], truncated: false, dialect: YANG_DIALECT } as const;

/** Default dialects of schemas without `$schema`. */
const FORM_DIALECT = 'http://json-schema.org/draft-07/schema';
const DATA_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Runs a task. Never throws: errors are part of the result. */
export function performTask(task: Task, compiler: Compiler): TaskResult {
  return resultOf(() => runTask(task, compiler));
}

/**
 * Validates the data of a form whose schema is compiled. Returns undefined if that takes more than `fuel` steps. Never
 * throws: errors are part of the result.
 */
export function validateWithin(
  fuel: number,
  body: Uint8Array,
  validator: SchemaValidator,
): TaskResult | undefined {
  return resultOf(() => {
    const { formData } = parseMembers(body, { formData: true });
    const outcome = validator.validate(formData, { fuel });
    if (outcome.outcome === 'out of fuel') return undefined;
    return { validation: validationResult(validator, outcome) };
  });
}

function resultOf<Result extends TaskResult | undefined>(run: () => Result): Result | TaskResult {
  try {
    return run();
  } catch (error) {
    // The stack overflowed, or a string exceeded the maximum length of strings.
    if (error instanceof RangeError) return tooLargeResult();
    if (!(error instanceof Problem))
      return { internalError: error instanceof Error ? (error.stack ?? '') : String(error) };
    return { problem: { code: error.code, detail: error.message, errors: error.extras.errors ?? [] } };
  }
}

function tooLargeResult(): TaskResult {
  const detail = 'The schema grows too large when it is applied.';
  return { problem: { code: 'schema_too_costly', detail, errors: [] } };
}

/** Maximum size of a decoded schema, in bytes. Each reference adds a copy of its target. */
const MAX_DECODED_BYTES = 16_777_216;

/** Reads the schema of a form. Throws `invalid_json`. */
export function schemaOfForm(form: Uint8Array): CallerSchema {
  const { schema } = parseDocument(form) as { readonly schema: unknown };
  return { schema, at: '/schema', dialect: FORM_DIALECT };
}

function runTask(task: Task, compiler: Compiler): TaskResult {
  switch (task.kind) {
    case 'validateData': {
      const { jsonSchema, formData } = parseMembers(task.body, { jsonSchema: true, formData: true });
      const yangModel = typeof formData === 'string' ? yangModelOf(jsonSchema) : undefined;
      // A document of YANG is an object, so a string is one of XML, which the model alone validates.
      if (yangModel) return { validation: { ...UNCHECKED, yangModel } };
      const compiled = compiler.compile({ schema: jsonSchema, at: '/jsonSchema', dialect: DATA_DIALECT });
      return { validation: validateValue(compiled, formData, jsonSchema) };
    }
    case 'validateForm': {
      const { formData } = parseMembers(task.body, { formData: true });
      const compiled = compiler.compileIn(task.form, schemaOfForm);
      const validation = validateValue(compiled.validator, formData, compiled.schema);
      return { validation, ...compileStepsOf(compiled) };
    }
    case 'decode': {
      const body = parseMembers(task.body, { jsonSchema: true, bindingSchema: false });
      checkBody(body, compiler.compile({ schema: task.bodySchema, at: '', dialect: DATA_DIALECT }));
      const { jsonSchema, bindingSchema } = body;
      const json = Buffer.from(jsonText({ jsonSchema: plainSchema(jsonSchema, bindingSchema) }));
      return json.length > MAX_DECODED_BYTES ? tooLargeResult() : { json };
    }
  }
}

/** Returns the steps that compiling a schema took; nothing for a schema with YANG rules, whose steps are not counted. */
function compileStepsOf({ schema, steps }: CompiledDocument): { readonly compileSteps?: number } {
  return isYangSchema(schema) ? {} : { compileSteps: steps };
}

/** Known members of an object; true for required members. */
type Members = Readonly<Record<string, boolean>>;

/**
 * Parses a JSON object. Throws `invalid_json`, or `invalid_request` with every unknown and missing member.
 */
function parseMembers<const M extends Members>(
  bytes: Uint8Array,
  members: M,
): Readonly<Record<keyof M & string, unknown>> {
  const value = parseDocument(bytes);
  if (!isJsonObject(value))
    throw schemaProblem('invalid_request', [{ pointer: '', message: 'must be an object' }]);
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
  const missing = Object.keys(members).filter((name) => members[name] && !Object.hasOwn(value, name));
  const known = Object.keys(members).join(', ');
  const [first, ...others] = [
    ...unknown.map((name) => memberError(name, `is not known here; known: ${known}`)),
    ...missing.map((name) => memberError(name, 'is missing')),
  ];
  if (first) throw schemaProblem('invalid_request', [first, ...others]);
  return value;
}

/**
 * Checks a body against the schema of its operation. Throws `schema_invalid` if the caller's schema is no
 * schema, and `invalid_request` with every other violation.
 */
function checkBody(body: unknown, validator: SchemaValidator): void {
  const { outcome, errors } = validator.validate(body);
  if (outcome === 'out of fuel')
    throw schemaProblem('schema_too_costly', [{ pointer: '', message: 'is too large or too deep' }]);
  const [first, ...others] = errors.map(({ instancePath: pointer, message }) => ({ pointer, message }));
  if (!first) return;
  if (first.pointer !== '/jsonSchema') throw schemaProblem('invalid_request', [first, ...others]);
  // The same words as in `validateData`, where the compiler of the caller's schema reports this.
  const message = 'must be an object, true or false';
  throw schemaProblem('schema_invalid', [{ ...first, message }]);
}

/** Parses a JSON document. Throws `invalid_json`. */
function parseDocument(bytes: Uint8Array): unknown {
  const parsed = parseExactJson(withoutByteOrderMark(bytes));
  if ('fault' in parsed) throw schemaProblem('invalid_json', [parsed.fault]);
  return parsed.value;
}

function memberError(name: string, message: string): RequestError {
  return { pointer: pointerTo('', name), message };
}

/** Runs the tasks of the pool in a worker thread. */
export function serveTasks(engine: CountedEngine): void {
  const compiler = createCompiler(engine, (workerData as WorkerSettings).registry);
  serveThread((task: Task) => performTask(task, compiler));
}

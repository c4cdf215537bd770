import type { ErrorObject } from 'ajv/dist/2020.js';
import { pointerTo, valueAt } from '../core/pointer.js';
import type { JsonSchema, Violation } from '../core/schema.js';
import { wordingOf } from './wording.js';

/** Keywords below which Ajv lists the errors of every alternative that it tried. */
const FORM_KEYWORDS = new Set(['anyOf', 'oneOf', 'contains']);

/**
 * Reduces the errors of values with several alternatives to useful ones: the errors of the alternative that
 * was evidently meant, or one error for the whole value. `hinted` returns true if the schema has its own
 * message for an error.
 */
function settleForms(
  errors: readonly ErrorObject[],
  hinted: (error: ErrorObject) => boolean,
): readonly ErrorObject[] {
  const left = new Set(errors);
  // Ajv lists outer keywords after the inner ones.
  for (const outer of errors.filter(({ keyword }) => FORM_KEYWORDS.has(keyword)).reverse()) {
    if (!left.has(outer)) continue;
    const inner = [...left].filter((error) => error.schemaPath.startsWith(`${outer.schemaPath}/`));
    const settled = hinted(outer) ? [outer] : settle(outer, inner);
    for (const error of [outer, ...inner]) left.delete(error);
    for (const error of settled) left.add(error);
  }
  return [...left];
}

function settle(outer: ErrorObject, inner: readonly ErrorObject[]): readonly ErrorObject[] {
  if (outer.keyword === 'contains' || Array.isArray(outer.params['passingSchemas'])) return [outer];
  const here = inner.filter((error) => error.instancePath === outer.instancePath);
  if (inner.length > 0 && inner.every((error) => here.includes(error) && error.keyword === 'type'))
    return [{ ...outer, keyword: 'type', params: { type: inner.flatMap(typesOf) } }];
  const refused = new Set(
    here.filter(({ keyword }) => REFUSALS.has(keyword)).map((error) => formOf(outer, error)),
  );
  const meant = new Set(inner.map((error) => formOf(outer, error)).filter((form) => !refused.has(form)));
  return meant.size === 1 ? inner.filter((error) => meant.has(formOf(outer, error))) : [outer];
}

/** Keywords that distinguish one alternative from the others. */
const REFUSALS = new Set(['type', 'const', 'enum', 'false schema']);

/** Returns the index of the alternative in the schema's list. */
function formOf(outer: ErrorObject, error: ErrorObject): string {
  return error.schemaPath.slice(outer.schemaPath.length + 1).split('/', 1)[0] ?? '';
}

function typesOf(error: ErrorObject): readonly unknown[] {
  return [(error.params as Readonly<Record<string, unknown>>)['type']].flat();
}

/** Maximum number of violations in one result. Readers have no use for more. */
export const VIOLATION_LIMIT = 100;

/**
 * Maximum number of Ajv's errors that are processed. A megabyte of unknown members causes hundreds of
 * thousands of errors.
 */
const ERROR_LIMIT = 1000;

/** Keywords that only announce errors that Ajv also lists individually. */
const ANNOUNCEMENTS = new Set(['if', 'propertyNames']);

/** Parameters of Ajv that name a member of the value at `instancePath`. */
const MEMBER_PARAMS = ['missingProperty', 'additionalProperty', 'unevaluatedProperty'];

/**
 * Converts Ajv's errors to violations: one message each, no value of the instance, no duplicates, sorted by
 * pointer.
 */
export function violationsOf(errors: readonly ErrorObject[], schema: JsonSchema): readonly Violation[] {
  const reported = errors.slice(0, ERROR_LIMIT).filter(({ keyword }) => !ANNOUNCEMENTS.has(keyword));
  const unique = new Map<string, Violation>();
  for (const error of settleForms(reported, (form) => 'x-hint' in schemaOf(form, schema))) {
    const violation = violationOf(error, schema);
    const identity = `${violation.pointer}\n${violation.message}`;
    if (!unique.has(identity)) unique.set(identity, violation);
  }
  return [...unique.values()].sort(byPointer).slice(0, VIOLATION_LIMIT);
}

function violationOf(error: ErrorObject, schema: JsonSchema): Violation {
  const params: Readonly<Record<string, unknown>> = error.params;
  const { keyword } = error;
  const pointer = pointerOf(error);
  if (error.propertyName !== undefined)
    return {
      pointer,
      keyword: 'propertyNames',
      message: wordingOf({ keyword, params, schema: schemaOf(error, schema) }),
    };
  // An absent tag is a missing member like any other.
  if (keyword === 'discriminator' && params['tagValue'] === undefined)
    return { pointer, keyword: 'required', message: 'is missing' };
  const message = wordingOf({ keyword, params, schema: schemaOf(error, schema) });
  return {
    pointer,
    keyword,
    message,
    ...(keyword === 'type' && { types: [params['type']].flat().map(String) }),
  };
}

function pointerOf(error: ErrorObject): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  const member =
    error.propertyName ??
    (error.keyword === 'discriminator' ? params['tag'] : undefined) ??
    MEMBER_PARAMS.map((name) => params[name]).find((name) => name !== undefined);
  return typeof member === 'string' ? pointerTo(error.instancePath, member) : error.instancePath;
}

/** Returns the schema that contains the failed keyword; an empty schema if it is outside the document. */
function schemaOf(error: ErrorObject, schema: JsonSchema): JsonSchema {
  const pointer = decodeURIComponent(error.schemaPath.replace(/^[^#]*#/, ''));
  const parent = valueAt(schema, pointer.slice(0, pointer.lastIndexOf('/')));
  return typeof parent === 'object' && parent !== null ? (parent as JsonSchema) : {};
}

function byPointer(a: Violation, b: Violation): number {
  if (a.pointer !== b.pointer) return a.pointer < b.pointer ? -1 : 1;
  return a.message < b.message ? -1 : 1;
}

import type { ErrorObject } from 'ajv/dist/2020.js';
import type { JsonSchema, Violation } from '../core/schema.js';
import { isJsonObject } from '../json/json-object.js';
import { pointerTo, valueAt } from '../json/pointer.js';
import { addAdvice, adviceOf } from './advice.js';
import { type Failure, tagValues, textOf, wordingOf } from './wording.js';

/** Keywords for which Ajv reports the errors of every branch. */
const BRANCHING_KEYWORDS = new Set(['anyOf', 'oneOf', 'contains']);

/**
 * Reduces the errors of `anyOf`, `oneOf` and `contains`. Keeps the errors of one branch if the value fits
 * only that branch by type and constants, otherwise a single error for the value. `hasHint` returns true if
 * the schema of an error has an `x-hint`.
 */
function reduceBranchErrors(
  errors: readonly ErrorObject[],
  hasHint: (error: ErrorObject) => boolean,
): readonly ErrorObject[] {
  const remaining = new Set(errors);
  // Ajv reports an outer keyword after the keywords inside it.
  for (const outer of errors.filter(({ keyword }) => BRANCHING_KEYWORDS.has(keyword)).reverse()) {
    if (!remaining.has(outer)) continue;
    const inner = [...remaining].filter((error) => error.schemaPath.startsWith(`${outer.schemaPath}/`));
    const reduced = hasHint(outer) ? [outer] : reduceErrors(outer, inner);
    for (const error of [outer, ...inner]) remaining.delete(error);
    for (const error of reduced) remaining.add(error);
  }
  return [...remaining];
}

function reduceErrors(outer: ErrorObject, inner: readonly ErrorObject[]): readonly ErrorObject[] {
  if (outer.keyword === 'contains' || Array.isArray(outer.params['passingSchemas'])) return [outer];
  const sameLocation = inner.filter((error) => error.instancePath === outer.instancePath);
  if (inner.length > 0 && inner.every((error) => sameLocation.includes(error) && error.keyword === 'type'))
    return [{ ...outer, keyword: 'type', params: { type: inner.flatMap(typesOf) } }];
  const rejected = new Set(
    sameLocation
      .filter(({ keyword }) => DISCRIMINATING_KEYWORDS.has(keyword))
      .map((error) => branchOf(outer, error)),
  );
  const candidates = new Set(
    inner.map((error) => branchOf(outer, error)).filter((branch) => !rejected.has(branch)),
  );
  return candidates.size === 1 ? inner.filter((error) => candidates.has(branchOf(outer, error))) : [outer];
}

/** Keywords whose failure shows that a branch is not the one that the value is meant for. */
const DISCRIMINATING_KEYWORDS = new Set(['type', 'const', 'enum', 'false schema']);

/** Returns the index of the branch that contains the failed keyword. */
function branchOf(outer: ErrorObject, error: ErrorObject): string {
  return error.schemaPath.slice(outer.schemaPath.length + 1).split('/', 1)[0] ?? '';
}

function typesOf(error: ErrorObject): readonly unknown[] {
  return [(error.params as Readonly<Record<string, unknown>>)['type']].flat();
}

/** Maximum number of violations in one result. */
export const VIOLATION_LIMIT = 100;

/**
 * Maximum number of Ajv's errors that are processed. A megabyte of unknown members causes hundreds of
 * thousands of errors.
 */
const ERROR_LIMIT = 1000;

/** Keywords that only summarize errors that Ajv also reports individually. */
const SUMMARY_KEYWORDS = new Set(['if', 'propertyNames']);

/** Parameters of Ajv errors that name a member of the value at `instancePath`. */
const MEMBER_NAME_PARAMS = ['missingProperty', 'additionalProperty', 'unevaluatedProperty'];

/**
 * Converts Ajv's errors for a value to violations without duplicates, sorted by pointer. A violation contains no
 * value of the instance, because the value may be a secret.
 */
export function violationsOf(
  errors: readonly ErrorObject[],
  schema: JsonSchema,
  value: unknown,
): readonly Violation[] {
  const individual = errors.slice(0, ERROR_LIMIT).filter(({ keyword }) => !SUMMARY_KEYWORDS.has(keyword));
  const unique = new Map<string, Violation>();
  for (const error of reduceBranchErrors(individual, (branch) => 'x-hint' in schemaOf(branch, schema))) {
    const violation = violationOf(error, schema, value);
    const identity = `${violation.pointer}\n${violation.message}`;
    if (!unique.has(identity)) unique.set(identity, violation);
    if (unique.size === VIOLATION_LIMIT) break;
  }
  return [...unique.values()].sort(byPointer);
}

function violationOf(error: ErrorObject, schema: JsonSchema, value: unknown): Violation {
  const failure = failureOf(error, schema, value);
  const { keyword, params } = failure;
  const pointer = pointerOf(error);
  // An absent tag is reported like any other missing member.
  if (keyword === 'discriminator' && params['tagValue'] === undefined)
    return { pointer, keyword: 'required', message: 'is missing', advice: missingTagAdvice(failure) };
  const reported = error.propertyName === undefined ? keyword : 'propertyNames';
  return {
    pointer,
    keyword: reported,
    message: wordingOf(failure),
    advice: adviceOf({ ...failure, keyword: reported }),
    ...(keyword === 'type' && { types: [params['type']].flat().map(String) }),
  };
}

function failureOf(error: ErrorObject, schema: JsonSchema, value: unknown): Failure {
  const params: Readonly<Record<string, unknown>> = error.params;
  const member = params['missingProperty'];
  return {
    keyword: error.keyword,
    params,
    schema: schemaOf(error, schema),
    value: valueAt(value, error.instancePath),
    members: memberSchemas(error, schema),
    member: typeof member === 'string' ? member : undefined,
  };
}

function missingTagAdvice({ params, schema }: Failure): string {
  const tag = textOf(params['tag']);
  return addAdvice(tag, { members: { [tag]: { enum: tagValues(schema, tag) } } });
}

function pointerOf(error: ErrorObject): string {
  const params: Readonly<Record<string, unknown>> = error.params;
  const member =
    error.propertyName ??
    (error.keyword === 'discriminator' ? params['tag'] : undefined) ??
    MEMBER_NAME_PARAMS.map((name) => params[name]).find((name) => name !== undefined);
  return typeof member === 'string' ? pointerTo(error.instancePath, member) : error.instancePath;
}

/** Returns the schema that contains the failed keyword; an empty schema if another document contains it. */
function schemaOf(error: ErrorObject, schema: JsonSchema): JsonSchema {
  const pointer = decodeURIComponent(error.schemaPath.replace(/^[^#]*#/, ''));
  const parent = valueAt(schema, parentOf(pointer));
  return typeof parent === 'object' && parent !== null ? (parent as JsonSchema) : {};
}

/** Keywords whose subschema applies to the same value as the schema around it. */
const SAME_VALUE = /\/(?:if|then|else|not|(?:allOf|anyOf|oneOf)\/\d+|dependentSchemas\/[^/]+)$/;

/**
 * Returns the schemas of the members of the value, by name: those in `properties` of the schema that contains the
 * failed keyword, and of the schemas around it that apply to the same value.
 */
function memberSchemas(error: ErrorObject, schema: JsonSchema): Readonly<Record<string, unknown>> {
  const pointer = decodeURIComponent(error.schemaPath.replace(/^[^#]*#/, ''));
  const found = new Map<string, unknown>();
  for (let at = parentOf(pointer); ; at = at.replace(SAME_VALUE, '')) {
    const { properties } = toObject(valueAt(schema, at));
    for (const [name, member] of Object.entries(toObject(properties)))
      found.set(name, { ...toObject(member), ...toObject(found.get(name)) });
    if (!SAME_VALUE.test(at)) return Object.fromEntries(found);
  }
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

function byPointer(a: Violation, b: Violation): number {
  if (a.pointer !== b.pointer) return a.pointer < b.pointer ? -1 : 1;
  return a.message < b.message ? -1 : 1;
}

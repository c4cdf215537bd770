import { isJsonObject, type JsonObject } from '../../../../src/json/json-object.js';
import { pointerTo } from '../../../../src/json/pointer.js';
import type { DraftPart, FormDraft } from '../draft.js';

const SCHEMA_KEYWORDS = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
] as const;

const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'] as const;

/** Keywords whose value is schemas by name. */
const MAP_KEYWORDS = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
] as const;

/** Maximum number of schemas that are visited. */
const MAX_SCHEMAS = 200_000;

/**
 * Yields every schema in a schema with its pointer, starting with the schema itself. `true` and `false` are
 * skipped.
 */
export function* eachSchema(root: unknown): Generator<readonly [schema: JsonObject, pointer: string]> {
  const pending: (readonly [value: unknown, pointer: string])[] = [[root, '']];
  for (let count = 0; count < MAX_SCHEMAS; count += 1) {
    const next = pending.pop();
    if (!next) return;
    const [schema, pointer] = next;
    if (!isJsonObject(schema)) continue;
    yield [schema, pointer];
    pending.push(...subschemasOf(schema, pointer).reverse());
  }
}

function subschemasOf(schema: JsonObject, pointer: string): (readonly [value: unknown, pointer: string])[] {
  const found: (readonly [value: unknown, pointer: string])[] = [];
  for (const keyword of MAP_KEYWORDS) {
    const named = schema[keyword];
    if (isJsonObject(named))
      for (const [name, value] of Object.entries(named))
        found.push([value, pointerTo(`${pointer}/${keyword}`, name)]);
  }
  for (const keyword of LIST_KEYWORDS) {
    const list = schema[keyword];
    if (Array.isArray(list))
      list.forEach((value: unknown, at) => found.push([value, pointerTo(`${pointer}/${keyword}`, at)]));
  }
  for (const keyword of SCHEMA_KEYWORDS)
    if (isJsonObject(schema[keyword])) found.push([schema[keyword], `${pointer}/${keyword}`]);
  return found;
}

/**
 * A fault of a form. `error`: the form does not work as written. `warning`: the form is hard to use.
 */
export interface Finding {
  readonly kind: 'error' | 'warning';
  /** The document that contains the finding. */
  readonly part: DraftPart | 'struct';
  /** Pointer into that document. */
  readonly pointer: string;
  /** Pointer of the schema of the affected field, if there is one. */
  readonly field?: string;
  readonly message: string;
}

type About = Omit<Finding, 'kind' | 'part'> & Partial<Pick<Finding, 'part'>>;

/** Returns an error in the schema, or in the document that `part` names. */
export function fault(about: About): Finding {
  return { kind: 'error', part: 'schema', ...about };
}

/** Returns a warning about the schema, or about the document that `part` names. */
export function warning(about: About): Finding {
  return { kind: 'warning', part: 'schema', ...about };
}

/** Checks a form for one kind of fault. */
export type Rule = (draft: FormDraft) => Iterable<Finding>;

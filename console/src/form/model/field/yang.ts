import { isJsonObject, type JsonObject, objectOf } from '../../../../../src/json/json-object.js';
import { objectsOf, textsOf } from './keywords.js';
import type { SchemaPart } from './schema-document.js';

/**
 * YANG statements beyond the shape of the data: `x-yang` of gatehouse's compiler, or single `x-yang-*`
 * keywords of others.
 */
export interface YangFacts {
  /** All statements, unchanged. */
  readonly all: JsonObject;
  readonly type: string | undefined;
  readonly units: string | undefined;
  readonly keys: readonly string[];
  readonly orderedByUser: boolean;
  readonly presence: boolean;
  readonly mandatory: boolean;
  /** Path to the leaf whose values are allowed. */
  readonly leafref: string | undefined;
  readonly when: readonly YangRule[];
  readonly must: readonly YangRule[];
  readonly module: string | undefined;
}

/** A condition in XPath. */
export interface YangRule {
  readonly xpath: string;
  readonly message?: string;
  /** True if the condition applies to the parent. */
  readonly fromParent: boolean;
}

const KEYWORD_PREFIX = 'x-yang-';

/** Returns the YANG facts of some schemas; the first schema with a fact takes precedence. */
export function yangFacts(parts: readonly SchemaPart[]): YangFacts {
  const all = statementsOf(parts);
  const leafref = all['leafref'];
  return {
    all,
    type: text(all['type']),
    units: text(all['units']),
    keys: textsOf(all['keys'] ?? all['key']),
    orderedByUser: all['ordered-by'] === 'user',
    presence: all['presence'] !== undefined && all['presence'] !== false,
    mandatory: all['mandatory'] === true,
    leafref: text(isJsonObject(leafref) ? leafref['path'] : leafref),
    when: rulesFrom(all['when']),
    must: rulesFrom(all['must']),
    module: text(all['module']) ?? text(all['mod']),
  };
}

function statementsOf(parts: readonly SchemaPart[]): JsonObject {
  const all: Record<string, unknown> = {};
  for (const { schema } of parts.toReversed()) {
    for (const name of Object.keys(schema))
      if (name.startsWith(KEYWORD_PREFIX)) all[name.slice(KEYWORD_PREFIX.length)] = schema[name];
    if (typeof schema['x-mod'] === 'string') all['module'] = schema['x-mod'];
    Object.assign(all, objectOf(schema['x-yang']));
  }
  return all;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function rulesFrom(value: unknown): readonly YangRule[] {
  if (typeof value === 'string') return [{ xpath: value, fromParent: false }];
  const texts = textsOf(value).map((xpath) => ({ xpath, fromParent: false }));
  const objects = objectsOf(value).flatMap(({ xpath, message, from }) =>
    typeof xpath === 'string'
      ? [{ xpath, ...(typeof message === 'string' && { message }), fromParent: from === 'parent' }]
      : [],
  );
  return [...texts, ...objects];
}

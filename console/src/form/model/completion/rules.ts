import { isJsonObject, type JsonObject, memberOf, objectOf } from '../../../../../src/json/json-object.js';
import { pointerTo } from '../../../../../src/json/pointer.js';
import { uiKey } from '../field/ui.js';
import type { FormOptions } from '../types.js';

/** What a form does besides the edits of a person. */
export interface CompletionRules {
  /** True fills in defaults and constants (`ui:defaults`, `fill` by default). */
  readonly fills: boolean;
  /** True drops the values of fields that a condition hides (`ui:hiddenValues`, `drop` by default). */
  readonly drops: boolean;
  readonly calculations: readonly Calculation[];
}

/** A field whose value an expression gives (`ui:calculate`). */
export interface Calculation {
  /** Path of the field, with `*` for the indexes of lists. */
  readonly path: string;
  /** Pointer of the expression in the uiSchema. */
  readonly at: string;
  readonly expression: unknown;
}

/** Keywords whose result decides which members an object has. */
const BRANCH_KEYWORDS = ['if', 'dependentSchemas', 'dependencies'] as const;

/**
 * Returns the rules of a form; undefined if there are none. A form of a YANG model has none: there, an absent leaf has its
 * default (RFC 7950, 7.6.1).
 */
export function rulesOf(
  { schema, uiSchema }: { readonly schema: unknown; readonly uiSchema: JsonObject },
  { computes = false, isPartial = false, readOnly = false }: FormOptions,
): CompletionRules | undefined {
  if (!computes || isPartial || readOnly || hasKeyword(schema, (name) => /^x-(?:yang|mod)/.test(name)))
    return undefined;
  const isBranch = (name: string) => (BRANCH_KEYWORDS as readonly string[]).includes(name);
  const rules: CompletionRules = {
    fills: memberOf(uiSchema, 'ui:defaults') !== 'show',
    drops: memberOf(uiSchema, 'ui:hiddenValues') !== 'keep' && hasKeyword(schema, isBranch),
    calculations: calculationsIn({ schema, uiSchema }),
  };
  return rules.fills || rules.drops || rules.calculations.length > 0 ? rules : undefined;
}

/** Keywords for which only the engine finds which fields a form has, or which type a typed text has. */
const ENGINE_KEYWORDS: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf', 'patternProperties']);

/** Returns true for a schema whose fields depend on the result of a validation. */
export function needsEngine(schema: unknown): boolean {
  return hasKeyword(schema, (name) => ENGINE_KEYWORDS.has(name));
}

function hasKeyword(schema: unknown, test: (name: string) => boolean): boolean {
  const pending: unknown[] = [schema];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isJsonObject(value) && Object.keys(value).some(test)) return true;
    for (const inner of Object.values(value)) if (inner !== undefined) pending.push(inner);
  }
  return false;
}

/** Returns the expressions of a uiSchema. */
export function calculationsIn(
  { schema, uiSchema }: { readonly schema: unknown; readonly uiSchema: JsonObject },
  path = '',
  at = '',
): readonly Calculation[] {
  const { properties, items } = objectOf(schema);
  const members = objectOf(properties);
  const expression = uiKey(uiSchema, 'calculate');
  const key = memberOf(uiSchema, 'ui:calculate') === undefined ? 'ui:options/calculate' : 'ui:calculate';
  const below = Object.entries(uiSchema).flatMap(([name, inner]) => {
    if (name.includes(':') || !isJsonObject(inner)) return [];
    // An object may have a member of this name.
    const isEntry = name === 'items' && !Object.hasOwn(members, name);
    return calculationsIn(
      { schema: isEntry ? items : members[name], uiSchema: inner },
      pointerTo(path, isEntry ? '*' : name),
      pointerTo(at, name),
    );
  });
  return expression === undefined ? below : [{ path, at: `${at}/${key}`, expression }, ...below];
}

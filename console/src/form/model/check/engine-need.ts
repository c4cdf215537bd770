import { isJsonObject } from '../../../../../src/json/json-object.js';

/** Keywords for which only the engine finds which fields a form has, or which type a typed text has. */
const ENGINE_KEYWORDS: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf', 'patternProperties']);

/** Returns true for a schema whose fields depend on the result of a validation. */
export function needsEngine(schema: unknown): boolean {
  const pending: unknown[] = [schema];
  while (pending.length > 0) {
    const value = pending.pop();
    if (isJsonObject(value)) {
      if (Object.keys(value).some((name) => ENGINE_KEYWORDS.has(name))) return true;
      for (const inner of Object.values(value)) pending.push(inner);
    } else if (Array.isArray(value)) for (const inner of value) pending.push(inner);
  }
  return false;
}

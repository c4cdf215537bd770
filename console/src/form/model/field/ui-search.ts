import { isJsonObject, type JsonObject } from '../../../../../src/json/json-object.js';
import type { SchemaTest } from './search-index.js';

const TEXT_KEYS: ReadonlySet<string> = new Set([
  'ui:title',
  'ui:description',
  'title',
  'description',
  'name',
]);

/** Returns true if a text or an object of a uiSchema matches, at any depth. */
export function matchesUi(ui: JsonObject, { text, schema }: SchemaTest): boolean {
  const matches = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(
      ([name, inner]) =>
        (typeof inner === 'string' && TEXT_KEYS.has(name) && text?.test(inner) === true) ||
        (isJsonObject(inner) && schema?.(inner) === true) ||
        matches(inner),
    );
  };
  return matches(ui);
}

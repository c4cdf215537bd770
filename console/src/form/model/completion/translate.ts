import { isJsonObject, type JsonObject, memberOf, objectOf } from '../../../../../src/json/json-object.js';

/** Members of a schema or uiSchema whose texts people read, without `ui:`. */
const TEXT_KEYS: ReadonlySet<string> = new Set([
  ...[
    'title',
    'description',
    'help',
    'placeholder',
    'enumNames',
    'enumDescriptions',
    'errors',
    'errorMessage',
  ],
]);

const DATA_KEYS: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'default',
  'examples',
  'ui:translations',
  'ui:calculate',
]);

/**
 * Returns a schema or uiSchema with its texts in a language: `catalog` has the translation of each text. The texts
 * without one stay.
 */
export function translated(document: unknown, catalog: JsonObject): unknown {
  const visit = (value: unknown, isText: boolean): unknown => {
    if (typeof value === 'string') {
      const text = isText ? memberOf(catalog, value) : undefined;
      return typeof text === 'string' && text !== '' ? text : value;
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, isText));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([name, inner]): readonly [string, unknown] => {
      if (DATA_KEYS.has(name) && !isText) return [name, inner];
      // A member of the data may have such a name too, but its schema is no text.
      return [name, visit(inner, isText || (TEXT_KEYS.has(name.replace(/^ui:/, '')) && !isSchema(inner)))];
    });
    return Object.fromEntries(entries);
  };
  return visit(document, false);
}

function isSchema(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    ['type', 'properties', '$ref', 'oneOf', 'anyOf', 'allOf', 'enum'].some((name) => name in value)
  );
}

/** Returns the translations of a form (`ui:translations`) into a language: `de` also for `de-AT`. */
export function catalogOf(uiSchema: unknown, language: string | undefined): JsonObject | undefined {
  const all = objectOf(memberOf(objectOf(uiSchema), 'ui:translations'));
  if (language === undefined) return undefined;
  const found = memberOf(all, language) ?? memberOf(all, language.split('-')[0] ?? '');
  return isJsonObject(found) ? found : undefined;
}

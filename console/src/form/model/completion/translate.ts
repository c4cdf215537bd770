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
  'x-refused',
  'ui:translations',
  'ui:calculate',
]);

/**
 * Returns a schema or uiSchema with its texts in a language: `catalog` has the translation of each text. The texts
 * without one stay.
 */
export function translated(document: unknown, catalog: JsonObject): unknown {
  return withTexts(document, (original) => {
    const text = memberOf(catalog, original);
    return typeof text === 'string' && text !== '' ? text : original;
  });
}

/** Returns the texts of a schema or uiSchema that can be translated, each once. */
export function textsIn(document: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  withTexts(document, (text) => {
    if (text.trim() !== '') texts.add(text);
    return text;
  });
  return texts;
}

function withTexts(document: unknown, change: (text: string) => string): unknown {
  const visit = (value: unknown, isText: boolean): unknown => {
    if (typeof value === 'string') return isText ? change(value) : value;
    if (Array.isArray(value)) return value.map((item) => visit(item, isText));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value).map(([name, inner]): readonly [string, unknown] => {
      if (DATA_KEYS.has(name) && !isText) return [name, inner];
      return [
        name,
        visit(inner, isText || (TEXT_KEYS.has(name.replace(/^ui:/, '')) && isTextual(name, inner))),
      ];
    });
    return Object.fromEntries(entries);
  };
  return visit(document, false);
}

/** Returns true for a text, a list of texts, and texts by keyword. A field may have such a name too. */
function isTextual(name: string, value: unknown): boolean {
  if (!isJsonObject(value) || name === 'ui:errors') return true;
  return name.startsWith('error') && Object.entries(value).every(isTextOfKeyword);
}

function isTextOfKeyword([keyword, text]: readonly [string, unknown]): boolean {
  return typeof text === 'string' && !/:|^(?:type|\$ref)$/.test(keyword);
}

/** Returns the translations of a form (`ui:translations`) into a language: `de` also for `de-AT`. */
export function catalogOf(uiSchema: unknown, language: string | undefined): JsonObject | undefined {
  const all = objectOf(memberOf(objectOf(uiSchema), 'ui:translations'));
  if (language === undefined) return undefined;
  const found = memberOf(all, language) ?? memberOf(all, language.split('-')[0] ?? '');
  return isJsonObject(found) ? found : undefined;
}

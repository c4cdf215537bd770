import { objectOf } from '../../../../../src/json/json-object.js';
import { writeJson } from '../json/json-text.js';
import { isStructure, type Json, jsonFrom, sameJson } from '../json/json.js';
import type { Option } from '../types.js';
import type { Field } from './field.js';
import { objectsOf, textKeyword, textsOf, typesOf } from './keywords.js';

/**
 * Returns the values of `enum`, with titles from `ui:enumNames`, `enumNames`, `oneOf` with constants, or
 * YANG; for a member that selects among dependent schemas, only the values that select one.
 */
export function enumOptions(field: Field): readonly Option[] {
  const written = writtenOptions(field);
  const { choices } = field.source;
  if (!choices) return written;
  if (written.length > 0)
    return written.filter(({ value }) => choices.some((choice) => sameJson(choice, value)));
  // A checkbox selects both values.
  if (typesOf(field.parts).join() === 'boolean') return [];
  return choices.map((value) => ({ value, label: labelOf(value) }));
}

function writtenOptions(field: Field): readonly Option[] {
  const values = identitiesOf(field) ?? field.keyword('enum');
  if (!Array.isArray(values)) return constantOptions(field);
  const module = field.yang.all['identities'];
  const shown: readonly unknown[] = typeof module === 'string' ? withoutShortNames(values, module) : values;
  const names = textsOf(field.ui('enumNames') ?? field.keyword('enumNames'));
  const texts = field.ui('enumDescriptions');
  const described = new Map(
    namedOptions(
      field.yang.all['enum'] ?? objectOf(field.keyword('else'))[IDENTITIES] ?? field.keyword(IDENTITIES),
    ).map((option) => [option.value, option.description]),
  );
  return shown.map((item: unknown, at) => {
    const value = jsonFrom(item);
    const text: unknown = Array.isArray(texts) ? texts[at] : undefined;
    const description = typeof text === 'string' && text !== '' ? text : described.get(value);
    return { value, label: names[at] ?? labelOf(value), ...(description !== undefined && { description }) };
  });
}

/** Keyword with the names and descriptions of identities. */
const IDENTITIES = 'x-yang-identityref';

/** Returns the identities with the names of their modules, if names without a module are allowed as well. */
function identitiesOf(field: Field): unknown {
  return field.yang.all['identities'] === undefined ? undefined : objectOf(field.keyword('else'))['enum'];
}

/** Returns the names with descriptions from `x-yang-enum` or `x-yang-bits`. */
export function namedOptions(text: unknown): readonly Option[] {
  return objectsOf(text).flatMap(({ name, description }) =>
    typeof name === 'string'
      ? [{ value: name, label: name, ...(typeof description === 'string' && { description }) }]
      : [],
  );
}

/** Returns suggested values from `examples`; other values may be typed. */
export function exampleOptions(field: Field): readonly Option[] {
  const text = field.keyword('examples');
  const examples = Array.isArray(text) ? text.map(jsonFrom) : [];
  return examples.filter((value) => !isStructure(value)).map((value) => ({ value, label: labelOf(value) }));
}

/** Returns a value as readable text: strings without quotes. */
export function labelOf(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : writeJson(value);
}

/** Removes the names without prefix. Identities of the own module are listed with and without prefix. */
function withoutShortNames(values: readonly unknown[], module: string): readonly unknown[] {
  const all = new Set(values);
  return values.filter((value) => !all.has(`${module}:${String(value)}`));
}

function constantOptions(field: Field): readonly Option[] {
  const { variants } = field;
  const listed = field.keyword('oneOf') ?? field.keyword('anyOf');
  // The alternatives of a single value have no variants, because they add no shape.
  if (variants.length === 0 && Array.isArray(listed)) return listedConstants(listed);
  const options = variants.flatMap((variant) => {
    const value = variant.keyword('const');
    const label = textKeyword(variant.parts, 'title');
    const description = textKeyword(variant.parts, 'description');
    if (value === undefined) return [];
    const json = jsonFrom(value);
    return [
      { value: json, label: label ?? labelOf(json), ...(description !== undefined && { description }) },
    ];
  });
  return options.length === variants.length ? options : [];
}

/** Returns the alternatives of a single value that are constants; none if there are others. */
function listedConstants(alternatives: readonly unknown[]): readonly Option[] {
  const options = objectsOf(alternatives).flatMap((one): readonly Option[] => {
    if (one['const'] === undefined) return [];
    const value = jsonFrom(one['const']);
    const { title, description } = one;
    const label = typeof title === 'string' && title !== '' ? title : labelOf(value);
    return [{ value, label, ...(typeof description === 'string' && { description }) }];
  });
  return options.length === alternatives.length ? options : [];
}

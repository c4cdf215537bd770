import { constantOf, editorOf } from '../field/editor.js';
import type { Field } from '../field/field.js';
import { labelOf } from '../field/options.js';
import type { SchemaPart } from '../field/schema-document.js';
import { scalarTypes } from '../field/type-label.js';
import { readJson } from '../json/json-text.js';
import { isMembers, type Json, type JsonMembers, numberFrom } from '../json/json.js';
import { nodeAt } from '../rows/children.js';
import type { Option } from '../types.js';
import type { FormState } from './form-state.js';

/**
 * Returns the initial value of a new node: an empty container with its constants, an empty list, or the first
 * option.
 */
export function startingValue(field: Field): Json {
  switch (field.kind) {
    case 'container':
    case 'presence':
      return constantsOf(field, {});
    case 'list':
    case 'leaf-list':
      return [];
    case 'variants':
      return field.variants[0] ? startingValue(field.variants[0]) : {};
    case 'leaf':
      return startingLeaf(field);
    default:
      return field.keyword('type') === 'object' ? {} : null;
  }
}

/** Returns the value for another alternative: keeps the members that it describes, and sets its constants. */
export function valueForVariant(variant: Field, value: Json | undefined): Json | undefined {
  if (variant.kind !== 'container' && variant.kind !== 'presence')
    return variant.kind === 'leaf' ? constantOf(variant) : startingValue(variant);
  const members = isMembers(value) ? value : {};
  const known = Object.entries(members).filter(([name]) => variant.describes(name));
  return constantsOf(variant, Object.fromEntries(known));
}

function constantsOf(field: Field, members: JsonMembers): JsonMembers {
  const constants = field.names.flatMap((name) => {
    const constant =
      field.required.has(name) || Object.hasOwn(members, name) ? constantOf(field.member(name)) : undefined;
    return constant === undefined ? [] : [[name, constant] as const];
  });
  return { ...members, ...Object.fromEntries(constants) };
}

function startingLeaf(field: Field): Json {
  const editor = editorOf(field);
  if (editor.kind === 'constant' || editor.kind === 'empty') return editor.value;
  if (editor.kind === 'select') return editor.options[0]?.value ?? '';
  return scalarTypes(field)[0] === 'boolean' ? false : '';
}

/** Converts a typed text to a value of a location; undefined for an empty text or an unknown location. */
export function valueFromText(state: FormState, pointer: string, text: string): Json | undefined {
  const node = nodeAt(state, pointer);
  return node && fieldValue(node.field, text);
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/**
 * Converts a typed text to a value of a field; undefined for an empty text. A text that does not fit the type
 * of the field stays a string, so that no input is lost and validation reports it.
 */
export function fieldValue(field: Field, text: string): Json | undefined {
  if (text === '') return undefined;
  if (field.kind !== 'leaf') return jsonOrText(text);
  const editor = editorOf(field);
  const option = 'options' in editor ? optionFor(editor.options, text) : undefined;
  if (option) return option.value;
  if (editor.kind === 'empty' || editor.kind === 'constant')
    return labelOf(editor.value) === text ? editor.value : text;
  return field.variants.length > 0 ? unionValue(field, text) : valueOfTypes(scalarTypes(field), text);
}

function optionFor(options: readonly Option[], text: string): Option | undefined {
  return options.find(({ value }) => labelOf(value) === text) ?? options.find(({ label }) => label === text);
}

/** Returns the value for the first member of a union that accepts the text, as RFC 7950 9.12 requires. */
function unionValue(field: Field, text: string): Json {
  for (const variant of field.variants) {
    const value = valueOfTypes(scalarTypes(variant), text);
    if (accepts(variant, value)) return value;
  }
  return valueOfTypes(scalarTypes(field), text);
}

function valueOfTypes(types: readonly string[], text: string): Json {
  if ((types.includes('number') || types.includes('integer')) && NUMBER.test(text)) return numberFrom(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  // Where a text is possible, `null` is one.
  if (types.includes('null') && text === 'null' && !types.includes('string')) return null;
  return text;
}

/**
 * Returns true if every part of the field accepts the value. The target of a reference is a separate part.
 */
function accepts(field: Field, value: Json): boolean {
  const { document, resolvedUnions } = field.source;
  return field.parts.every(
    (part) => resolvedUnions?.has(part.schema) === true || document.test(ownRules(part), value) !== false,
  );
}

const OWN_RULES = new WeakMap<object, SchemaPart>();

/** Returns a part without `allOf` and references. */
function ownRules(part: SchemaPart): SchemaPart {
  const known = OWN_RULES.get(part.schema);
  if (known) return known;
  const rules = Object.entries(part.schema).filter(([name]) => name !== 'allOf' && !name.startsWith('$'));
  const partWithRules = { ...part, schema: Object.fromEntries(rules) };
  OWN_RULES.set(part.schema, partWithRules);
  return partWithRules;
}

function jsonOrText(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

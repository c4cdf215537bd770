import { constantOf, editorOf } from '../field/editor.js';
import type { Field } from '../field/field.js';
import { scalarTypes } from '../field/type-label.js';
import { isMembers, type Json, type JsonMembers } from '../json/json.js';

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

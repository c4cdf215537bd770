import { pointerTo, pointerTokens } from '../../../src/json/pointer.js';
import { text } from './designer-text.js';

/** Location of a field in a schema: the object that contains it, and its name there. */
export interface FieldLocation {
  /** Pointer of the object's schema. */
  readonly container: string;
  readonly name: string;
}

/**
 * Returns the location of a field from the pointer of its schema; undefined unless it is a named member of an
 * object.
 */
export function placeOf(pointer: string): FieldLocation | undefined {
  const tokens = pointerTokens(pointer);
  const name = tokens.at(-1);
  if (name === undefined || tokens.at(-2) !== 'properties') return undefined;
  return { container: tokens.slice(0, -2).reduce((at, token) => pointerTo(at, token), ''), name };
}

/** Returns the pointer of a member's schema. */
export function fieldAt(container: string, name: string): string {
  return pointerTo(`${container}/properties`, name);
}

/**
 * Returns the uiSchema pointer for a schema pointer: members by name, list entries as `items`. Alternatives
 * (`oneOf`, `allOf`, ...) belong to the field itself. Undefined for definitions, which have no location in
 * the form.
 */
export function uiPointerOf(pointer: string): string | undefined {
  return translated(pointer, pointerTo, ['items', 'additionalProperties']);
}

/**
 * Returns the bindingSchema pointer for a schema pointer: like the schema, without alternatives and conditions.
 * Undefined for definitions.
 */
export function bindingPointerOf(pointer: string): string | undefined {
  return translated(pointer, fieldAt, ['items']);
}

function translated(
  pointer: string,
  memberOf: (container: string, name: string) => string,
  kept: readonly string[],
): string | undefined {
  const tokens = pointerTokens(pointer);
  let found = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === 'properties') found = memberOf(found, tokens[++at] ?? '');
    else if (kept.includes(token)) found = pointerTo(found, token);
    else if (token === '$defs' || token === 'definitions') return undefined;
    else if (/^(?:allOf|anyOf|oneOf|dependentSchemas)$/.test(token)) at += 1;
  }
  return found;
}

/** Returns the readable path of a field, without its conditions: `interfaces[].mtu`. */
export function pathWords(pointer: string): string {
  const tokens = pointerTokens(pointer);
  let words = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === 'properties') words += `${words === '' ? '' : '.'}${tokens[++at] ?? ''}`;
    else if (token === 'items') words += '[]';
    else if (tokens.includes('properties', at)) at += /^(?:allOf|dependentSchemas)$/.test(token) ? 1 : 0;
    else words += ` ${token}`;
  }
  return words === '' ? text('theForm') : words.trimStart();
}

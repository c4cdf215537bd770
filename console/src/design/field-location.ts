import { pointerTo, pointerTokens } from '../../../src/core/pointer.js';

/** Where a field stands in a schema: the object that it is a member of, and its name there. */
export interface FieldPlace {
  /** Pointer of the schema of the object. */
  readonly container: string;
  readonly name: string;
}

/** The place of a field by the pointer of its schema; undefined for what is no named member of an object. */
export function placeOf(pointer: string): FieldPlace | undefined {
  const tokens = pointerTokens(pointer);
  const name = tokens.at(-1);
  if (name === undefined || tokens.at(-2) !== 'properties') return undefined;
  return { container: tokens.slice(0, -2).reduce((at, token) => pointerTo(at, token), ''), name };
}

/** Pointer of the schema of a member. */
export function fieldAt(container: string, name: string): string {
  return pointerTo(`${container}/properties`, name);
}

/**
 * Where the uiSchema speaks of what a pointer into the schema means: members by their names, entries of lists as `items`.
 * Alternatives (`oneOf`, `allOf`, ...) are spoken of at the field itself; undefined for definitions, which have no place.
 */
export function uiPointerOf(pointer: string): string | undefined {
  const tokens = pointerTokens(pointer);
  let ui = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === 'properties') ui = pointerTo(ui, tokens[++at] ?? '');
    else if (token === 'items' || token === 'additionalProperties') ui = pointerTo(ui, token);
    else if (token === '$defs' || token === 'definitions') return undefined;
    else if (/^(?:allOf|anyOf|oneOf)$/.test(token)) at += 1;
  }
  return ui;
}

/** The field as one would name it: `interfaces[].mtu`. */
export function pathWords(pointer: string): string {
  const tokens = pointerTokens(pointer);
  let words = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? '';
    if (token === 'properties') words += `${words === '' ? '' : '.'}${tokens[++at] ?? ''}`;
    else if (token === 'items') words += '[]';
    else words += `${words === '' ? '' : ' '}${token}`;
  }
  return words === '' ? 'the form' : words;
}

import { fieldValue } from '../field/value-from-text.js';
import type { Json } from '../json/json.js';
import { nodeAt } from '../rows/find-node.js';
import type { FormState } from './form-state.js';

/** The value that somebody means who types a text at a place; undefined for no text, or where there is no place. */
export function valueFromText(state: FormState, pointer: string, text: string): Json | undefined {
  const node = nodeAt(state, pointer);
  return node && fieldValue(node.field, text);
}

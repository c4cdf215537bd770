import { fieldValue } from '../field/value-from-text.js';
import type { Json } from '../json/json.js';
import { nodeAt } from '../rows/find-node.js';
import type { FormState } from './form-state.js';

/**
 * Returns the value that a text typed at a location means; undefined for an empty text or an unknown
 * location.
 */
export function valueFromText(state: FormState, pointer: string, text: string): Json | undefined {
  const node = nodeAt(state, pointer);
  return node && fieldValue(node.field, text);
}

import { editorOf } from '../field/editor.js';
import type { FormState } from '../state/form-state.js';
import { leafrefValues } from '../paths/leafref.js';
import type { Editor } from '../types.js';
import type { Node } from './node.js';

/** Returns the editor for the value of a row, with options from the data or other services. */
export function editorIn(state: FormState, node: Node): Editor {
  const { kind, field } = node;
  if (kind === 'json') return { kind: 'json' };
  if (kind !== 'leaf' && kind !== 'leaf-list') return { kind: 'none' };
  const bound = state.bound.get(field.source.path);
  if (bound && kind === 'leaf') {
    const options = bound.state === 'ready' ? bound.options : [];
    return { kind: 'combobox', options, source: 'binding' };
  }
  if (kind === 'leaf' && field.yang.leafref !== undefined) {
    const options = leafrefValues(state, node, field.yang.leafref);
    return { kind: 'combobox', options, source: 'leafref' };
  }
  return editorOf(field);
}

import { pointerTokens } from '../../../../../src/json/pointer.js';
import { isStructure } from '../json/json.js';
import type { FormState } from '../state/form-state.js';
import { childAt, childrenOf } from './children.js';
import { rootNode } from './find-node.js';
import type { Node } from './node.js';
import { rowsOf } from './rows-of.js';

/** Returns pointers into the schema of what the open rows lack. */
export function leftOutInOpenRows(state: FormState): readonly string[] {
  const { rows } = rowsOf(state);
  return unique(rows.flatMap((row) => (row.open || state.open.get(row.id) === true ? row.leftOut : [])));
}

/** Values about whose fields a form knows everything, so that an edit visits only what it changed. */
const COMPLETE = new WeakMap<FormState['form'], WeakSet<object>>();

/** Returns pointers into the schema of what the form lacks of the locations with values, and of those with errors. */
export function leftOutOfValues(state: FormState): readonly string[] {
  const complete = COMPLETE.get(state.form) ?? new WeakSet();
  COMPLETE.set(state.form, complete);
  const pointers: string[] = [];
  const isComplete = (node: Node): boolean => {
    const { value, field, kind } = node;
    if (!isStructure(value) || complete.has(value)) return true;
    pointers.push(...field.leftOut);
    const children = childrenOf(state, node).filter(
      (child) => child.kind === 'choice' || isStructure(child.value),
    );
    const areComplete = children.map(isComplete).every(Boolean);
    if (!areComplete || field.leftOut.length > 0) return false;
    // The value of a choice is that of its container.
    if (kind !== 'choice') complete.add(value);
    return true;
  };
  isComplete(rootNode(state));
  return unique([...pointers, ...state.errors.flatMap(({ pointer }) => leftOutOnPath(state, pointer))]);
}

/** Returns what the form lacks of the first location on a path about which it does not know everything. */
function leftOutOnPath(state: FormState, pointer: string): readonly string[] {
  let node: Node | undefined = rootNode(state);
  for (const token of pointerTokens(pointer)) {
    if (!node || node.field.leftOut.length > 0) break;
    node = childAt(state, node, token);
  }
  return node?.field.leftOut ?? [];
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

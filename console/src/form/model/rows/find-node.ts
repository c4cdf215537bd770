import { pointerTokens } from '../../../../../src/core/pointer.js';
import type { FormState } from '../state/form-state.js';
import { childAt, childrenOf } from './children.js';
import { makeNode, type Node } from './node.js';

/** The node of the whole document. */
export function rootNode(state: FormState): Node {
  const { form, data: value, loaded } = state;
  const node = makeNode(state, {
    parent: undefined,
    pointer: '',
    key: '',
    field: form.root,
    value,
    loaded,
    required: true,
  });
  return hasRow(node) ? { ...node, level: 1 } : node;
}

/** True when the node of the document is a row itself: its members have rows otherwise. */
export function hasRow(root: Node): boolean {
  return root.kind !== 'container' || root.variants.length > 0;
}

/** The node at a pointer, whether it would have a row or not; undefined where no value can stand. */
export function nodeAt(state: FormState, pointer: string): Node | undefined {
  let node: Node | undefined = rootNode(state);
  for (const token of pointerTokens(pointer)) node = node && childAt(state, node, token);
  return node;
}

/** The node of a row by its id, below the choices that it belongs to; undefined when there is no such row. */
export function nodeOf(state: FormState, id: string): Node | undefined {
  let node: Node | undefined = rootNode(state);
  while (node && node.id !== id) node = childTowards(state, node, id);
  return node;
}

function childTowards(state: FormState, node: Node, id: string): Node | undefined {
  if (node.kind === 'list' || node.kind === 'leaf-list') {
    const [token] = pointerTokens(id.slice(node.pointer.length));
    return token === undefined ? undefined : childAt(state, node, token);
  }
  const children = childrenOf(state, node);
  const direct = children.find(
    (child) => child.id === id || id.startsWith(child.id + (child.kind === 'choice' ? ':' : '/')),
  );
  if (direct) return direct;
  return children.find((child) => child.kind === 'choice' && childTowards(state, child, id) !== undefined);
}

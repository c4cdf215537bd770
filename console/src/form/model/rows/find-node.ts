import { pointerTokens } from '../../../../../src/json/pointer.js';
import type { FormState } from '../state/form-state.js';
import { childAt, childrenOf } from './children.js';
import { makeNode, type Node } from './node.js';

/** Returns the node of the whole document. */
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

/** Returns true if the document's root node has a row itself; otherwise only its members have rows. */
export function hasRow(root: Node): boolean {
  return root.kind !== 'container' || root.variants.length > 0;
}

/** Returns the node at a pointer, whether it has a row or not; undefined if no value is possible there. */
export function nodeAt(state: FormState, pointer: string): Node | undefined {
  let node: Node | undefined = rootNode(state);
  for (const token of pointerTokens(pointer)) node = node && childAt(state, node, token);
  return node;
}

/** Returns the node of a row by its id, including choices on the way; undefined if there is no such row. */
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

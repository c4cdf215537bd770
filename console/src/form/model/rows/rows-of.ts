import type { FormState } from '../state/form-state.js';
import type { FormRows, Row } from '../types.js';
import { childrenOf } from './children.js';
import { hasRow, nodeOf, rootNode } from './find-node.js';
import { FormRow } from './form-row.js';
import type { Node } from './node.js';
import { foundRows } from './found-rows.js';
import { readQuery } from './query.js';
import { isExpandable, isOpen, MOST_EMPTY } from './unfolding.js';

const KNOWN = new WeakMap<FormState, FormRows>();

/** Returns the visible rows from top to bottom. The result is cached by state. */
export function rowsOf(state: FormState): FormRows {
  const known = KNOWN.get(state);
  if (known) return known;
  const query = readQuery(state);
  const { rows, hits } = query ? foundRows(state, query) : openRows(state);
  let places: ReadonlyMap<string, number> | undefined;
  const indexOf = (id: string) => (places ??= new Map(rows.map((row, at) => [row.id, at]))).get(id) ?? -1;
  const made = { rows, hits, indexOf };
  KNOWN.set(state, made);
  return made;
}

/** Returns a row by its id, visible or not; undefined if there is no such location. */
export function rowAt(state: FormState, id: string): Row | undefined {
  const { rows, indexOf } = rowsOf(state);
  const shown = rows[indexOf(id)];
  if (shown) return shown;
  const node = nodeOf(state, id);
  if (!node || node.level === 0) return undefined;
  return new FormRow(state, node, {
    open: isOpen(state, node),
    expandable: isExpandable(node),
    position: 1,
    setSize: 1,
    hit: false,
  });
}

/** True for a row with data, or a row that a person opened. */
function isMeant(state: FormState, { id, value }: Node): boolean {
  return value !== undefined || state.open.get(id) === true;
}

function openRows(state: FormState): Pick<FormRows, 'rows' | 'hits'> {
  const rows: Row[] = [];
  const show = (node: Node, position: number, setSize: number): void => {
    const expandable = isExpandable(node);
    const open = expandable && isOpen(state, node) && (rows.length < MOST_EMPTY || isMeant(state, node));
    rows.push(new FormRow(state, node, { open, expandable, position, setSize, hit: false }));
    if (open) showAll(childrenOf(state, node));
  };
  const showAll = (nodes: readonly Node[]): void => {
    nodes.forEach((node, at) => {
      show(node, at + 1, nodes.length);
    });
  };
  const root = rootNode(state);
  showAll(hasRow(root) ? [root] : childrenOf(state, root));
  return { rows, hits: 0 };
}

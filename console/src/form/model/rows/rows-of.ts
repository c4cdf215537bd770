import type { FormState } from '../state/form-state.js';
import type { FormRows, Row } from '../types.js';
import { childrenOf, itemNode } from './children.js';
import { hasRow, nodeOf, rootNode } from './find-node.js';
import { FormRow, type RowPosition } from './form-row.js';
import type { Node } from './node.js';
import { type Query, readQuery } from './query.js';
import { isExpandable, isOpen, isRecursive, MOST_EMPTY } from './open-rows.js';

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

/** A node that matches, or that has a matching descendant. */
interface Hit {
  readonly node: Node;
  readonly hit: boolean;
  readonly below: readonly Hit[];
}

/** Returns the rows that match a filter, with their ancestors. */
export function foundRows(state: FormState, query: Query): Pick<FormRows, 'rows' | 'hits'> {
  const top = search({ state, query, empty: 0 }, rootNode(state));
  if (!top) return { rows: [], hits: 0 };
  const rows: Row[] = [];
  show(state, top.node.level > 0 ? [top] : top.below, rows);
  return { rows, hits: rows.length === 0 ? 0 : countOf(top) };
}

/** A running search. */
interface Search {
  readonly state: FormState;
  readonly query: Query;
  /** Number of visited nodes without data. */
  empty: number;
}

function search(run: Search, node: Node): Hit | undefined {
  const hit = node.level > 0 && run.query.finds(node);
  const below = isBarren(node, run)
    ? []
    : lookedInto(run.state, node).flatMap((child) => search(run, child) ?? []);
  return hit || below.length > 0 ? { node, hit, below } : undefined;
}

/**
 * True if a node has no data, and its schema has no match or is recursive. Also limits the number of nodes
 * without data.
 */
function isBarren(node: Node, run: Search): boolean {
  if (node.value !== undefined || node.kind === 'choice') return false;
  run.empty += 1;
  return run.empty > MOST_EMPTY || isRecursive(node) || !run.query.mayFindBelow(node);
}

/**
 * Returns the children to search: for a list without entries, a possible entry, so that its members can be
 * found.
 */
function lookedInto(state: FormState, node: Node): readonly Node[] {
  const children = childrenOf(state, node);
  return children.length === 0 && node.kind === 'list' ? [itemNode(state, node, 0)] : children;
}

function show(state: FormState, found: readonly Hit[], rows: Row[]): void {
  found.forEach((one, index) => {
    const inside = insideOf(state, one);
    const open = inside.length > 0 && state.open.get(one.node.id) !== false;
    const place: RowPosition = {
      open,
      expandable: isExpandable(one.node) || inside.length > 0,
      position: index + 1,
      setSize: found.length,
      hit: one.hit,
    };
    rows.push(new FormRow(state, one.node, place));
    if (open) show(state, inside, rows);
  });
}

/** Returns the rows inside a match: all children if the matching row is open, otherwise only matches. */
function insideOf(state: FormState, { node, hit, below }: Hit): readonly Hit[] {
  if (!hit || state.open.get(node.id) !== true) return below;
  const known = new Map(below.map((one) => [one.node.id, one]));
  return childrenOf(state, node).map(
    (child) => known.get(child.id) ?? { node: child, hit: false, below: [] },
  );
}

function countOf({ hit, below }: Hit): number {
  return below.reduce((sum, one) => sum + countOf(one), hit ? 1 : 0);
}

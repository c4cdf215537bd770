import { pointerTokens } from '../../../../../src/json/pointer.js';
import { isStructure } from '../json/json.js';
import { finish, type Work } from '../slices.js';
import type { FormState } from '../state/form-state.js';
import type { FormRows, Row } from '../types.js';
import { childAt, childrenOf, hasRow, itemNode, nodeOf, rootNode } from './children.js';
import { rowFor, type RowPosition } from './form-row.js';
import type { Node } from './node.js';
import { isExpandable, isOpen, isRecursive, MAX_EMPTY_NODES } from './open-rows.js';
import { type Query, readQuery } from './query.js';

const FORM_ROWS = new WeakMap<FormState, FormRows>();

/** Returns the visible rows from top to bottom. The result is cached by state. */
export function rowsOf(state: FormState): FormRows {
  return FORM_ROWS.get(state) ?? finish(findRows(state));
}

/** Finds in steps what {@link rowsOf} returns, which then has it at once. */
export function* findRows(state: FormState): Work<FormRows> {
  const known = FORM_ROWS.get(state);
  if (known) return known;
  const query = yield* readQuery(state);
  const { rows, hits } = query ? yield* matchingRows(state, query) : openRows(state);
  let indexes: ReadonlyMap<string, number> | undefined;
  const indexOf = (id: string) => (indexes ??= new Map(rows.map((row, at) => [row.id, at]))).get(id) ?? -1;
  const result = { rows, hits, indexOf };
  FORM_ROWS.set(state, result);
  return result;
}

/** Returns a row by its id, visible or not; undefined if there is no such location. */
export function rowAt(state: FormState, id: string): Row | undefined {
  const { rows, indexOf } = rowsOf(state);
  const visible = rows[indexOf(id)];
  if (visible) return visible;
  const node = nodeOf(state, id);
  if (!node || node.level === 0) return undefined;
  return rowFor(state, node, {
    open: isOpen(state, node),
    expandable: isExpandable(node),
    position: 1,
    setSize: 1,
    hit: false,
  });
}

/** Returns true for a row that has data or that the user opened. */
function hasDataOrIsOpen(state: FormState, { id, value }: Node): boolean {
  return value !== undefined || state.open.get(id) === true;
}

function openRows(state: FormState): Pick<FormRows, 'rows' | 'hits'> {
  const rows: Row[] = [];
  const show = (node: Node, position: number, setSize: number): void => {
    const expandable = isExpandable(node);
    const open =
      expandable && isOpen(state, node) && (rows.length < MAX_EMPTY_NODES || hasDataOrIsOpen(state, node));
    rows.push(rowFor(state, node, { open, expandable, position, setSize, hit: false }));
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
  /** True if the node itself matches. */
  readonly hit: boolean;
  readonly below: readonly Hit[];
}

/** Returns the rows that match a filter, with their ancestors. */
function* matchingRows(state: FormState, query: Query): Work<Pick<FormRows, 'rows' | 'hits'>> {
  const top = yield* search({ state, query, empty: 0 }, rootNode(state));
  if (!top) return { rows: [], hits: 0 };
  const rows: Row[] = [];
  yield* show({ state, query }, top.node.level > 0 ? [top] : top.below, rows);
  return { rows, hits: rows.length === 0 ? 0 : hitCount(top) };
}

/** State of a running search. */
interface Search {
  readonly state: FormState;
  readonly query: Query;
  /** Number of visited nodes without data. */
  empty: number;
}

function* search(job: Search, node: Node): Work<Hit | undefined> {
  const hit = node.level > 0 && job.query.matches(node);
  const below: Hit[] = [];
  if (!isSkipped(node, job)) {
    yield;
    for (const child of searchedChildren(job.state, node)) {
      const found = yield* search(job, child);
      if (found) below.push(found);
    }
  }
  return hit || below.length > 0 ? { node, hit, below } : undefined;
}

/**
 * Returns true for a node without data whose schema is recursive or has no match. Counts the nodes without
 * data, and skips all of them after the maximum.
 */
function isSkipped(node: Node, job: Search): boolean {
  if (node.value !== undefined || node.kind === 'choice') return false;
  job.empty += 1;
  return job.empty > MAX_EMPTY_NODES || isRecursive(node) || !job.query.mayMatchBelow(node);
}

/**
 * Returns the children to search. A list without entries gets one possible entry, so that the search finds
 * its members.
 */
function searchedChildren(state: FormState, node: Node): readonly Node[] {
  const children = childrenOf(state, node);
  return children.length === 0 && node.kind === 'list' ? [itemNode(state, node, 0)] : children;
}

type Filtered = Pick<Search, 'state' | 'query'>;

function* show(filtered: Filtered, found: readonly Hit[], rows: Row[]): Work<void> {
  const { state } = filtered;
  yield;
  for (const [index, { node, hit, below }] of found.entries()) {
    const inside = hitsInside(filtered, { node, hit, below });
    const open = inside.length > 0 && state.open.get(node.id) !== false;
    const position: RowPosition = {
      open,
      expandable: isExpandable(node) || inside.length > 0,
      position: index + 1,
      setSize: found.length,
      hit,
    };
    rows.push(rowFor(state, node, position));
    if (open) yield* show(filtered, inside, rows);
  }
}

/** Returns the rows below a row: all children if a matching row was opened, otherwise only the matches. */
function hitsInside({ state, query }: Filtered, { node, hit, below }: Hit): readonly Hit[] {
  if (query.isOfState && below.length > 0) return below;
  if (!hit || state.open.get(node.id) !== true) return below;
  const known = new Map(below.map((found) => [found.node.id, found]));
  return childrenOf(state, node).map(
    (child) => known.get(child.id) ?? { node: child, hit: false, below: [] },
  );
}

function hitCount({ hit, below }: Hit): number {
  return below.reduce((sum, found) => sum + hitCount(found), hit ? 1 : 0);
}

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

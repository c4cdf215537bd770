import type { DataNode } from '../document/data-node.js';
import type { StepBudget } from '../document/step-budget.js';
import type { Axis, NodeTest } from './expression.js';

/** Decides whether a node exists, and counts the nodes that are visited. */
export interface NodeAccess {
  readonly budget: StepBudget;
  /** Evaluates the conditions of the node on first use. */
  exists(node: DataNode): boolean;
  /**
   * Throws if the document does not contain the children of a node. `qualified` is the name of the children; without it,
   * all children.
   */
  enter(node: DataNode, qualified?: string): void;
}

/** Axes whose positions count from the context node backwards (XPath 1.0 section 2.4). */
export const REVERSE_AXES: ReadonlySet<Axis> = new Set([
  'ancestor',
  'ancestor-or-self',
  'preceding',
  'preceding-sibling',
]);

const UPWARD_AXES: ReadonlySet<Axis> = new Set(['self', 'parent', 'ancestor', 'ancestor-or-self']);

/** Returns the nodes on an axis that match a test, in the order of the axis. `module` is that of names without one. */
export function nodesOn(
  { axis, test }: { readonly axis: Axis; readonly test: NodeTest },
  node: DataNode,
  { module, access }: { readonly module: string; readonly access: NodeAccess },
): readonly DataNode[] {
  const qualified = test.kind === 'name' ? qualifiedNameOf(test, module) : undefined;
  if (!UPWARD_AXES.has(axis)) access.enter(node, qualified);
  if (axis === 'child' && qualified !== undefined) {
    const named = node.named(qualified);
    access.budget.spend(1 + named.length);
    return named.some(({ presence }) => presence !== 'present')
      ? named.filter((child) => access.exists(child))
      : named;
  }
  const found: DataNode[] = [];
  const visit = (candidate: DataNode): void => {
    if (matches(candidate, test, qualified ?? wildcardOf(test))) found.push(candidate);
  };
  WALKS[axis](node, { access, visit });
  return found;
}

/** Returns the qualified name of a test; undefined for a test that several names match. */
export function qualifiedNameOf(
  { module: written, name }: Extract<NodeTest, { kind: 'name' }>,
  module: string,
): string | undefined {
  return name === '*' ? undefined : `${written ?? module}:${name}`;
}

function wildcardOf(test: NodeTest): string {
  return test.kind === 'name' && test.module !== '*' ? `${test.module ?? ''}:` : '';
}

function matches(node: DataNode, test: NodeTest, name: string): boolean {
  if (test.kind === 'type') return test.type === 'node' || (test.type === 'text' && node.isText);
  const qualified = node.definition?.qualified;
  if (qualified === undefined) return false;
  return test.name === '*' ? qualified.startsWith(name) : qualified === name;
}

interface Walk {
  readonly access: NodeAccess;
  readonly visit: (node: DataNode) => void;
}

/** Visits the nodes on each axis, in the order of the axis. YANG data has no attributes and namespace nodes. */
const WALKS: Readonly<Record<Axis, (node: DataNode, walk: Walk) => void>> = {
  self(node, walk) {
    walk.access.budget.spend(1);
    walk.visit(node);
  },
  parent(node, walk) {
    if (node.parent) visitOne(node.parent, walk);
  },
  child(node, walk) {
    for (const child of childrenOf(node, walk.access)) walk.visit(child);
  },
  'descendant-or-self': (node, walk) => {
    walk.visit(node);
    visitDescendants(node, walk);
  },
  descendant: visitDescendants,
  'ancestor-or-self': (node, walk) => {
    walk.visit(node);
    visitAncestors(node, walk);
  },
  ancestor: visitAncestors,
  'following-sibling': (node, walk) => {
    for (const sibling of siblingsOf(node, 'following-sibling', walk.access)) walk.visit(sibling);
  },
  'preceding-sibling': (node, walk) => {
    for (const sibling of siblingsOf(node, 'preceding-sibling', walk.access)) walk.visit(sibling);
  },
  following(node, walk) {
    visitBeside(node, 'following', walk);
  },
  preceding(node, walk) {
    visitBeside(node, 'preceding', walk);
  },
  attribute: () => undefined,
  namespace: () => undefined,
};

function visitOne(node: DataNode, { access, visit }: Walk): void {
  access.budget.spend(1);
  if (access.exists(node)) visit(node);
}

function visitAncestors(node: DataNode, walk: Walk): void {
  for (let at = node.parent; at; at = at.parent) visitOne(at, walk);
}

function visitDescendants(node: DataNode, walk: Walk): void {
  for (const child of childrenOf(node, walk.access)) {
    walk.visit(child);
    visitDescendants(child, walk);
  }
}

/** Returns the children that exist, in document order, and the text of a leaf. */
function childrenOf(node: DataNode, access: NodeAccess): readonly DataNode[] {
  access.budget.spend(1);
  if (node.isLeaf) return node.value === '' ? [] : [node.text];
  const children: DataNode[] = [];
  for (const group of node.groups()) {
    access.budget.spend(group.length);
    for (const child of group) if (access.exists(child)) children.push(child);
  }
  return children;
}

function siblingsOf(
  node: DataNode,
  axis: 'following-sibling' | 'preceding-sibling',
  access: NodeAccess,
): readonly DataNode[] {
  const siblings = node.parent && !node.isText ? childrenOf(node.parent, access) : [];
  return axis === 'following-sibling'
    ? siblings.filter(({ order }) => order > node.order)
    : siblings.filter(({ order }) => order < node.order).reverse();
}

/** Visits the nodes after or before a node, without its ancestors and descendants. */
function visitBeside(node: DataNode, axis: 'following' | 'preceding', walk: Walk): void {
  for (let at = node; at.parent; at = at.parent)
    for (const sibling of siblingsOf(at, `${axis}-sibling`, walk.access)) {
      const nodes: DataNode[] = [sibling];
      visitDescendants(sibling, { ...walk, visit: (found) => nodes.push(found) });
      for (const found of axis === 'following' ? nodes : nodes.reverse()) walk.visit(found);
    }
}

import type { NodeKind } from './node-definition.js';

/** Kinds that never have children. */
const KINDS_WITHOUT_CHILDREN: ReadonlySet<NodeKind> = new Set(['leaf', 'leaf-list', 'anydata', 'anyxml']);

/** Returns true for a kind of nodes that can have children. */
export function mayHaveChildren(kind: NodeKind): boolean {
  return !KINDS_WITHOUT_CHILDREN.has(kind);
}

/** Keywords of the statements that create nodes: each creates the kind with its name. */
export const NODE_STATEMENTS = [
  'container',
  'list',
  'leaf',
  'leaf-list',
  'choice',
  'case',
  'anydata',
  'anyxml',
  'rpc',
  'action',
  'input',
  'output',
  'notification',
] as const satisfies readonly NodeKind[];

const NODE_KINDS: ReadonlyMap<string, NodeKind> = new Map(NODE_STATEMENTS.map((kind) => [kind, kind]));

/** Returns the kind of node that a statement with the keyword creates; undefined for other statements. */
export function kindOf(keyword: string): NodeKind | undefined {
  return NODE_KINDS.get(keyword);
}

import type { YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';

export type NodeKind =
  | 'container'
  | 'list'
  | 'leaf'
  | 'leaf-list'
  | 'choice'
  | 'case'
  | 'anydata'
  | 'anyxml'
  | 'rpc'
  | 'action'
  | 'input'
  | 'output'
  | 'notification'
  | 'structure';

/** A condition on a node: `when` as it is written, and whether the node's parent is what it looks from. */
export interface When {
  readonly statement: Statement;
  /** True for the `when` of a `uses` or `augment` that brought the node. */
  readonly fromParent: boolean;
}

/** One node of the schema tree, after groupings, augments and deviations. */
export interface SchemaNode {
  readonly kind: NodeKind;
  readonly name: string;
  /** The module whose namespace the node lives in. */
  readonly module: YangModule;
  /** Where the node is written. */
  readonly statement: Statement;
  readonly parent: SchemaNode | undefined;
  readonly children: SchemaNode[];
  /** What is said about the node: the statements inside it, after refine and deviation. */
  properties: readonly Statement[];
  /** If-feature statements of the `uses` and `augment` that brought the node. */
  conditions: readonly Statement[];
  whens: readonly When[];
  /** Status that a `uses` or `augment` gives to what it brings. */
  status: Status;
  /** False when a feature that the node needs is off. */
  enabled: boolean;
  /** True for configuration; false for state, and inside operations and notifications. */
  config: boolean;
  /** Leaf and leaf-list only. */
  type?: YangType;
  /** Where each leafref of the node's type leads to; only where there is one. */
  targets?: Map<YangType, SchemaNode>;
}

export type Status = 'current' | 'deprecated' | 'obsolete';

/** From current to the end of life. */
export const STATUSES: readonly Status[] = ['current', 'deprecated', 'obsolete'];

/** What a new node is made of. */
export type NodeStart = Pick<SchemaNode, 'kind' | 'name' | 'module' | 'statement' | 'parent' | 'properties'>;

/** Shared by the many nodes that have none. */
const NONE: readonly never[] = [];

/** Makes a node and hangs it under its parent. */
export function addNode({ kind, name, module, statement, parent, properties }: NodeStart): SchemaNode {
  const node: SchemaNode = {
    kind,
    name,
    module,
    statement,
    parent,
    children: [],
    properties,
    conditions: NONE,
    whens: NONE,
    status: 'current',
    enabled: true,
    config: true,
  };
  parent?.children.push(node);
  return node;
}

/** What is said about a node with the keyword. */
export function propertyOf(node: SchemaNode, keyword: string): Statement | undefined {
  return node.properties.find((property) => property.keyword === keyword);
}

/** The argument of what is said about a node with the keyword. */
export function valueOf(node: SchemaNode, keyword: string): string | undefined {
  return propertyOf(node, keyword)?.argument;
}

/** Everything that is said about a node with the keyword. */
export function propertiesOf(node: SchemaNode, keyword: string): readonly Statement[] {
  return node.properties.filter((property) => property.keyword === keyword);
}

const SCHEMA_ONLY: ReadonlySet<NodeKind> = new Set(['choice', 'case', 'input', 'output']);

/** True for nodes that have no instances of their own. */
export function isSchemaOnly(node: SchemaNode): boolean {
  return SCHEMA_ONLY.has(node.kind);
}

/** True for what begins a document of its own, where `config` means nothing. */
export function isOperation({ kind, parent }: SchemaNode): boolean {
  return (
    kind === 'rpc' ||
    kind === 'action' ||
    kind === 'notification' ||
    (kind === 'structure' && parent !== undefined)
  );
}

/** True below an rpc, an action, a notification or a structure. */
export function isInsideOperation(node: SchemaNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (isOperation(at)) return true;
  return false;
}

/** The nearest node above that has instances; undefined at the top. */
export function dataParent(node: SchemaNode): SchemaNode | undefined {
  let parent = node.parent;
  while (parent && isSchemaOnly(parent)) parent = parent.parent;
  return parent;
}

/** Nodes with instances right below one, choices and cases passed through. */
export function dataChildren(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  if (!nodes.some(isSchemaOnly)) return nodes;
  return nodes.flatMap((node) => (isSchemaOnly(node) ? dataChildren(node.children) : [node]));
}

/** Path of a node as people write it: `/module:a/b`, with a prefix where the module changes. */
export function pathOf(node: SchemaNode): string {
  const { parent } = node;
  // The root stands for the module and is no step.
  if (!parent?.parent) return `/${node.module.name}:${node.name}`;
  return `${pathOf(parent)}/${parent.module === node.module ? '' : `${node.module.name}:`}${node.name}`;
}

/** The statements that make nodes. */
const NODE_KINDS = {
  container: 'container',
  list: 'list',
  leaf: 'leaf',
  'leaf-list': 'leaf-list',
  choice: 'choice',
  case: 'case',
  anydata: 'anydata',
  anyxml: 'anyxml',
  rpc: 'rpc',
  action: 'action',
  input: 'input',
  output: 'output',
  notification: 'notification',
} as const satisfies Partial<Record<string, NodeKind>>;

/** The kind of node that a statement with the keyword makes; undefined when it makes none. */
export function kindOf(keyword: string): NodeKind | undefined {
  return Object.hasOwn(NODE_KINDS, keyword) ? NODE_KINDS[keyword as keyof typeof NODE_KINDS] : undefined;
}

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

/** Condition of a node: the `when` as written, and the node that it is evaluated from. */
export interface When {
  readonly statement: Statement;
  /**
   * True for the `when` of a `uses` or `augment` that added the node, which is evaluated from the node's
   * parent.
   */
  readonly fromParent: boolean;
}

/** Node of the schema tree, after groupings, augments and deviations. */
export interface SchemaNode {
  readonly kind: NodeKind;
  readonly name: string;
  /** Module whose namespace contains the node. */
  readonly module: YangModule;
  /** Statement that defines the node. */
  readonly statement: Statement;
  readonly parent: SchemaNode | undefined;
  readonly children: SchemaNode[];
  /** Properties of the node: the statements inside it, after refine and deviation. */
  properties: readonly Statement[];
  /** If-feature statements of the `uses` and `augment` that added the node. */
  conditions: readonly Statement[];
  whens: readonly When[];
  /** Status that a `uses` or `augment` gives to its nodes. */
  status: Status;
  /** False if a feature that the node needs is disabled. */
  enabled: boolean;
  /** True for configuration; false for state, and inside operations and notifications. */
  config: boolean;
  /** Leaf and leaf-list only. */
  type?: YangType;
  /** Target of each leafref of the node's type; absent if the type contains no leafref. */
  targets?: Map<YangType, SchemaNode>;
}

export type Status = 'current' | 'deprecated' | 'obsolete';

/** Statuses from current to the end of life. */
export const STATUSES: readonly Status[] = ['current', 'deprecated', 'obsolete'];

/** Input of {@link addNode}. */
export type NodeStart = Pick<SchemaNode, 'kind' | 'name' | 'module' | 'statement' | 'parent' | 'properties'>;

/** Shared by the many nodes with an empty list. */
const NONE: readonly never[] = [];

/** Creates a node and adds it to its parent. */
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

/** Returns the property of a node with the keyword. */
export function propertyOf(node: SchemaNode, keyword: string): Statement | undefined {
  return node.properties.find((property) => property.keyword === keyword);
}

/** Returns the argument of the property of a node with the keyword. */
export function valueOf(node: SchemaNode, keyword: string): string | undefined {
  return propertyOf(node, keyword)?.argument;
}

/** Returns all properties of a node with the keyword. */
export function propertiesOf(node: SchemaNode, keyword: string): readonly Statement[] {
  return node.properties.filter((property) => property.keyword === keyword);
}

const SCHEMA_ONLY: ReadonlySet<NodeKind> = new Set(['choice', 'case', 'input', 'output']);

/** Returns true for nodes without instances. */
export function isSchemaOnly(node: SchemaNode): boolean {
  return SCHEMA_ONLY.has(node.kind);
}

/** Returns true for a node that begins a separate document, where `config` has no meaning. */
export function isOperation({ kind, parent }: SchemaNode): boolean {
  return (
    kind === 'rpc' ||
    kind === 'action' ||
    kind === 'notification' ||
    (kind === 'structure' && parent !== undefined)
  );
}

/** Returns true for a node below an rpc, an action, a notification or a structure. */
export function isInsideOperation(node: SchemaNode): boolean {
  for (let at = node.parent; at; at = at.parent) if (isOperation(at)) return true;
  return false;
}

/** Returns the nearest node above that has instances; undefined at the top. */
export function dataParent(node: SchemaNode): SchemaNode | undefined {
  let parent = node.parent;
  while (parent && isSchemaOnly(parent)) parent = parent.parent;
  return parent;
}

/** Returns the nearest nodes with instances. Choices and cases are replaced by their children. */
export function dataChildren(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  if (!nodes.some(isSchemaOnly)) return nodes;
  return nodes.flatMap((node) => (isSchemaOnly(node) ? dataChildren(node.children) : [node]));
}

/** Statements that create nodes. */
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

/** Returns the kind of node that a statement with the keyword creates; undefined for other statements. */
export function kindOf(keyword: string): NodeKind | undefined {
  return Object.hasOwn(NODE_KINDS, keyword) ? NODE_KINDS[keyword as keyof typeof NODE_KINDS] : undefined;
}

/** Kinds of nodes that state explicitly whether they are mandatory. */
const OUTSPOKEN = new Set(['leaf', 'choice', 'anydata', 'anyxml']);

/**
 * Returns true if the node's parent needs an instance of it (RFC 7950 section 3, "mandatory node"),
 * considering only included nodes. A node under a `when` is never needed, because the condition is not
 * evaluated here.
 */
export function isNeeded(node: SchemaNode, included: (node: SchemaNode) => boolean): boolean {
  if (!included(node) || node.whens.length > 0 || propertyOf(node, 'when')) return false;
  if (OUTSPOKEN.has(node.kind)) return valueOf(node, 'mandatory') === 'true';
  if (node.kind === 'list' || node.kind === 'leaf-list') return minimumOf(node) > 0;
  return isHollow(node) && node.children.some((child) => isNeeded(child, included));
}

/** Returns true if a node is needed among all nodes that features enable. See {@link isNeeded}. */
export function isMandatory(node: SchemaNode): boolean {
  return isNeeded(node, ({ enabled }) => enabled);
}

/**
 * Returns true for a container without presence. An empty one is equivalent to an absent one (RFC 7950
 * 7.5.1).
 */
export function isHollow(node: SchemaNode): boolean {
  return node.kind === 'container' && propertyOf(node, 'presence') === undefined;
}

/** Returns the minimum number of entries of a list or leaf-list. */
export function minimumOf(node: SchemaNode): number {
  return Number(valueOf(node, 'min-elements') ?? 0);
}

/** Returns the names of a list's keys, in order. */
export function keysOf(node: SchemaNode): readonly string[] {
  return splitWords(valueOf(node, 'key') ?? '').map((name) => name.replace(/^.*:/, ''));
}

/** Returns the paths that each `unique` of a list names. */
export function uniquesOf(node: SchemaNode): readonly (readonly string[])[] {
  return propertiesOf(node, 'unique').map(({ argument }) => splitWords(argument));
}

/** Splits an argument at white space. */
export function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

import type { YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';
import { hasExtension, mayHave } from './keyword-bits.js';
import type { NodeDefinition, NodeKind, When } from './node-definition.js';
import { mayHaveChildren } from './node-kinds.js';

export type Status = 'current' | 'deprecated' | 'obsolete';

/** Statuses in order of the life cycle. */
export const STATUSES: readonly Status[] = ['current', 'deprecated', 'obsolete'];

// Bits of the state of a node.
const STATUS = 3;
const ENABLED = 4;
const CONFIG = 8;
const SUBTREE_SHIFT = 4;
const OWN_BITS = 15;

/** Children of every node that never has children. Frozen, so that none is added by mistake. */
const NO_CHILDREN = Object.freeze<SchemaNode[]>([]) as SchemaNode[];

/**
 * Node of a schema tree, in which groupings are expanded and augments and deviations are applied. It has few fields of its
 * own, because a device model has hundreds of thousands of nodes.
 */
export class SchemaNode {
  definition: NodeDefinition;
  readonly parent: SchemaNode | undefined;
  /** The children, or the node from which {@link children} copies them. */
  #children: SchemaNode[] | SchemaNode;
  /** Target of each leafref of the node's type; undefined if the type contains no leafref. */
  targets: Map<YangType, SchemaNode> | undefined = undefined;
  /** The status, whether the node is enabled and configuration, and the number of the subtree, in one number. */
  #state = ENABLED | CONFIG;

  constructor(
    definition: NodeDefinition,
    parent: SchemaNode | undefined,
    children: SchemaNode[] | SchemaNode = mayHaveChildren(definition.kind) ? [] : NO_CHILDREN,
  ) {
    this.definition = definition;
    this.parent = parent;
    this.#children = children;
  }

  get children(): SchemaNode[] {
    if (!Array.isArray(this.#children))
      this.#children = this.#children.children.map((child) => child.copyTo(this));
    return this.#children;
  }

  set children(children: SchemaNode[]) {
    this.#children = children;
  }

  /**
   * Node whose children the children of this node are alike, all through the tree; undefined once this node has children of its own,
   * which are copied when they are first read. The parent of such a child is another node.
   */
  get origin(): SchemaNode | undefined {
    return Array.isArray(this.#children) ? undefined : this.#children;
  }

  /** Replaces the children by those of a node, which does not change any more. */
  shareChildren(node: SchemaNode): void {
    this.#children = node.origin ?? node;
  }

  /** Returns a copy of the node without the targets of leafrefs, whose children are those of this node. */
  copyTo(parent: SchemaNode): SchemaNode {
    const own = Array.isArray(this.#children) && this.#children.length > 0 ? this : undefined;
    const copy = new SchemaNode(this.definition, parent, this.origin ?? own);
    copy.#state = this.#state;
    return copy;
  }

  get kind(): NodeKind {
    return this.definition.kind;
  }

  get name(): string {
    return this.definition.name;
  }

  /** Module whose namespace contains the node. */
  get module(): YangModule {
    return this.definition.module;
  }

  /** Statement that defines the node. */
  get statement(): Statement {
    return this.definition.statement;
  }

  /** Substatements of the node, after refine and deviation statements are applied. */
  get properties(): readonly Statement[] {
    return this.definition.properties;
  }

  get conditions(): readonly Statement[] {
    return this.definition.conditions;
  }

  get whens(): readonly When[] {
    return this.definition.whens;
  }

  /** Status of the node. Until the tree is finished, the status of the `uses` or `augment` that added it. */
  get status(): Status {
    return STATUSES[this.#state & STATUS] ?? 'current';
  }

  set status(status: Status) {
    this.#state = (this.#state & ~STATUS) | STATUSES.indexOf(status);
  }

  /** False if a disabled feature removes the node. */
  get enabled(): boolean {
    return (this.#state & ENABLED) !== 0;
  }

  set enabled(enabled: boolean) {
    this.#state = enabled ? this.#state | ENABLED : this.#state & ~ENABLED;
  }

  /** True for configuration; false for state, and inside operations and notifications. */
  get config(): boolean {
    return (this.#state & CONFIG) !== 0;
  }

  set config(config: boolean) {
    this.#state = config ? this.#state | CONFIG : this.#state & ~CONFIG;
  }

  /** Number of the subtree below the node (up to 2^27), which subtrees with the same schema share; undefined without one. */
  get subtree(): number | undefined {
    const shifted = this.#state >> SUBTREE_SHIFT;
    return shifted === 0 ? undefined : shifted - 1;
  }

  set subtree(subtree: number | undefined) {
    this.#state = (this.#state & OWN_BITS) | (subtree === undefined ? 0 : (subtree + 1) << SUBTREE_SHIFT);
  }

  /** Type of a leaf or leaf-list. */
  get type(): YangType | undefined {
    return this.definition.type;
  }
}

/** Creates a node and adds it to its parent. */
export function addNode(definition: NodeDefinition, parent: SchemaNode | undefined): SchemaNode {
  const node = new SchemaNode(definition, parent);
  parent?.children.push(node);
  return node;
}

/** Returns the children of a node, or those of a node that is alike: what depends on their parents may differ. */
export function childrenLikeThoseOf(node: SchemaNode): readonly SchemaNode[] {
  return (node.origin ?? node).children;
}

/** Shared by all nodes without a property, to save memory. */
const EMPTY_LIST: readonly never[] = [];

/** Returns the first property of a node with the keyword. */
export function propertyOf({ definition }: SchemaNode, keyword: string): Statement | undefined {
  if (!mayHave(definition.keywords, keyword)) return undefined;
  for (const property of definition.properties) if (property.keyword === keyword) return property;
  return undefined;
}

/** Returns the argument of the first property of a node with the keyword. */
export function valueOf(node: SchemaNode, keyword: string): string | undefined {
  return propertyOf(node, keyword)?.argument;
}

/** Returns true for a list or leaf-list whose entries keep the order that a client gives them. */
export function isOrderedByUser(node: SchemaNode): boolean {
  return valueOf(node, 'ordered-by') === 'user';
}

/** Returns all properties of a node with the keyword. */
export function propertiesOf({ definition }: SchemaNode, keyword: string): readonly Statement[] {
  // Most nodes have none, and need no array.
  if (!mayHave(definition.keywords, keyword)) return EMPTY_LIST;
  return definition.properties.filter((property) => property.keyword === keyword);
}

/** Returns the statements of extensions among the properties of a node. */
export function extensionsOf({ definition }: SchemaNode): readonly Statement[] {
  if (!hasExtension(definition.keywords)) return EMPTY_LIST;
  return definition.properties.filter((property) => property.keyword.includes(':'));
}

const SCHEMA_ONLY: ReadonlySet<NodeKind> = new Set(['choice', 'case', 'input', 'output']);

/** Returns true for a node that has no instances in data, for example a choice. */
export function isSchemaOnly(node: SchemaNode): boolean {
  return SCHEMA_ONLY.has(node.kind);
}

/**
 * Returns true for a node whose content is a document outside the data tree, in which `config` is ignored.
 */
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

/** Returns the nearest ancestor that has instances; undefined at the top level. */
export function dataParent(node: SchemaNode): SchemaNode | undefined {
  let parent = node.parent;
  while (parent && isSchemaOnly(parent)) parent = parent.parent;
  return parent;
}

/** Returns the nodes that have instances. Each other node is replaced by its children. */
export function dataChildren(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  if (!nodes.some(isSchemaOnly)) return nodes;
  return nodes.flatMap((node) => (isSchemaOnly(node) ? dataChildren(node.children) : [node]));
}

/** Kinds of nodes that can have a `mandatory` statement. */
const KINDS_WITH_MANDATORY = new Set(['leaf', 'choice', 'anydata', 'anyxml']);

/**
 * Returns true for a mandatory node (RFC 7950 section 3), considering only included nodes. A node with a
 * `when` is never needed, because the condition is not evaluated here. `isChildNeeded` decides for the children of a
 * non-presence container, and may remember its decisions.
 */
export function isNeeded(
  node: SchemaNode,
  isIncluded: (node: SchemaNode) => boolean,
  isChildNeeded?: (child: SchemaNode) => boolean,
): boolean {
  if (!isIncluded(node) || node.whens.length > 0 || propertyOf(node, 'when')) return false;
  if (KINDS_WITH_MANDATORY.has(node.kind)) return valueOf(node, 'mandatory') === 'true';
  if (node.kind === 'list' || node.kind === 'leaf-list') return minimumOf(node) > 0;
  return (
    isNonPresenceContainer(node) &&
    childrenLikeThoseOf(node).some(isChildNeeded ?? ((child) => isNeeded(child, isIncluded)))
  );
}

/** Returns true for a mandatory node, considering all nodes that features enable. See {@link isNeeded}. */
export function isMandatory(node: SchemaNode): boolean {
  return isNeeded(node, ({ enabled }) => enabled);
}

/**
 * Returns true for a non-presence container. If it is empty, it is equivalent to an absent one (RFC 7950
 * 7.5.1).
 */
export function isNonPresenceContainer(node: SchemaNode): boolean {
  return node.kind === 'container' && propertyOf(node, 'presence') === undefined;
}

/** Returns the minimum number of entries of a list or leaf-list. */
export function minimumOf(node: SchemaNode): number {
  const written = valueOf(node, 'min-elements');
  return written === undefined ? 0 : Number(written);
}

/**
 * Returns true for a leaf-list whose values differ: in configuration, and in a module of YANG 1.0 also in state data (RFC 6020
 * section 7.7, RFC 7950 section 1.1).
 */
export function hasDistinctValues({ config, module }: SchemaNode): boolean {
  return config || module.units[0]?.version === '1';
}

/** Returns the names of a list's keys, in order. */
export function keysOf(node: SchemaNode): readonly string[] {
  const key = valueOf(node, 'key');
  return key === undefined ? EMPTY_LIST : splitWords(key).map((name) => name.replace(/^.*:/, ''));
}

/** Returns the paths of the leaves in each `unique` statement of a list. */
export function uniquesOf(node: SchemaNode): readonly (readonly string[])[] {
  const uniques = propertiesOf(node, 'unique');
  return uniques.length === 0 ? EMPTY_LIST : uniques.map(({ argument }) => splitWords(argument));
}

/** Splits an argument at white space. */
export function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

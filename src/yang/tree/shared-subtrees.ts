import type { Types } from '../types/resolve-type.js';
import { refersToLeaf } from '../types/yang-type.js';
import type { NodeDefinition } from './node-definition.js';
import { isInsideOperation, isOperation, propertyOf, type SchemaNode, type Status } from './schema-node.js';

/** Finished node, and what the nodes below depend on besides their origin. */
interface Finished {
  readonly node: SchemaNode;
  readonly definition: NodeDefinition;
  readonly status: Status;
  readonly config: boolean;
  readonly enabled: boolean;
  readonly isInside: boolean;
}

/**
 * Finds nodes whose subtrees are alike once the trees are finished, so that one of them is finished for all. They are copies of the nodes
 * of one grouping, and inherit the same.
 */
export class SharedSubtrees {
  readonly #types: Types;
  /** Finished nodes by their origin. */
  readonly #finished = new Map<SchemaNode, Finished[]>();
  readonly #independent = new Map<SchemaNode, boolean>();

  constructor(types: Types) {
    this.#types = types;
  }

  /**
   * Gives a node, which has inherited its properties, the children of a node that is alike. Returns false if the node and its subtree must
   * be finished themselves.
   */
  share(node: SchemaNode): boolean {
    const { origin, definition, status, config, enabled } = node;
    // Where an operation may be depends on the nodes around it.
    if (!origin || isOperation(node)) return false;
    const isInside = isInsideOperation(node);
    let known = this.#finished.get(origin);
    if (!known) this.#finished.set(origin, (known = []));
    const alike = known.find(
      (one) =>
        one.definition === definition &&
        one.status === status &&
        one.config === config &&
        one.enabled === enabled &&
        one.isInside === isInside,
    );
    if (!alike) {
      known.push({ node, definition, status, config, enabled, isInside });
      return false;
    }
    if (!this.#isIndependent(origin)) return false;
    node.shareChildren(alike.node);
    return true;
  }

  /** Returns true if nothing below a node depends on the place of the node, as the targets of leafrefs and the place of an action do. */
  #isIndependent(origin: SchemaNode): boolean {
    let isIndependent = this.#independent.get(origin);
    if (isIndependent === undefined) {
      isIndependent = origin.children.every(
        (child) => this.#hasNoReference(child) && this.#isIndependent(child.origin ?? child),
      );
      this.#independent.set(origin, isIndependent);
    }
    return isIndependent;
  }

  #hasNoReference(node: SchemaNode): boolean {
    if (isOperation(node)) return false;
    const type = propertyOf(node, 'type');
    if (!type) return true;
    try {
      return !refersToLeaf(node.type ?? this.#types.resolve(type));
    } catch {
      // The fault is added when the node is finished.
      return false;
    }
  }
}

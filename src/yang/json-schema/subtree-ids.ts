import { combine } from './hash.js';
import { isInsideOperation, isOperation, type SchemaNode } from '../tree/schema-node.js';

/** Subtrees with the same schema, with one of them. */
interface Subtree {
  readonly id: number;
  readonly node: SchemaNode;
  readonly place: Place;
  readonly childIds: readonly number[];
  /** Next subtree with the same hash. */
  readonly next: Subtree | undefined;
}

/**
 * What the schema of a node depends on besides the node: 1 is added inside an operation, where state is not read-only, and
 * 2 in a case, where an empty container has separate rules.
 */
type Place = 0 | 1 | 2 | 3;

const NO_IDS: readonly number[] = [];

/**
 * Numbers the subtrees of schema trees. Subtrees with the same number have the same schema, so that it is written once
 * for all uses of a grouping. A device model has up to eight times as many nodes as different subtrees. The trees must be
 * complete.
 */
export class SubtreeIds {
  readonly #byHash = new Map<number, Subtree>();
  #count = 0;

  /** Returns the number of the subtree below a node. */
  idOf(node: SchemaNode): number {
    return node.subtree ?? this.#number(node, isInsideOperation(node));
  }

  #number(node: SchemaNode, inOperation: boolean): number {
    const isInside = inOperation || isOperation(node);
    const { children } = node;
    const childIds =
      children.length === 0 ? NO_IDS : children.map((child) => child.subtree ?? this.#number(child, isInside));
    const id = this.#find(node, isInside, childIds);
    node.subtree = id;
    return id;
  }

  #find(node: SchemaNode, isInside: boolean, childIds: readonly number[]): number {
    const place = ((isInside && !node.config ? 1 : 0) + (node.parent?.kind === 'case' ? 2 : 0)) as Place;
    const hash = this.#hashOf(node, childIds);
    const first = this.#byHash.get(hash);
    for (let known = first; known; known = known.next)
      if (known.place === place && haveSameItems(known.childIds, childIds) && isAlike(known.node, node))
        return known.id;
    const id = this.#count;
    this.#count += 1;
    this.#byHash.set(hash, { id, node, place, childIds, next: first });
    return id;
  }

  #hashOf({ definition, targets }: SchemaNode, childIds: readonly number[]): number {
    let hash = definition.number;
    for (const id of childIds) hash = combine(hash, id);
    if (targets) for (const target of targets.values()) hash = combine(hash, target.definition.number);
    return hash;
  }
}

/**
 * Returns true if nodes agree in everything but the children that their schemas depend on. The paths in a schema lead to
 * nodes below, or to the targets of leafrefs.
 */
function isAlike(one: SchemaNode, other: SchemaNode): boolean {
  return (
    one.definition === other.definition &&
    one.status === other.status &&
    one.config === other.config &&
    haveSameTargets(one, other)
  );
}

function haveSameTargets({ targets: ones }: SchemaNode, { targets: others }: SchemaNode): boolean {
  if (ones === undefined || others === undefined) return ones === others;
  return haveSameItems([...ones.values()], [...others.values()]);
}

function haveSameItems(ones: readonly unknown[], others: readonly unknown[]): boolean {
  return ones.length === others.length && ones.every((item, at) => item === others[at]);
}

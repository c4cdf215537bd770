import { childrenLikeThoseOf, isInsideOperation, isOperation, type SchemaNode } from '../tree/schema-node.js';
import { combine } from './hash.js';

/** One of the subtrees with the same schema. */
interface Subtree {
  readonly node: SchemaNode;
  readonly place: Place;
  /** Next subtree with the same hash. */
  readonly next: Subtree | undefined;
}

/**
 * What the schema of a node depends on besides the node: 1 is added inside an operation, where state is not read-only, and
 * 2 in a case, where an empty container has separate rules.
 */
type Place = 0 | 1 | 2 | 3;

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
    let hash = node.definition.number;
    for (const child of childrenLikeThoseOf(node))
      hash = combine(hash, child.subtree ?? this.#number(child, isInside));
    if (node.targets)
      for (const target of node.targets.values()) hash = combine(hash, target.definition.number);
    const id = this.#find(node, isInside, hash);
    node.subtree = id;
    return id;
  }

  /** Returns the number of the subtree with this hash that is like the one of the node, or a new number. */
  #find(node: SchemaNode, isInside: boolean, hash: number): number {
    const place = ((isInside && !node.config ? 1 : 0) + (node.parent?.kind === 'case' ? 2 : 0)) as Place;
    const first = this.#byHash.get(hash);
    for (let known = first; known; known = known.next)
      if (known.place === place && isAlike(known.node, node)) return known.node.subtree ?? 0;
    const id = this.#count;
    this.#count += 1;
    this.#byHash.set(hash, { node, place, next: first });
    return id;
  }
}

/**
 * Returns true if nodes agree in everything that their schemas depend on besides their place. The paths in a schema lead to
 * nodes below, or to the targets of leafrefs.
 */
function isAlike(one: SchemaNode, other: SchemaNode): boolean {
  return (
    one.definition === other.definition &&
    one.status === other.status &&
    one.config === other.config &&
    haveSameChildren(one, other) &&
    haveSameTargets(one, other)
  );
}

function haveSameChildren(one: SchemaNode, other: SchemaNode): boolean {
  const [ones, others] = [childrenLikeThoseOf(one), childrenLikeThoseOf(other)];
  if (ones.length !== others.length) return false;
  for (let at = 0; at < ones.length; at += 1) if (ones[at]?.subtree !== others[at]?.subtree) return false;
  return true;
}

function haveSameTargets({ targets: ones }: SchemaNode, { targets: others }: SchemaNode): boolean {
  if (ones === undefined || others === undefined) return ones === others;
  return haveSameItems([...ones.values()], [...others.values()]);
}

function haveSameItems(ones: readonly unknown[], others: readonly unknown[]): boolean {
  return ones.length === others.length && ones.every((item, at) => item === others[at]);
}

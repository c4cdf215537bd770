import { pointerTo } from '../../json/pointer.js';
import type { YangType } from '../types/yang-type.js';
import type { DataDefinition } from './data-definition.js';
import type { Candidate, Reference } from './value-reader.js';

/**
 * Whether a node exists, as far as its conditions are evaluated. A node of the document stays `present` if a condition
 * is false, because the violation is reported; a default becomes `absent`.
 */
type Presence = 'present' | 'pending' | 'evaluating' | 'absent';

/** Input of {@link DataNode}. */
interface DataNodeStart {
  /** Absent for the root of a document and for text. */
  readonly definition: DataDefinition | undefined;
  readonly parent: DataNode | undefined;
  /** Index in the array of the document; absent outside of an array. */
  readonly index?: number;
  readonly isDefault?: boolean;
}

/** Node of the accessible tree of XPath (RFC 7950 6.4.1). */
export class DataNode {
  readonly definition: DataDefinition | undefined;
  readonly parent: DataNode | undefined;
  readonly index: number | undefined;
  readonly depth: number;
  /** True for a node that the document does not contain: a default, or a container without presence. */
  readonly isDefault: boolean;
  /** Canonical form of a leaf. */
  value = '';
  /** Type of the value: the member of a union, the type of the target of a leafref. */
  type: YangType | undefined;
  /** Leafref or instance-identifier that the value is read by. */
  reference: Reference | undefined;
  /** Readings of the value by type, if the first requires an instance. */
  candidates: readonly Candidate[] | undefined;
  presence: Presence;
  /** Position in document order. */
  order = 0;
  /** True for a node outside the document, about which nothing is known. */
  isOutside = false;
  #groups: Map<string, DataNode[]> | undefined;
  #text: DataNode | undefined;

  constructor({ definition, parent, index, isDefault = false }: DataNodeStart) {
    this.definition = definition;
    this.parent = parent;
    this.index = index;
    this.depth = parent ? parent.depth + 1 : 0;
    this.isDefault = isDefault;
    this.presence = definition && definition.conditions.length > 0 ? 'pending' : 'present';
  }

  get isLeaf(): boolean {
    const kind = this.definition?.node.kind;
    return kind === 'leaf' || kind === 'leaf-list';
  }

  /** True for the text inside a leaf. */
  get isText(): boolean {
    return this.definition === undefined && this.parent !== undefined;
  }

  /** The text inside a leaf, as a node. */
  get text(): DataNode {
    if (!this.#text) {
      this.#text = new DataNode({ definition: undefined, parent: this });
      this.#text.value = this.value;
      this.#text.order = this.order + 0.5;
    }
    return this.#text;
  }

  /** Adds a child. Children with the same name stay in order. */
  add(child: DataNode): void {
    const name = child.definition?.qualified ?? '';
    this.#groups ??= new Map();
    const group = this.#groups.get(name);
    if (group) group.push(child);
    else this.#groups.set(name, [child]);
  }

  /** Returns the children with a qualified name, including those that are not present. */
  named(qualified: string): readonly DataNode[] {
    return this.#groups?.get(qualified) ?? NO_NODES;
  }

  /** Returns the children, grouped by name in the order of the schema once {@link sort} was called. */
  groups(): Iterable<readonly DataNode[]> {
    return this.#groups?.values() ?? [];
  }

  /** Sorts the groups of children into the order of the schema. */
  sort(order: readonly DataDefinition[]): void {
    const groups = this.#groups;
    if (!groups || groups.size < 2) return;
    const sorted = new Map<string, DataNode[]>();
    for (const { qualified } of order) {
      const group = groups.get(qualified);
      if (group) sorted.set(qualified, group);
    }
    this.#groups = sorted;
  }

  /** RFC 6901 pointer to the node in the document. */
  get pointer(): string {
    if (!this.parent) return '';
    if (!this.definition || this.isOutside) return this.parent.pointer;
    const member = pointerTo(this.parent.pointer, this.definition.member);
    return this.index === undefined ? member : pointerTo(member, this.index);
  }
}

const NO_NODES: readonly DataNode[] = [];

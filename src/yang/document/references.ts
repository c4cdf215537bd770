import type { Names } from '../modules/yang-module.js';
import { dataParent, type SchemaNode } from '../tree/schema-node.js';
import type { Evaluator } from '../xpath/evaluate.js';
import { parseXPath } from '../xpath/parse-xpath.js';
import { type Conditions, UncheckableRule } from './conditions.js';
import type { DataNode } from './data-node.js';
import type { InstanceFinder } from './instance-identifier.js';
import type { Candidate, Reference } from './value-reader.js';
import type { ViolationList } from './violations.js';

/** Dependencies of {@link References}. */
interface ReferencesOptions {
  readonly names: Names;
  readonly conditions: Conditions;
  readonly evaluator: () => Evaluator;
  readonly instances: InstanceFinder;
  /** Root of the document, at which absolute paths begin. */
  readonly root: DataNode;
  readonly violations: ViolationList;
}

/** Leaves by value. */
type LeafIndex = ReadonlyMap<string, readonly DataNode[]>;

/** Finds the instances that leafrefs and instance-identifiers refer to (RFC 7950 9.9 and 9.13). */
export class References {
  readonly #options: ReferencesOptions;
  /** Leaves by value, for each node at which a path without predicates begins. */
  readonly #indexes = new Map<DataNode, Map<SchemaNode, LeafIndex>>();

  constructor(options: ReferencesOptions) {
    this.#options = options;
  }

  /** Checks that a required instance exists. Decides for a union which of its members reads the value (9.12). */
  check(node: DataNode): void {
    const { candidates } = node;
    if (!candidates) return;
    node.candidates = undefined;
    let fault: string | undefined;
    for (const candidate of candidates) {
      const found = this.#faultOf(node, candidate);
      if (found === undefined) {
        node.value = candidate.text;
        node.type = candidate.type;
        node.reference = candidate.reference;
        return;
      }
      fault ??= found;
    }
    this.#options.violations.add({
      pointer: node.pointer,
      rule: 'require-instance',
      message: fault ?? 'refers to no instance',
      appTag: 'instance-required',
    });
  }

  /** Returns the nodes that the value of a leaf refers to. */
  find(node: DataNode): readonly DataNode[] {
    const { reference } = node;
    if (!reference) return [];
    if (reference.type.base === 'leafref') return this.#findLeaves(node, reference, node.value);
    const found = this.#options.instances.find(node.value);
    return 'node' in found && found.node ? [found.node] : [];
  }

  #faultOf(node: DataNode, { text, reference }: Candidate): string | undefined {
    if (!reference) return undefined;
    try {
      if (reference.type.base !== 'leafref') return this.#instanceFault(text, reference);
      if (!reference.isRequired || this.#findLeaves(node, reference, text).length > 0) return undefined;
      return `refers to "${text}", which is not in the document: path "${reference.type.path?.argument ?? ''}"`;
    } catch (error) {
      if (error instanceof UncheckableRule) return undefined;
      throw error;
    }
  }

  #instanceFault(text: string, { isRequired }: Reference): string | undefined {
    const { instances } = this.#options;
    if (!isRequired) return instances.formFault(text);
    const found = instances.find(text);
    if ('fault' in found) return found.fault;
    return found.node ? undefined : 'refers to an instance that is not in the document';
  }

  #findLeaves(node: DataNode, reference: Reference, text: string): readonly DataNode[] {
    const path = reference.type.path?.argument ?? '';
    const target = reference.node.targets?.get(reference.type);
    const isPlain = !path.includes('[') && !path.includes('(') && target !== undefined;
    return isPlain
      ? (this.#indexOf(this.#startOf(node, path), target).get(text) ?? [])
      : this.#evaluatePath(node, reference, text);
  }

  #startOf(node: DataNode, path: string): DataNode {
    const [ups = ''] = /^(?:\s*\.\.\s*\/?)+/.exec(path) ?? [];
    if (ups === '') return this.#options.root;
    let start = node;
    for (let count = ups.split('..').length - 1; count > 0; count -= 1) start = start.parent ?? start;
    return start;
  }

  #indexOf(start: DataNode, target: SchemaNode): LeafIndex {
    const indexes = this.#indexes.get(start) ?? new Map<SchemaNode, LeafIndex>();
    this.#indexes.set(start, indexes);
    const known = indexes.get(target);
    if (known) return known;
    const index = new Map<string, DataNode[]>();
    for (const leaf of this.#leavesBelow(start, target)) {
      const leaves = index.get(leaf.value);
      if (leaves) leaves.push(leaf);
      else index.set(leaf.value, [leaf]);
    }
    indexes.set(target, index);
    return index;
  }

  #leavesBelow(start: DataNode, target: SchemaNode): readonly DataNode[] {
    const { data } = this.#options.evaluator();
    let nodes: readonly DataNode[] = [start];
    for (const qualified of namesBelow(start, target))
      nodes = nodes.flatMap((node) => {
        data.enter(node, qualified);
        const named = node.named(qualified);
        data.budget.spend(1 + named.length);
        return named.filter((found) => data.exists(found));
      });
    return nodes;
  }

  #evaluatePath(node: DataNode, { type, node: schema }: Reference, text: string): readonly DataNode[] {
    const { path } = type;
    if (!path) return [];
    const { names, conditions, evaluator } = this.#options;
    const { data } = evaluator();
    data.budget.rule = `path "${path.argument.slice(0, 200)}"`;
    const scope = conditions.scopeOf(path, node, schema.module.name);
    const context = { scope, node, position: 1, size: 1 };
    return evaluator()
      .nodes(parseXPath(path, names), context)
      .filter((leaf) => {
        data.budget.spend(1);
        return leaf.value === text;
      });
  }
}

/** Returns the qualified names of the data nodes on the way from a node to a schema node below it. */
function namesBelow(start: DataNode, target: SchemaNode): readonly string[] {
  const names: string[] = [];
  const end = start.definition?.node;
  for (let at: SchemaNode | undefined = target; at?.parent && at !== end; at = dataParent(at))
    names.unshift(`${at.module.name}:${at.name}`);
  return names;
}

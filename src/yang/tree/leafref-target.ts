import { InvalidYang } from '../diagnostic.js';
import { type LeafrefPath, type PathPredicate, readLeafrefPath } from '../grammar/leafref-path.js';
import type { Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';
import type { SchemaTrees } from './build-tree.js';
import type { Linker } from './linker.js';
import { dataChildren, dataParent, keysOf, type SchemaNode } from './schema-node.js';
import { type Step, stepFrom, stepsInData } from './schema-path.js';

/** Finds the targets of leafrefs in the expanded schema trees. */
export class Leafrefs {
  readonly #linker: Linker;
  readonly #trees: SchemaTrees;
  readonly #childIndexes = new Map<SchemaNode, ReadonlyMap<string, readonly SchemaNode[]>>();

  constructor(linker: Linker, trees: SchemaTrees) {
    this.#linker = linker;
    this.#trees = trees;
  }

  /** Returns the target of a leafref. Throws InvalidYang if the path does not lead to a leaf. */
  targetOf(node: SchemaNode, type: YangType): SchemaNode {
    const statement = type.path;
    if (!statement) throw new InvalidYang(type.statement, 'RFC 7950 9.9.2', 'the leafref has no path');
    const known = node.targets?.get(type);
    if (known) return known;
    const target = this.#follow(readLeafrefPath(statement), node, statement);
    if (!target) throw invalidPath(statement, 'there is no such node');
    if (!isLeaf(target)) throw invalidPath(statement, `it leads to a ${target.kind}, not to a leaf`);
    (node.targets ??= new Map()).set(type, target);
    return target;
  }

  /**
   * Returns the child data nodes of a node with a name. Uses an index of the children, because a container
   * may have thousands of them.
   */
  #childrenNamed(node: SchemaNode, name: string): readonly SchemaNode[] {
    const known = this.#childIndexes.get(node);
    if (known) return known.get(name) ?? [];
    const names = new Map<string, SchemaNode[]>();
    this.#childIndexes.set(node, names);
    for (const child of dataChildren(node.children)) {
      const siblings = names.get(child.name);
      if (siblings) siblings.push(child);
      else names.set(child.name, [child]);
    }
    return names.get(name) ?? [];
  }

  #follow(path: LeafrefPath, from: SchemaNode, at: Statement): SchemaNode | undefined {
    let node: SchemaNode | undefined = from;
    for (let level = 0; level < path.ups; level += 1) {
      if (!node) return undefined;
      node = dataParent(node);
    }
    const names = path.steps.map(({ name }) => name);
    const steps = stepsInData(names, { at, names: this.#linker.names, defaultModule: from.module });
    if (steps[0]) node = this.#rootOf(path, from, steps[0]) ?? this.#rootBeside(node, steps[0]);
    for (const [index, step] of steps.entries()) {
      node = node && stepFrom(this.#childrenNamed(node, step.name), step);
      for (const predicate of path.steps[index]?.predicates ?? [])
        if (node) this.#checkPredicate(predicate, node, { from, at });
    }
    return node;
  }

  /** Returns the node at which an absolute path begins; undefined for a relative path. */
  #rootOf({ absolute }: LeafrefPath, from: SchemaNode, first: Step): SchemaNode | undefined {
    return absolute ? (structureAround(from) ?? this.#trees.rootOf(first.module)) : undefined;
  }

  /** Returns the root of another module for the root of a module: it is that of all modules (RFC 7950 6.4.1). */
  #rootBeside(node: SchemaNode | undefined, first: Step): SchemaNode | undefined {
    if (!node || node.parent || first.module === node.module) return node;
    const root = this.#trees.rootOf(first.module);
    return stepFrom(this.#childrenNamed(root, first.name), first) ? root : node;
  }

  /** Throws InvalidYang unless a predicate compares a key of a list with a leaf (RFC 7950 9.9.2). */
  #checkPredicate(
    { key, value }: PathPredicate,
    list: SchemaNode,
    { from, at }: { readonly from: SchemaNode; readonly at: Statement },
  ): void {
    const name = key.replace(/^.*:/, '');
    if (list.kind !== 'list' || !keysOf(list).includes(name))
      throw invalidPath(
        at,
        `"${key}" is not a key of ${list.kind === 'list' ? 'the list ' : ''}"${list.name}"`,
      );
    const target = this.#follow(value, from, at);
    if (!target || !isLeaf(target)) throw invalidPath(at, `the value of the key "${key}" is not a leaf`);
  }
}

function isLeaf({ kind }: SchemaNode): boolean {
  return kind === 'leaf' || kind === 'leaf-list';
}

function invalidPath(statement: Statement, message: string): InvalidYang {
  return new InvalidYang(statement, 'RFC 7950 9.9.2', `path "${statement.argument}": ${message}`);
}

/** Returns the structure that contains a node, the root of its absolute paths (RFC 8791 section 2). */
function structureAround(node: SchemaNode): SchemaNode | undefined {
  let at = node.parent;
  while (at && (at.kind !== 'structure' || !at.parent)) at = at.parent;
  return at;
}

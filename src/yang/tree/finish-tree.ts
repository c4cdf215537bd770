import { InvalidYang } from '../diagnostic.js';
import type { Statement } from '../syntax/statement.js';
import { ValueCheck } from '../types/value-check.js';
import { refersToLeaf, type YangType } from '../types/yang-type.js';
import { checkXPath } from '../xpath/check-xpath.js';
import type { SchemaTrees } from './build-tree.js';
import { checkChoice, checkList, checkNames } from './check-nodes.js';
import { checkStatus, checkStatusOf, inheritStatus } from './inherit-status.js';
import { Leafrefs } from './leafref-target.js';
import type { Linker } from './linker.js';
import {
  isInsideOperation,
  isOperation,
  minimumOf,
  propertiesOf,
  propertyOf,
  type SchemaNode,
  valueOf,
} from './schema-node.js';
import type { YangModule } from '../modules/yang-module.js';

/**
 * Adds the trees of modules that leafrefs refer to, with their augments, until no leafref refers to a new
 * module. This happens before the trees are finished, so that all of them are finished alike.
 */
function addReferredTrees(trees: SchemaTrees, linker: Linker): void {
  const search = new ReferenceSearch(linker);
  for (let found = search.next(trees); found.length > 0; found = search.next(trees)) trees.add(found);
}

class ReferenceSearch {
  readonly #linker: Linker;
  readonly #paths = new Set<Statement>();

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  /** Returns the modules that leafrefs name and that have no tree yet. */
  next(trees: SchemaTrees): readonly YangModule[] {
    const known = new Set(trees.roots().map(({ module }) => module));
    const found = new Set<YangModule>();
    const visit = (node: SchemaNode): void => {
      const written =
        node.kind === 'leaf' || node.kind === 'leaf-list' ? propertyOf(node, 'type') : undefined;
      if (written)
        this.#linker.faults.catching(() => {
          for (const module of this.#modulesOf(this.#linker.types.resolve(written)))
            if (!known.has(module)) found.add(module);
        });
      node.children.forEach(visit);
    };
    trees.roots().forEach(visit);
    return [...found];
  }

  #modulesOf(type: YangType): readonly YangModule[] {
    const inner = (type.members ?? []).flatMap((member) => this.#modulesOf(member));
    const { path } = type;
    if (!path || this.#paths.has(path)) return inner;
    this.#paths.add(path);
    const prefixes = path.argument.match(/[A-Za-z_][A-Za-z0-9_.-]*(?=:[A-Za-z_])/g) ?? [];
    return [...inner, ...prefixes.flatMap((prefix) => this.#linker.names.moduleOf(path, prefix) ?? [])];
  }
}

/**
 * Sets the inherited properties of every node and those that depend on the whole tree (config, status, type,
 * leafref targets). Checks the rules of RFC 7950 that need the whole tree, and removes nodes that features
 * disable.
 */
export function finishTrees(trees: SchemaTrees, linker: Linker): void {
  addReferredTrees(trees, linker);
  const finisher = new Finisher(trees, linker);
  for (const root of trees.roots()) finisher.inherit(root);
  for (const root of trees.roots()) finisher.check(root);
  for (const root of trees.roots()) prune(root);
}

class Finisher {
  readonly #linker: Linker;
  readonly #leafrefs: Leafrefs;
  readonly #values: ValueCheck;
  readonly #checkedExpressions = new Set<Statement>();

  constructor(trees: SchemaTrees, linker: Linker) {
    this.#linker = linker;
    this.#leafrefs = new Leafrefs(linker, trees);
    this.#values = new ValueCheck(linker.names);
  }

  inherit(root: SchemaNode): void {
    this.#each(root, (node) => {
      this.#inherit(node);
    });
  }

  check(root: SchemaNode): void {
    this.#each(root, (node) => {
      this.#check(node);
    });
  }

  /** Visits parents before children. A fault only ends the work on one node. */
  #each(node: SchemaNode, visit: (node: SchemaNode) => void): void {
    this.#linker.budget.step(node.statement);
    this.#linker.faults.catching(() => {
      visit(node);
    });
    for (const child of node.children) this.#each(child, visit);
  }

  #inherit(node: SchemaNode): void {
    const { features, types } = this.#linker;
    node.config = configOf(node);
    inheritStatus(node);
    node.enabled =
      (node.parent?.enabled ?? true) &&
      features.allowAll(propertiesOf(node, 'if-feature')) &&
      features.allowAll(node.conditions);
    const when = node.parent && propertyOf(node, 'when');
    if (when) node.whens = [{ statement: when, fromParent: false }, ...node.whens];
    const type = isLeaf(node) ? propertyOf(node, 'type') : undefined;
    if (type) node.type = types.resolve(type);
    if (type && node.type?.typedef) checkStatusOf(type, node.type.typedef, this.#linker.names);
  }

  #check(node: SchemaNode): void {
    for (const { statement } of node.whens) this.#checkExpression(statement);
    for (const must of propertiesOf(node, 'must')) this.#checkExpression(must);
    if (node.type) this.#checkLeaf(node, node.type);
    if (node.kind === 'list') checkList(node, this.#linker);
    if (node.kind === 'choice') checkChoice(node, this.#linker.names);
    checkNames(node, this.#linker.faults);
    checkCounts(node);
  }

  #checkExpression(statement: Statement): void {
    if (this.#checkedExpressions.has(statement)) return;
    this.#checkedExpressions.add(statement);
    this.#linker.faults.catching(() => {
      checkXPath(statement, this.#linker.names);
    });
  }

  #checkLeaf(node: SchemaNode, type: YangType): void {
    if (refersToLeaf(type)) this.#checkTarget(node, type, [type]);
    if (node.kind === 'leaf-list' && type.base === 'empty' && this.#version(node.statement) === '1')
      throw new InvalidYang(
        node.statement,
        'RFC 6020 9.11',
        'a leaf-list of type empty needs "yang-version 1.1"',
      );
    if (type.values && !type.values.some(({ enabled }) => enabled))
      throw new InvalidYang(
        node.statement,
        'RFC 7950 9.6.4',
        `no value of the type of "${node.name}" is left`,
      );
    this.#checkDefaults(node, type);
  }

  /** Follows the chain of leafrefs to its end. Refuses a cycle. */
  #checkTarget(node: SchemaNode, type: YangType, chain: readonly YangType[]): void {
    for (const member of (type.members ?? []).filter(refersToLeaf)) this.#checkTarget(node, member, chain);
    if (type.base !== 'leafref' || !type.path) return;
    const { path } = type;
    const target = this.#leafrefs.targetOf(node, type);
    this.#checkTargetNode(node, target, type);
    if (!target.type || !refersToLeaf(target.type)) return;
    if (target === node || chain.length > LONGEST_CHAIN)
      throw broken(path, 'leafrefs refer to each other in a circle');
    this.#checkTarget(target, target.type, [...chain, target.type]);
  }

  #checkTargetNode(node: SchemaNode, target: SchemaNode, { path, requireInstance }: YangType): void {
    if (!path) return;
    const written = this.#linker.names.unitOf(propertyOf(node, 'type') ?? node.statement).module;
    // A status that another module sets, by a deviation or a grouping, counts as current.
    const status = node.module === written ? node.status : 'current';
    if (target.module === written) checkStatus(status, target.status, path);
    if (node.config && requireInstance !== false && !configOf(target))
      throw broken(path, 'configuration cannot refer to state');
  }

  #checkDefaults(node: SchemaNode, type: YangType): void {
    const own = propertiesOf(node, 'default');
    const needed = node.kind === 'leaf' ? valueOf(node, 'mandatory') === 'true' : minimumOf(node) > 0;
    if (own[0]) this.#checkOwnDefaults(node, own, needed);
    const inherited = needed || !type.default ? [] : [type.default];
    for (const written of own.length > 0 ? own : inherited) this.#values.check(node, type, written);
  }

  #checkOwnDefaults(node: SchemaNode, own: readonly Statement[], needed: boolean): void {
    const [first = node.statement] = own;
    if (needed)
      throw new InvalidYang(first, 'RFC 7950 7.6.5', `"${node.name}" cannot be required and have a default`);
    if (node.kind !== 'leaf-list') return;
    if (this.#version(first) === '1')
      throw new InvalidYang(first, 'RFC 6020 7.7', 'the default of a leaf-list needs "yang-version 1.1"');
    if (node.config && new Set(own.map(({ argument }) => argument)).size < own.length)
      throw new InvalidYang(node.statement, 'RFC 7950 7.7.2', `"${node.name}" has the same default twice`);
  }

  #version(statement: Statement): string {
    return this.#linker.names.unitOf(statement).version;
  }
}

/** Maximum length of a chain of leafrefs. */
const LONGEST_CHAIN = 50;

function broken(path: Statement, what: string): InvalidYang {
  return new InvalidYang(path, 'RFC 7950 9.9', `path "${path.argument}": ${what}`);
}

function isLeaf(node: SchemaNode): boolean {
  return node.kind === 'leaf' || node.kind === 'leaf-list';
}

/** Returns true if a node is configuration. The parent must be finished first. */
function configOf(node: SchemaNode): boolean {
  if (!node.parent) return true;
  if (isOperation(node)) return false;
  const outer = node.parent.config;
  const written = propertyOf(node, 'config');
  if (written?.argument === 'true' && !outer && !isInsideOperation(node))
    throw new InvalidYang(written, 'RFC 7950 7.21.1', 'configuration cannot stand inside state');
  return outer && written?.argument !== 'false';
}

function checkCounts(node: SchemaNode): void {
  const most = valueOf(node, 'max-elements') ?? 'unbounded';
  if (most !== 'unbounded' && minimumOf(node) > Number(most))
    throw new InvalidYang(
      node.statement,
      'RFC 7950 7.7.5',
      `"${node.name}" needs more entries than it may have`,
    );
}

/** Removes nodes that features disable. */
function prune(node: SchemaNode): void {
  const kept = node.children.filter(({ enabled }) => enabled);
  if (kept.length < node.children.length) node.children.splice(0, node.children.length, ...kept);
  for (const child of node.children) prune(child);
}

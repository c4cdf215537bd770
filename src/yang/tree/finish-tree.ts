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
 * Adds the trees of the modules in leafref paths, until no path contains a module without a tree. Runs before
 * the trees are finished, so that these trees are finished as well.
 */
function addLeafrefTrees(trees: SchemaTrees, linker: Linker): void {
  const search = new LeafrefModuleSearch(linker);
  for (let modules = search.next(trees); modules.length > 0; modules = search.next(trees)) trees.add(modules);
}

class LeafrefModuleSearch {
  readonly #linker: Linker;
  readonly #paths = new Set<Statement>();

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  /** Returns the modules in leafref paths that have no tree yet. */
  next(trees: SchemaTrees): readonly YangModule[] {
    const known = new Set(trees.roots().map(({ module }) => module));
    const modules = new Set<YangModule>();
    const visit = (node: SchemaNode): void => {
      const written =
        node.kind === 'leaf' || node.kind === 'leaf-list' ? propertyOf(node, 'type') : undefined;
      if (written)
        this.#linker.faults.catching(() => {
          for (const module of this.#modulesOf(this.#linker.types.resolve(written)))
            if (!known.has(module)) modules.add(module);
        });
      node.children.forEach(visit);
    };
    trees.roots().forEach(visit);
    return [...modules];
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
 * Sets the properties of every node that depend on the complete tree: config, status, type and leafref
 * targets. Checks the rules of RFC 7950 that need the complete tree, and removes the nodes that features
 * disable.
 */
export function finishTrees(trees: SchemaTrees, linker: Linker): void {
  addLeafrefTrees(trees, linker);
  const finisher = new TreeFinisher(trees, linker);
  for (const root of trees.roots()) finisher.inherit(root);
  for (const root of trees.roots()) finisher.check(root);
  for (const root of trees.roots()) prune(root);
}

class TreeFinisher {
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

  /** Visits parents before children. After a fault in one node, the visit continues with the next node. */
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
        `features disable every value of the type of "${node.name}"`,
      );
    this.#checkDefaults(node, type);
  }

  /**
   * Checks the target of a leafref and of the leafrefs that the target refers to. Throws InvalidYang for a
   * cycle.
   */
  #checkTarget(node: SchemaNode, type: YangType, chain: readonly YangType[]): void {
    for (const member of (type.members ?? []).filter(refersToLeaf)) this.#checkTarget(node, member, chain);
    if (type.base !== 'leafref' || !type.path) return;
    const { path } = type;
    const target = this.#leafrefs.targetOf(node, type);
    this.#checkTargetNode(node, target, type);
    if (!target.type || !refersToLeaf(target.type)) return;
    if (target === node || chain.length > MAX_LEAFREF_CHAIN)
      throw invalidPath(path, 'leafrefs refer to each other in a cycle');
    this.#checkTarget(target, target.type, [...chain, target.type]);
  }

  #checkTargetNode(node: SchemaNode, target: SchemaNode, { path, requireInstance }: YangType): void {
    if (!path) return;
    const written = this.#linker.names.unitOf(propertyOf(node, 'type') ?? node.statement).module;
    // A node whose type statement is in another module counts as current, because its status is set outside
    // that module.
    const status = node.module === written ? node.status : 'current';
    if (target.module === written) checkStatus(status, target.status, path);
    if (node.config && requireInstance !== false && !configOf(target))
      throw invalidPath(path, 'configuration cannot refer to state');
  }

  #checkDefaults(node: SchemaNode, type: YangType): void {
    const ownDefaults = propertiesOf(node, 'default');
    const isRequired = node.kind === 'leaf' ? valueOf(node, 'mandatory') === 'true' : minimumOf(node) > 0;
    if (ownDefaults[0]) this.#checkOwnDefaults(node, ownDefaults, isRequired);
    const inherited = isRequired || !type.default ? [] : [type.default];
    for (const written of ownDefaults.length > 0 ? ownDefaults : inherited)
      this.#values.check(node, type, written);
  }

  #checkOwnDefaults(node: SchemaNode, ownDefaults: readonly Statement[], isRequired: boolean): void {
    const [first = node.statement] = ownDefaults;
    if (isRequired)
      throw new InvalidYang(first, 'RFC 7950 7.6.5', `"${node.name}" cannot be required and have a default`);
    if (node.kind !== 'leaf-list') return;
    if (this.#version(first) === '1')
      throw new InvalidYang(first, 'RFC 6020 7.7', 'the default of a leaf-list needs "yang-version 1.1"');
    if (node.config && new Set(ownDefaults.map(({ argument }) => argument)).size < ownDefaults.length)
      throw new InvalidYang(node.statement, 'RFC 7950 7.7.2', `"${node.name}" has the same default twice`);
  }

  #version(statement: Statement): string {
    return this.#linker.names.unitOf(statement).version;
  }
}

/** Maximum length of a chain of leafrefs that refer to leafrefs. */
const MAX_LEAFREF_CHAIN = 50;

function invalidPath(path: Statement, message: string): InvalidYang {
  return new InvalidYang(path, 'RFC 7950 9.9', `path "${path.argument}": ${message}`);
}

function isLeaf(node: SchemaNode): boolean {
  return node.kind === 'leaf' || node.kind === 'leaf-list';
}

/**
 * Returns true if a node is configuration, according to its `config` statement and to `config` of its parent.
 */
function configOf(node: SchemaNode): boolean {
  if (!node.parent) return true;
  if (isOperation(node)) return false;
  const parentConfig = node.parent.config;
  const written = propertyOf(node, 'config');
  if (written?.argument === 'true' && !parentConfig && !isInsideOperation(node))
    throw new InvalidYang(written, 'RFC 7950 7.21.1', 'configuration is not allowed inside state');
  return parentConfig && written?.argument !== 'false';
}

function checkCounts(node: SchemaNode): void {
  const maxElements = valueOf(node, 'max-elements') ?? 'unbounded';
  if (maxElements !== 'unbounded' && minimumOf(node) > Number(maxElements))
    throw new InvalidYang(
      node.statement,
      'RFC 7950 7.7.5',
      `"${node.name}" needs more entries than it may have`,
    );
}

/** Removes the nodes below a node that features disable. */
function prune(node: SchemaNode): void {
  const enabledChildren = node.children.filter(({ enabled }) => enabled);
  if (enabledChildren.length < node.children.length)
    node.children.splice(0, node.children.length, ...enabledChildren);
  for (const child of node.children) prune(child);
}

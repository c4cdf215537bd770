import { InvalidYang, invalidYangIn } from '../diagnostic.js';
import type { YangModule } from '../modules/yang-module.js';
import { childOf, type Statement } from '../syntax/statement.js';
import { ValueCheck } from '../types/value-check.js';
import { refersToLeaf, type YangType } from '../types/yang-type.js';
import { checkExpression } from '../xpath/check-expression.js';
import { parseXPath } from '../xpath/parse-xpath.js';
import type { SchemaTrees } from './build-tree.js';
import { checkChoice, checkList, checkNames, checkOperationPlace } from './check-nodes.js';
import { expandGrouping } from './expand.js';
import { checkStatus, checkStatusOf, inheritStatus } from './inherit-status.js';
import { Leafrefs } from './leafref-target.js';
import type { Linker } from './linker.js';
import type { NodeDefinition } from './node-definition.js';
import {
  isInsideOperation,
  isOperation,
  minimumOf,
  propertiesOf,
  propertyOf,
  type SchemaNode,
  valueOf,
} from './schema-node.js';
import { SharedSubtrees } from './shared-subtrees.js';

/**
 * Sets the properties of every node that depend on the complete tree: config, status, type and leafref
 * targets. Checks the rules of RFC 7950 that need the complete tree, and removes the nodes that features
 * disable. Also checks the typedefs and groupings of the given modules that no node uses.
 */
export function finishTrees(trees: SchemaTrees, given: readonly YangModule[], linker: Linker): void {
  const finisher = new TreeFinisher(trees, linker);
  for (const root of trees.roots()) finisher.inherit(root);
  for (const root of trees.roots()) finisher.check(root);
  if (finisher.hasDisabledNodes) for (const root of trees.roots()) prune(root);
  linker.faults.forUnused(() => {
    for (const module of given)
      for (const { root } of module.units) checkDefinitions(root, module, { finisher, linker });
  });
}

function checkDefinitions(
  statement: Statement,
  module: YangModule,
  context: { readonly finisher: TreeFinisher; readonly linker: Linker },
): void {
  const { finisher, linker } = context;
  if (statement.keyword === 'typedef') finisher.checkTypedef(statement);
  if (statement.keyword === 'grouping' && !linker.usedGroupings.has(statement))
    finisher.checkGrouping(expandGrouping(statement, module, linker));
  for (const child of statement.children)
    if (child.children.length > 0 && !child.keyword.includes(':')) checkDefinitions(child, module, context);
}

class TreeFinisher {
  readonly #linker: Linker;
  readonly #leafrefs: Leafrefs;
  readonly #values: ValueCheck;
  readonly #checkedExpressions = new Set<Statement>();
  /** Definitions of leaves that were checked, and whose check depends on nothing else. */
  readonly #checkedLeaves = new Set<NodeDefinition>();
  readonly #subtrees: SharedSubtrees;
  /** Nodes whose subtrees are checked elsewhere. */
  readonly #shared = new Set<SchemaNode>();
  /** True if a feature disables a node. */
  hasDisabledNodes = false;
  /** True while a grouping is checked, whose nodes have no place in a tree yet. */
  #isInGrouping = false;

  constructor(trees: SchemaTrees, linker: Linker) {
    this.#linker = linker;
    this.#leafrefs = new Leafrefs(linker, trees);
    this.#values = new ValueCheck(linker.names);
    this.#subtrees = new SharedSubtrees(linker.types);
  }

  /** Visits parents before children. After a fault in one node, the visit continues with the next node. */
  inherit(node: SchemaNode): void {
    this.#linker.budget.step(node.statement);
    try {
      this.#inherit(node);
    } catch (error) {
      this.#linker.faults.addThrown(error);
    }
    // In a grouping, what is checked depends on the nodes around: see hasWrittenConfig.
    if (!this.#isInGrouping && this.#subtrees.share(node)) this.#shared.add(node);
    else for (const child of node.children) this.inherit(child);
  }

  /** Visits the nodes that features enable. What a disabled node refers to need not exist. */
  check(node: SchemaNode): void {
    if (!node.enabled || this.#shared.has(node)) return;
    this.#linker.budget.step(node.statement);
    try {
      this.#check(node);
    } catch (error) {
      this.#linker.faults.addThrown(error);
    }
    for (const child of node.children) this.check(child);
  }

  /** Checks what the nodes of a grouping do not inherit from the place where the grouping is used. */
  checkGrouping(root: SchemaNode): void {
    this.#isInGrouping = true;
    this.inherit(root);
    for (const node of root.children) this.check(node);
    checkNames(root, this.#linker.faults);
    this.#isInGrouping = false;
  }

  /** Checks the type and the default of a typedef (RFC 7950 7.3). */
  checkTypedef(typedef: Statement): void {
    const written = childOf(typedef, 'type');
    this.#linker.faults.catching(() => {
      const type = written && this.#linker.types.resolve(written);
      if (type) this.#values.checkTypedef(typedef, type);
    });
  }

  #inherit(node: SchemaNode): void {
    const { features, types } = this.#linker;
    node.config = configOf(node);
    inheritStatus(node, this.#linker.faults);
    node.enabled =
      (node.parent?.enabled ?? true) &&
      features.allowAll(propertiesOf(node, 'if-feature')) &&
      features.allowAll(node.conditions);
    this.hasDisabledNodes ||= !node.enabled;
    // All uses of a grouping have the same type.
    const type = isLeaf(node) && !node.type ? propertyOf(node, 'type') : undefined;
    if (type) node.definition.type = types.resolve(type);
    if (type && node.type?.typedef) checkStatusOf(type, node.type.typedef, this.#linker.names);
  }

  #check(node: SchemaNode): void {
    const { definition } = node;
    if (definition.kind === 'leaf') {
      if (this.#checkedLeaves.has(definition)) return;
      // The target of a leafref depends on the place of the leaf.
      if (definition.type && !refersToLeaf(definition.type)) this.#checkedLeaves.add(definition);
    }
    for (const { statement } of node.whens) this.#checkExpression(statement, node.module);
    for (const must of propertiesOf(node, 'must')) this.#checkExpression(must, node.module);
    if (node.type) this.#checkLeaf(node, node.type);
    const isConfigKnown = !this.#isInGrouping || hasWrittenConfig(node);
    if (node.kind === 'list') checkList(node, this.#linker, isConfigKnown);
    if (node.kind === 'choice') checkChoice(node, this.#linker.names);
    checkOperationPlace(node);
    checkNames(node, this.#linker.faults);
    checkCounts(node);
  }

  /** Checks an expression once. A lenient compilation does not enforce an invalid one. */
  #checkExpression(statement: Statement, module: YangModule): void {
    if (this.#checkedExpressions.has(statement)) return;
    this.#checkedExpressions.add(statement);
    const { names, faults, unenforced } = this.#linker;
    try {
      const expression = parseXPath(statement, names);
      checkExpression(expression, {
        statement,
        modules: [names.unitOf(statement).module, module],
        names,
        faults,
      });
    } catch (error) {
      faults.addTolerable(invalidYangIn(error), '; it is not enforced');
      unenforced.add(statement);
    }
  }

  #checkLeaf(node: SchemaNode, type: YangType): void {
    if (refersToLeaf(type) && !this.#isInGrouping) this.#checkTarget(node, type, [type]);
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
    if (node.kind === 'leaf-list' && node.config) this.#checkDistinct(node, type, ownDefaults);
  }

  #checkOwnDefaults(node: SchemaNode, ownDefaults: readonly Statement[], isRequired: boolean): void {
    const [first = node.statement] = ownDefaults;
    if (isRequired)
      throw new InvalidYang(first, 'RFC 7950 7.6.5', `"${node.name}" cannot be required and have a default`);
    if (node.kind !== 'leaf-list') return;
    if (this.#version(first) === '1')
      throw new InvalidYang(first, 'RFC 6020 7.7', 'the default of a leaf-list needs "yang-version 1.1"');
  }

  /** Throws InvalidYang if two defaults of a leaf-list are the same value, such as 1 and +1. */
  #checkDistinct(node: SchemaNode, type: YangType, defaults: readonly Statement[]): void {
    const values = new Set(defaults.map((written) => JSON.stringify(this.#values.read(node, type, written))));
    if (values.size < defaults.length)
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

/** Returns true if the node or a node around it has a `config` statement. */
function hasWrittenConfig(node: SchemaNode): boolean {
  for (let at: SchemaNode | undefined = node; at; at = at.parent)
    if (propertyOf(at, 'config') !== undefined) return true;
  return false;
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
  for (const child of node.children) if (!child.origin) prune(child);
}

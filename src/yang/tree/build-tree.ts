import { topStatements, type YangModule } from '../modules/yang-module.js';
import { type Statement, childrenOf } from '../syntax/statement.js';
import { expandAugment, expandChildren } from './expand.js';
import type { Linker } from './linker.js';
import { isMandatory } from './mandatory.js';
import { addNode, isOperation, type SchemaNode, propertyOf } from './schema-node.js';
import { expandStructure, isStructure, isStructureAugment } from './structures.js';
import { findNode, findSchemaNode, stepsOf } from './schema-path.js';
import { InvalidYang } from '../diagnostic.js';
import { checkSaidOf } from './refine.js';

/** Changes a node according to a `deviation` statement (RFC 7950 7.20.3). */
export function deviate(node: SchemaNode, deviation: Statement): void {
  for (const statement of childrenOf(deviation, 'deviate')) {
    for (const property of statement.children) checkSaidOf(node, property);
    if (statement.argument === 'not-supported') remove(node);
    else if (statement.argument === 'add') add(node, statement);
    else if (statement.argument === 'replace') replace(node, statement);
    else withdraw(node, statement);
  }
}

function remove(node: SchemaNode): void {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  if (at >= 0) siblings.splice(at, 1);
}

const SEVERAL = new Set(['must', 'unique']);

function add(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children) {
    const several =
      SEVERAL.has(property.keyword) || (property.keyword === 'default' && node.kind === 'leaf-list');
    if (!several && !property.keyword.includes(':') && propertyOf(node, property.keyword))
      throw broken(property, `"${node.name}" already has "${property.keyword}"; use deviate replace`);
  }
  // Copied once only: many deviations of one node must not copy its properties each time.
  if (node.properties === node.statement.children) node.properties = [...node.properties];
  (node.properties as Statement[]).push(...statement.children);
}

function replace(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children)
    if (!hasImplied(property.keyword) && !propertyOf(node, property.keyword))
      throw broken(property, `"${node.name}" has no "${property.keyword}" to replace`);
  const replaced = new Set(statement.children.map(({ keyword }) => keyword));
  node.properties = [
    ...node.properties.filter(({ keyword }) => !replaced.has(keyword)),
    ...statement.children,
  ];
}

/** Returns true for properties that every node has implicitly, and for extensions. */
function hasImplied(keyword: string): boolean {
  return keyword.includes(':') || ['config', 'mandatory', 'min-elements', 'max-elements'].includes(keyword);
}

function withdraw(node: SchemaNode, statement: Statement): void {
  for (const property of statement.children) {
    const found = node.properties.find(
      ({ keyword, argument }) => keyword === property.keyword && argument === property.argument,
    );
    if (found) node.properties = node.properties.filter((one) => one !== found);
    else if (!property.keyword.includes(':'))
      throw broken(property, `"${node.name}" has no ${property.keyword} "${property.argument}" to delete`);
  }
}

function broken(at: Statement, what: string): InvalidYang {
  return new InvalidYang(at, 'RFC 7950 7.20.3.2', what);
}

/** Augment that waits for its target. */
interface Waiting {
  readonly statement: Statement;
  readonly module: YangModule;
}

/**
 * Schema trees of the requested modules, and of the modules whose nodes they augment, deviate or refer to.
 * Each tree has a root that represents its module.
 */
export class SchemaTrees {
  readonly #linker: Linker;
  readonly #roots = new Map<YangModule, SchemaNode>();
  readonly #newest: YangModule[] = [];

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  /** Adds modules with everything that they augment and deviate. */
  add(modules: readonly YangModule[]): void {
    for (const module of modules) this.rootOf(module);
    const deviations: Waiting[] = [];
    let waiting: readonly Waiting[] = [];
    for (;;) {
      const fresh = this.#newest.splice(0);
      waiting = [...waiting, ...fresh.flatMap((module) => this.#augments(module))];
      deviations.push(...fresh.flatMap((module) => this.#statements(module, 'deviation')));
      for (const one of deviations) this.#targetTree(one);
      const left = waiting.filter((one) => !this.#augment(one));
      if (left.length === waiting.length && this.#newest.length === 0) break;
      waiting = left;
    }
    for (const { statement, module } of waiting)
      this.#linker.faults.catching(() => this.#find(statement, module));
    for (const { statement, module } of deviations)
      this.#linker.faults.catching(() => {
        deviate(this.#find(statement, module), statement);
      });
  }

  /** Returns the root of a module's tree, which is expanded on first use. */
  rootOf(module: YangModule): SchemaNode {
    const known = this.#roots.get(module);
    if (known) return known;
    const statement = module.units[0]?.root;
    if (!statement) throw new Error(`module ${module.name} has no text`);
    const root = addNode({
      kind: 'structure',
      name: module.name,
      module,
      statement,
      parent: undefined,
      properties: [],
    });
    this.#roots.set(module, root);
    this.#newest.push(module);
    const ground = { parent: root, module, groupings: [], depth: 1 };
    for (const unit of module.units) {
      expandChildren(unit.root, ground, this.#linker);
      for (const statement of unit.root.children)
        if (isStructure(statement, this.#linker.names)) expandStructure(statement, ground, this.#linker);
    }
    return root;
  }

  /** Returns the roots in the order in which their modules were added. */
  roots(): readonly SchemaNode[] {
    return [...this.#roots.values()];
  }

  #statements(module: YangModule, keyword: string): readonly Waiting[] {
    return topStatements(module, keyword).map((statement) => ({ statement, module }));
  }

  #augments(module: YangModule): readonly Waiting[] {
    const structures = module.units
      .flatMap(({ root }) => root.children)
      .filter((statement) => isStructureAugment(statement, this.#linker.names));
    return [
      ...this.#statements(module, 'augment'),
      ...structures.map((statement) => ({ statement, module })),
    ];
  }

  /** Applies an augment. Returns true if it is done, even with faults. */
  #augment({ statement, module }: Waiting): boolean {
    const { faults } = this.#linker;
    const done = faults.catching(() => {
      const steps = stepsOf(statement, this.#linker.names, module);
      for (const step of steps) this.rootOf(step.module);
      const first = steps[0];
      const target = first && findSchemaNode(this.rootOf(first.module).children, steps);
      if (!target) return false;
      const before = target.children.length;
      expandAugment(
        statement,
        { parent: target, module, groupings: [], depth: depthOf(target) + 1 },
        this.#linker,
      );
      if (target.module !== module && target.kind !== 'choice')
        this.#checkOptional(statement, target, before);
      return true;
    });
    return done ?? true;
  }

  /**
   * Refuses mandatory nodes that a module adds to another module. They would make valid data invalid (RFC
   * 7950 7.17).
   */
  #checkOptional(statement: Statement, target: SchemaNode, from: number): void {
    if (statement.children.some(({ keyword }) => keyword === 'when')) return;
    for (const node of target.children.slice(from))
      if (isMandatory(node) && isConfiguration(node))
        this.#linker.faults.add(
          statement,
          'RFC 7950 7.17',
          `the mandatory node "${node.name}" may be added to another module only under a "when"`,
        );
  }

  #targetTree({ statement, module }: Waiting): void {
    this.#linker.faults.catching(() => {
      for (const step of stepsOf(statement, this.#linker.names, module)) this.rootOf(step.module);
    });
  }

  #find(statement: Statement, module: YangModule): SchemaNode {
    const steps = stepsOf(statement, this.#linker.names, module);
    return findNode(steps[0] ? this.rootOf(steps[0].module).children : [], steps, statement);
  }
}

function depthOf(node: SchemaNode): number {
  let depth = 0;
  for (let at = node.parent; at; at = at.parent) depth += 1;
  return depth;
}

/** Returns true if a node will be configuration. Works before the tree is finished. */
function isConfiguration(node: SchemaNode): boolean {
  for (let at: SchemaNode | undefined = node; at; at = at.parent) {
    if (isOperation(at)) return false;
    if (at.properties.some(({ keyword, argument }) => keyword === 'config' && argument === 'false'))
      return false;
  }
  return true;
}

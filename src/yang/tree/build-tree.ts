import { type Names, topStatements, type YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import { type CompileEnvironment, expandAugment, expandChildren } from './expand.js';
import type { Linker } from './linker.js';
import { addNode, isMandatory, isOperation, type SchemaNode } from './schema-node.js';
import { findNode, findSchemaNode, stepsOf } from './schema-path.js';
import { type FaultList, InvalidYang } from '../diagnostic.js';
import { deviate } from './refine-and-deviate.js';

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

/** Extensions that define documents outside the data: RFC 8040 section 8 and RFC 8791. */
const STRUCTURES: Readonly<Record<string, string>> = {
  'yang-data': 'ietf-restconf',
  structure: 'ietf-yang-structure-ext',
};

/** Returns true for `sx:augment-structure`, which adds to a structure as `augment` adds to data. */
export function isStructureAugment(statement: Statement, names: Names): boolean {
  return isExtension(statement, names, ['ietf-yang-structure-ext', 'augment-structure']);
}

/** Refuses extension statements at places where the RFC that defines them does not allow them. */
export function checkExtensions(module: YangModule, names: Names, faults: FaultList): void {
  const visit = (statement: Statement): void => {
    if (statement.keyword.includes(':'))
      faults.catching(() => {
        checkMountPoint(statement, names);
      });
    statement.children.forEach(visit);
  };
  for (const { root } of module.units) visit(root);
}

function checkMountPoint(statement: Statement, names: Names): void {
  if (!isExtension(statement, names, ['ietf-yang-schema-mount', 'mount-point'])) return;
  const outer = statement.parent?.keyword ?? '';
  if (outer !== 'container' && outer !== 'list')
    throw new InvalidYang(statement, 'RFC 8528 3.1', `a mount point cannot stand inside a ${outer}`);
}

function isExtension(statement: Statement, names: Names, [module, name]: readonly [string, string]): boolean {
  const [prefix = '', local] = statement.keyword.split(':');
  return local === name && names.moduleOf(statement, prefix)?.name === module;
}

/** Returns true for `rc:yang-data` or `sx:structure`, regardless of their prefixes. */
export function isStructure(statement: Statement, names: Names): boolean {
  const [prefix = '', local] = statement.keyword.split(':');
  if (local === undefined || !Object.hasOwn(STRUCTURES, local)) return false;
  return names.moduleOf(statement, prefix)?.name === STRUCTURES[local];
}

/** Creates a separate tree for the content of a structure statement. */
export function expandStructure(statement: Statement, ground: CompileEnvironment, linker: Linker): void {
  linker.faults.catching(() => {
    const { parent, module, depth } = ground;
    linker.budget.takeNode(depth, statement);
    const start = {
      kind: 'structure',
      name: statement.argument,
      module,
      statement,
      parent,
      properties: [],
    } as const;
    const node = addNode(start);
    expandChildren(statement, { ...ground, parent: node, depth: depth + 1 }, linker);
    if (statement.keyword.endsWith(':yang-data') && node.children.length !== 1)
      throw new InvalidYang(statement, 'RFC 8040 8', 'yang-data holds exactly one container');
  });
}

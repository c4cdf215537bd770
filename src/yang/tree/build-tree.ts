import { InvalidYang } from '../diagnostic.js';
import { type Names, topStatements, type YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import { type ExpandEnvironment, expandAugment, expandChildren } from './expand.js';
import type { Linker } from './linker.js';
import { defineNode, NO_PROPERTIES } from './node-definition.js';
import { deviate, removesNode } from './refine-and-deviate.js';
import { addNode, dataChildren, isMandatory, isOperation, type SchemaNode } from './schema-node.js';
import { findNode, findSchemaNode, stepsOf } from './schema-path.js';

/** `augment` or `deviation` statement that is not applied yet, with the module that contains it. */
interface PendingStatement {
  readonly statement: Statement;
  readonly module: YangModule;
}

/** `augment` statement without a `when`, and the nodes that it added to the tree of another module. */
interface AppliedAugment {
  readonly statement: Statement;
  readonly nodes: readonly SchemaNode[];
}

/**
 * Schema trees of the added modules, and of the modules whose nodes they augment, deviate or refer to. The
 * root of a tree represents its module.
 */
export class SchemaTrees {
  readonly #linker: Linker;
  readonly #roots = new Map<YangModule, SchemaNode>();
  readonly #unprocessed: YangModule[] = [];
  /** Augments of other modules that are applied and not checked yet. */
  readonly #unchecked: AppliedAugment[] = [];
  /** Deviations that are not applied yet. */
  readonly #deviations: PendingStatement[] = [];

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  /** True if {@link applyDeviations} has something to do. */
  get hasDeviations(): boolean {
    return this.#deviations.length > 0;
  }

  /** Adds modules, and applies their augments. */
  add(modules: readonly YangModule[]): void {
    for (const module of modules) this.rootOf(module);
    let pending: readonly PendingStatement[] = [];
    for (;;) {
      const newModules = this.#unprocessed.splice(0);
      pending = [...pending, ...newModules.flatMap((module) => this.#augments(module))];
      const deviations = newModules.flatMap((module) => this.#statements(module, 'deviation'));
      this.#deviations.push(...deviations.filter((deviation) => this.#stepsOf(deviation)));
      const unresolved = pending.filter((augment) => !this.#applyAugment(augment));
      if (unresolved.length === pending.length && this.#unprocessed.length === 0) break;
      pending = unresolved;
    }
    for (const { statement, module } of pending)
      this.#linker.faults.catching(() => this.#find(statement, module));
    for (const augment of this.#unchecked.splice(0)) this.#checkOptional(augment);
  }

  /**
   * Applies the deviations of the added modules. Finds all targets before it changes one, because a deviation may remove
   * a node around the target of another (RFC 7950 7.20.3 demands no order).
   */
  applyDeviations(): void {
    const { faults } = this.#linker;
    const found = this.#deviations.splice(0).flatMap(({ statement, module }) => {
      const target = faults.catching(() => this.#find(statement, module));
      return target ? [{ target, statement }] : [];
    });
    const removed = new Set(
      found.filter(({ statement }) => removesNode(statement)).map(({ target }) => target),
    );
    for (const { target, statement } of found)
      faults.catching(() => {
        if (removed.has(target) && !removesNode(statement))
          throw new InvalidYang(
            statement,
            'RFC 7950 7.20.3.2',
            `another deviation says that "${target.name}" is not supported`,
          );
        deviate(target, statement);
      });
  }

  /** Returns the root of the tree of a module. Builds the tree on first use. */
  rootOf(module: YangModule): SchemaNode {
    const known = this.#roots.get(module);
    if (known) return known;
    const statement = module.units[0]?.root;
    if (!statement) throw new Error(`module ${module.name} has no text`);
    const start = { kind: 'structure', name: module.name, module, statement } as const;
    const root = addNode(defineNode({ ...start, properties: NO_PROPERTIES }), undefined);
    this.#roots.set(module, root);
    this.#unprocessed.push(module);
    const environment = { parent: root, module, groupings: [], depth: 1 };
    for (const unit of module.units) {
      expandChildren(unit.root, environment, this.#linker);
      for (const statement of unit.root.children)
        if (isStructure(statement, this.#linker.names)) expandStructure(statement, environment, this.#linker);
    }
    return root;
  }

  /** Returns the roots in the order in which their modules were added. */
  roots(): readonly SchemaNode[] {
    return [...this.#roots.values()];
  }

  #statements(module: YangModule, keyword: string): readonly PendingStatement[] {
    return topStatements(module, keyword).map((statement) => ({ statement, module }));
  }

  #augments(module: YangModule): readonly PendingStatement[] {
    const structures = module.units
      .flatMap(({ root }) => root.children)
      .filter((statement) => isStructureAugment(statement, this.#linker.names));
    return [
      ...this.#statements(module, 'augment'),
      ...structures.map((statement) => ({ statement, module })),
    ];
  }

  /**
   * Applies an augment. Returns false if its target does not exist yet; true if it is applied or has faults.
   */
  #applyAugment({ statement, module }: PendingStatement): boolean {
    const { faults } = this.#linker;
    const steps = this.#stepsOf({ statement, module });
    if (!steps) return true;
    const isDone = faults.catching(() => {
      const first = steps[0];
      const target = first && findSchemaNode(this.rootOf(first.module).children, steps);
      if (!target) return false;
      if (statement.keyword.includes(':') && !isInStructure(target))
        throw new InvalidYang(statement, 'RFC 8791 2', `"${statement.argument}" is not in a structure`);
      const firstNewNode = target.children.length;
      expandAugment(
        statement,
        { parent: target, module, groupings: [], depth: depthOf(target) + 1 },
        this.#linker,
      );
      const isConditional = statement.children.some(({ keyword }) => keyword === 'when');
      if (target.module !== module && target.kind !== 'choice' && !isConditional)
        this.#unchecked.push({ statement, nodes: target.children.slice(firstNewNode) });
      return true;
    });
    return isDone ?? true;
  }

  /**
   * Adds a fault for each mandatory configuration node that an unconditional augment adds to another module.
   * Such a node would make valid data invalid (RFC 7950 7.17). Runs after all augments, because a second augment may
   * make a container mandatory that the first one added.
   */
  #checkOptional({ statement, nodes }: AppliedAugment): void {
    for (const node of nodes)
      if (isMandatory(node) && isConfiguration(node))
        this.#linker.faults.add(
          statement,
          'RFC 7950 7.17',
          `the mandatory node "${node.name}" may be added to another module only under a "when"`,
        );
  }

  /** Returns the steps of the path of an augment or deviation, whose modules have trees; undefined if the path has a fault. */
  #stepsOf({ statement, module }: PendingStatement): ReturnType<typeof stepsOf> | undefined {
    const { faults, names } = this.#linker;
    const steps = faults.forUnused(() => faults.catching(() => stepsOf(statement, names, module)));
    for (const step of steps ?? []) this.rootOf(step.module);
    return steps;
  }

  #find(statement: Statement, module: YangModule): SchemaNode {
    const steps = stepsOf(statement, this.#linker.names, module);
    return findNode(steps[0] ? this.rootOf(steps[0].module).children : [], steps, statement);
  }
}

function isInStructure(node: SchemaNode): boolean {
  let at = node;
  while (at.parent && at.kind !== 'structure') at = at.parent;
  return at.parent !== undefined;
}

function depthOf(node: SchemaNode): number {
  let depth = 0;
  for (let at = node.parent; at; at = at.parent) depth += 1;
  return depth;
}

/** Returns true if a node is configuration. Does not depend on `config`, which is not set yet. */
function isConfiguration(node: SchemaNode): boolean {
  for (let at: SchemaNode | undefined = node; at; at = at.parent) {
    if (isOperation(at)) return false;
    if (at.properties.some(({ keyword, argument }) => keyword === 'config' && argument === 'false'))
      return false;
  }
  return true;
}

/**
 * Extensions that define documents outside the data tree (RFC 8040 section 8, RFC 8791), with their modules.
 */
const STRUCTURE_EXTENSIONS: Readonly<Record<string, string>> = {
  'yang-data': 'ietf-restconf',
  structure: 'ietf-yang-structure-ext',
};

/** Returns true for `sx:augment-structure`, which augments a structure (RFC 8791). */
function isStructureAugment(statement: Statement, names: Names): boolean {
  return isExtension(statement, names, ['ietf-yang-structure-ext', 'augment-structure']);
}

function isExtension(statement: Statement, names: Names, [module, name]: readonly [string, string]): boolean {
  const [prefix = '', local] = statement.keyword.split(':');
  return local === name && names.moduleOf(statement, prefix)?.name === module;
}

/** Returns true for `rc:yang-data` and `sx:structure`, with any prefix. */
function isStructure(statement: Statement, names: Names): boolean {
  const [prefix = '', local] = statement.keyword.split(':');
  if (local === undefined || !Object.hasOwn(STRUCTURE_EXTENSIONS, local)) return false;
  return names.moduleOf(statement, prefix)?.name === STRUCTURE_EXTENSIONS[local];
}

/** Creates a node with the content of a structure statement below the root of its module. */
function expandStructure(statement: Statement, environment: ExpandEnvironment, linker: Linker): void {
  linker.faults.catching(() => {
    const { parent, module, depth } = environment;
    linker.budget.takeNode(depth, statement);
    const start = { kind: 'structure', name: statement.argument, module, statement } as const;
    const node = addNode(defineNode({ ...start, properties: statement.children }), parent);
    expandChildren(statement, { ...environment, parent: node, depth: depth + 1 }, linker);
    const isContainer =
      node.children.length === 1 && dataChildren(node.children).every(({ kind }) => kind === 'container');
    if (statement.keyword.endsWith(':yang-data') && !isContainer)
      throw new InvalidYang(statement, 'RFC 8040 8', 'yang-data holds exactly one container');
  });
}

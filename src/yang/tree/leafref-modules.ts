import { invalidYangIn } from '../diagnostic.js';
import type { YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';
import type { SchemaTrees } from './build-tree.js';
import type { Linker } from './linker.js';
import type { NodeDefinition } from './node-definition.js';
import { propertyOf, type SchemaNode } from './schema-node.js';

/**
 * Adds the trees of the modules in leafref paths, until no path contains a module without a tree. Runs before
 * the trees are finished, so that these trees are finished as well.
 */
export function addLeafrefTrees(trees: SchemaTrees, linker: Linker): void {
  const search = new LeafrefModuleSearch(linker);
  for (let modules = search.next(trees); modules.length > 0; modules = search.next(trees)) trees.add(modules);
}

const NO_MODULES: readonly YangModule[] = [];

class LeafrefModuleSearch {
  readonly #linker: Linker;
  readonly #paths = new Set<Statement>();
  /** Definitions of the leaves that were visited. All uses of a grouping have the same. */
  readonly #visited = new Set<NodeDefinition>();

  /** Nodes whose children many nodes share, and whose children were visited. */
  readonly #origins = new Set<SchemaNode>();

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  /** Returns the modules in leafref paths that have no tree yet. */
  next(trees: SchemaTrees): readonly YangModule[] {
    const known = new Set(trees.roots().map(({ module }) => module));
    const modules = new Set<YangModule>();
    const visit = (node: SchemaNode): void => {
      const { definition, origin } = node;
      if (!origin) node.children.forEach(visit);
      else if (!this.#origins.has(origin)) {
        this.#origins.add(origin);
        origin.children.forEach(visit);
      }
      if ((definition.kind !== 'leaf' && definition.kind !== 'leaf-list') || this.#visited.has(definition))
        return;
      this.#visited.add(definition);
      const written = propertyOf(node, 'type');
      if (written) for (const module of this.#modulesIn(written)) if (!known.has(module)) modules.add(module);
    };
    trees.roots().forEach(visit);
    return [...modules];
  }

  #modulesIn(written: Statement): readonly YangModule[] {
    try {
      return this.#modulesOf(this.#linker.types.resolve(written));
    } catch (error) {
      // The fault is added when the trees are finished, unless a deviation removes the node.
      invalidYangIn(error);
      return NO_MODULES;
    }
  }

  #modulesOf(type: YangType): readonly YangModule[] {
    const { path, members } = type;
    // Most types are neither leafrefs nor unions.
    if (!path && !members) return NO_MODULES;
    const inner = (members ?? []).flatMap((member) => this.#modulesOf(member));
    if (!path || this.#paths.has(path)) return inner;
    this.#paths.add(path);
    const prefixes = path.argument.match(/[A-Za-z_][A-Za-z0-9_.-]*(?=:[A-Za-z_])/g) ?? [];
    return [...inner, ...prefixes.flatMap((prefix) => this.#linker.names.moduleOf(path, prefix) ?? [])];
  }
}

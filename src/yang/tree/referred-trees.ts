import type { YangModule } from '../modules/yang-module.js';
import type { Statement } from '../syntax/statement.js';
import type { YangType } from '../types/yang-type.js';
import type { SchemaTrees } from './build-tree.js';
import type { Linker } from './linker.js';
import { propertyOf, type SchemaNode } from './schema-node.js';

/**
 * Adds the trees of modules that leafrefs lead into, with what those augment, until no leafref leads anywhere new.
 * Done before the trees are finished, so that all of them are finished alike.
 */
export function addReferredTrees(trees: SchemaTrees, linker: Linker): void {
  const search = new ReferenceSearch(linker);
  for (let found = search.next(trees); found.length > 0; found = search.next(trees)) trees.add(found);
}

class ReferenceSearch {
  readonly #linker: Linker;
  readonly #paths = new Set<Statement>();

  constructor(linker: Linker) {
    this.#linker = linker;
  }

  /** Modules that leafrefs name and that have no tree yet. */
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

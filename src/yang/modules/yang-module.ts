import type { SourceText, Statement } from '../syntax/statement.js';

/** Text of a module: the module itself, or one of its submodules. */
export interface Unit {
  readonly source: SourceText;
  readonly root: Statement;
  readonly name: string;
  readonly version: '1' | '1.1';
  readonly revision: string | undefined;
  /** Prefix that this text gives its own module. */
  readonly prefix: string;
  readonly module: YangModule;
  /** Modules by the prefixes that this text gives them, its own module included. */
  readonly prefixes: Map<string, YangModule>;
}

/** Identity (RFC 7950 7.18) with the identities that are derived from it directly. */
export interface Identity {
  readonly name: string;
  readonly module: YangModule;
  readonly statement: Statement;
  readonly bases: Identity[];
  readonly derived: Identity[];
  /** False if an if-feature disables the identity. */
  enabled: boolean;
}

/** Module with its submodules and its top-level definitions. */
export interface YangModule {
  readonly name: string;
  readonly namespace: string;
  readonly revision: string | undefined;
  /** The module's own text first, then its submodules. */
  readonly units: Unit[];
  readonly definitions: Definitions;
}

/** Top-level definitions of a module by name, across all its texts. */
export interface Definitions {
  readonly typedef: Map<string, Statement>;
  readonly grouping: Map<string, Statement>;
  readonly feature: Map<string, Statement>;
  readonly extension: Map<string, Statement>;
  readonly identity: Map<string, Identity>;
}

/** Returns the module's own text. */
export function mainUnit(module: YangModule): Unit {
  const [unit] = module.units;
  if (!unit) throw new Error(`module ${module.name} has no text`);
  return unit;
}

/** Returns all top-level statements of a module with the keyword, including those of submodules. */
export function topStatements(module: YangModule, keyword: string): readonly Statement[] {
  return module.units.flatMap(({ root }) => root.children.filter((child) => child.keyword === keyword));
}

import type { SourceText, Statement } from '../syntax/statement.js';
import { InvalidYang } from '../diagnostic.js';

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

/** Name with its prefix replaced by the module that the prefix refers to. */
export interface ResolvedName {
  readonly module: YangModule;
  readonly local: string;
}

/** Resolves names at the place where they are written: prefixes, typedefs and groupings with their scopes. */
export class Names {
  readonly #units: ReadonlyMap<SourceText, Unit>;

  constructor(units: ReadonlyMap<SourceText, Unit>) {
    this.#units = units;
  }

  /** Returns the text that contains a statement. */
  unitOf(statement: Statement): Unit {
    const unit = this.#units.get(statement.source);
    if (!unit) throw new Error(`${statement.source.file} belongs to no module`);
    return unit;
  }

  /**
   * Returns the module that a prefix refers to in the text of a statement; undefined for an unknown prefix.
   */
  moduleOf(statement: Statement, prefix: string): YangModule | undefined {
    return this.unitOf(statement).prefixes.get(prefix);
  }

  /** Splits `prefix:name`. A name without a prefix belongs to the statement's own module. */
  resolve(statement: Statement, name: string): ResolvedName {
    const colon = name.indexOf(':');
    if (colon < 0) return { module: this.unitOf(statement).module, local: name };
    const prefix = name.slice(0, colon);
    const module = this.moduleOf(statement, prefix);
    if (!module)
      throw new InvalidYang(
        statement,
        'RFC 7950 7.1.4',
        `the prefix "${prefix}" stands for no imported module`,
      );
    return { module, local: name.slice(colon + 1) };
  }

  /** Returns the typedef or grouping that a name refers to at its place (RFC 7950 5.5). */
  definition(kind: 'typedef' | 'grouping', at: Statement, name: string): Statement | undefined {
    const { module, local } = this.resolve(at, name);
    if (module === this.unitOf(at).module) {
      for (let scope = at.parent; scope?.parent; scope = scope.parent) {
        const found = scope.children.find(({ keyword, argument }) => keyword === kind && argument === local);
        if (found) return found;
      }
    }
    return module.definitions[kind].get(local);
  }
}

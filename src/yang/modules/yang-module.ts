import { InvalidYang, type ModuleName, nameOf } from '../diagnostic.js';
import { childrenOf, type SourceText, type Statement } from '../syntax/statement.js';

/** Unit of a module: the text of the module itself, or of one of its submodules. */
export interface Unit {
  readonly source: SourceText;
  readonly root: Statement;
  readonly name: string;
  readonly version: '1' | '1.1';
  readonly revision: string | undefined;
  /** Prefix of the own module in this text. */
  readonly prefix: string;
  readonly module: YangModule;
  /** Modules by their prefixes in this text, including the own module. */
  readonly prefixes: Map<string, YangModule>;
  /** Missing modules by their prefixes, of a lenient compilation. */
  readonly missing: Map<string, ModuleName>;
}

/** Identity (RFC 7950 7.18), with its bases and the identities that are directly derived from it. */
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
  /** The text of the module first, then those of its submodules. */
  readonly units: Unit[];
  readonly definitions: Definitions;
}

/** Top-level definitions of a module and its submodules by name. */
interface Definitions {
  readonly typedef: Map<string, Statement>;
  readonly grouping: Map<string, Statement>;
  readonly feature: Map<string, Statement>;
  readonly extension: Map<string, Statement>;
  readonly identity: Map<string, Identity>;
}

/** Returns the unit of the module itself. */
export function mainUnit(module: YangModule): Unit {
  const [unit] = module.units;
  if (!unit) throw new Error(`module ${module.name} has no text`);
  return unit;
}

/** Returns all top-level statements with the keyword in a module and its submodules. */
export function topStatements(module: YangModule, keyword: string): readonly Statement[] {
  return module.units.flatMap(({ root }) => root.children.filter((child) => child.keyword === keyword));
}

/** Name with its prefix replaced by the module that the prefix refers to. */
interface ResolvedName {
  readonly module: YangModule;
  readonly local: string;
}

const NO_STATEMENTS: readonly Statement[] = [];

/** Resolves names in the scope of the statement that contains them: prefixes, typedefs and groupings. */
export class Names {
  readonly #units: ReadonlyMap<SourceText, Unit>;
  /** Typedefs and groupings of the statements in which names were looked up. Most have none. */
  readonly #local = new Map<Statement, readonly Statement[]>();
  /** Names of the submodules that the include statements of a unit lead to. */
  readonly #included = new Map<Unit, ReadonlySet<string>>();

  constructor(units: ReadonlyMap<SourceText, Unit>) {
    this.#units = units;
  }

  /** Returns the unit that contains a statement. */
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

  /** Returns the prefix of a module in the text of a statement; of a module without one there, its own prefix. */
  prefixOf(statement: Statement, module: YangModule): string {
    const known = [...this.unitOf(statement).prefixes].find(([, { name }]) => name === module.name);
    return known?.[0] ?? mainUnit(module).prefix;
  }

  /** Resolves `prefix:name`. A name without a prefix belongs to the module of the statement. */
  resolve(statement: Statement, name: string): ResolvedName {
    const colon = name.indexOf(':');
    if (colon < 0) return { module: this.unitOf(statement).module, local: name };
    const prefix = name.slice(0, colon);
    const module = this.moduleOf(statement, prefix);
    if (!module) throw this.#unknownPrefix(statement, prefix);
    return { module, local: name.slice(colon + 1) };
  }

  /** Returns the module of the import with a prefix if the module is missing, in a lenient compilation. */
  missingModule(statement: Statement, prefix: string): ModuleName | undefined {
    return this.unitOf(statement).missing.get(prefix);
  }

  #unknownPrefix(at: Statement, prefix: string): InvalidYang {
    const missing = this.missingModule(at, prefix);
    if (!missing)
      return new InvalidYang(at, 'RFC 7950 7.1.4', `the prefix "${prefix}" refers to no imported module`);
    const message = `"${at.argument}" needs the module "${nameOf(missing)}", which is missing; give its text as well`;
    return Object.assign(new InvalidYang(at, 'missing', message), { missing });
  }

  /** Returns the typedef or grouping that a name refers to in the scope of a statement (RFC 7950 5.5). */
  definition(kind: 'typedef' | 'grouping', at: Statement, name: string): Statement | undefined {
    const { module, local } = this.resolve(at, name);
    if (module === this.unitOf(at).module) {
      for (let scope = at.parent; scope?.parent; scope = scope.parent) {
        const found = this.#definitionsIn(scope).find(
          ({ keyword, argument }) => keyword === kind && argument === local,
        );
        if (found) return found;
      }
    }
    const found = module.definitions[kind].get(local);
    if (found) this.requireVisible(at, found);
    return found;
  }

  #definitionsIn(scope: Statement): readonly Statement[] {
    let definitions = this.#local.get(scope);
    if (!definitions) {
      definitions = scope.children.filter(({ keyword }) => keyword === 'typedef' || keyword === 'grouping');
      this.#local.set(scope, definitions.length > 0 ? definitions : NO_STATEMENTS);
    }
    return definitions;
  }

  /**
   * Throws InvalidYang if a submodule of YANG 1.0 uses a definition of its module that is not in a submodule that it
   * includes (RFC 6020 5.1). In YANG 1.1 all definitions of a module are visible.
   */
  requireVisible(at: Statement, definition: Statement): void {
    const unit = this.unitOf(at);
    if (unit.version === '1.1' || unit.root.keyword !== 'submodule') return;
    const other = this.unitOf(definition);
    if (other === unit || other.module !== unit.module || this.#includedIn(unit).has(other.name)) return;
    throw new InvalidYang(
      at,
      'RFC 6020 5.1',
      `the submodule "${unit.name}" does not include "${other.name}", which defines "${definition.argument}"; YANG 1.1 allows this`,
    );
  }

  #includedIn(unit: Unit): ReadonlySet<string> {
    const known = this.#included.get(unit);
    if (known) return known;
    const names = new Set<string>();
    const queue = [unit];
    for (let next = queue.pop(); next; next = queue.pop())
      for (const { argument } of childrenOf(next.root, 'include')) {
        const included = unit.module.units.find(({ name }) => name === argument);
        if (!included || names.has(argument)) continue;
        names.add(argument);
        queue.push(included);
      }
    this.#included.set(unit, names);
    return names;
  }
}

import { type FaultList, type ModuleName, nameOf } from '../diagnostic.js';
import { checkGrammar } from '../grammar/check-grammar.js';
import type { Budget } from '../limits.js';
import { parseStatements } from '../syntax/parse-statements.js';
import { argumentOf, childOf, childrenOf, type SourceText, type Statement } from '../syntax/statement.js';
import { collectDefinitions } from './definitions.js';
import { headingOf, type ModuleRegistry } from './library.js';
import type { Unit, YangModule } from './yang-module.js';

/** Input of {@link loadModules}. */
interface LoadRequest {
  readonly sources: readonly SourceText[];
  readonly library: ModuleRegistry;
  readonly budget: Budget;
  readonly faults: FaultList;
  /** True to report a missing module as a warning. What refers to it then has a fault, unless no data depends on it. */
  readonly acceptsMissing: boolean;
}

/** Given modules, and all modules that they need. */
interface LoadedModules {
  /** Main modules of the given texts, in their order. */
  readonly given: readonly YangModule[];
  /** All modules; imported modules come before those that import them. */
  readonly all: readonly YangModule[];
  readonly units: ReadonlyMap<SourceText, Unit>;
}

/** Parses the given texts, and loads the modules and submodules that they import and include. */
export function loadModules(request: LoadRequest): LoadedModules {
  return new Loader(request).load();
}

/** Cache of parsed texts without faults. A library passes the same texts to every compilation. */
const validTexts = new WeakMap<SourceText, Statement>();

function parseChecked(source: SourceText, budget: Budget, faults: FaultList): Statement | undefined {
  const addedBefore = faults.added;
  const beginning = { source, line: 1, column: 1 };
  const root = checkGrammar(parseStatements(source, budget, faults), beginning, faults);
  if (root && faults.added === addedBefore) validTexts.set(source, root);
  return root;
}

function withoutCopies(sources: readonly SourceText[]): readonly SourceText[] {
  const first = new Map<string, SourceText>();
  for (const source of sources) if (!first.has(source.text)) first.set(source.text, source);
  return sources.filter((source) => first.get(source.text) === source);
}

interface GivenText {
  readonly source: SourceText;
  readonly name: string;
  readonly revision: string | undefined;
}

class Loader {
  readonly #request: LoadRequest;
  /** Given texts, without copies of others, such as a file and a link to it. */
  readonly #sources: readonly SourceText[];
  readonly #given: readonly GivenText[];
  readonly #roots = new Map<SourceText, Statement | undefined>();
  readonly #modules = new Map<SourceText, YangModule>();
  readonly #units = new Map<SourceText, Unit>();
  readonly #loading: YangModule[] = [];
  /** Texts whose imports and includes are being followed. */
  readonly #open: Unit[] = [];
  readonly #missing = new Set<string>();

  constructor(request: LoadRequest) {
    this.#request = request;
    this.#sources = withoutCopies(request.sources);
    this.#given = this.#sources.flatMap((source) => {
      const heading = headingOf(source.text);
      return heading ? [{ source, name: heading.name, revision: heading.revision }] : [];
    });
  }

  load(): LoadedModules {
    const given: YangModule[] = [];
    for (const source of this.#sources) {
      const root = this.#parse(source);
      if (root?.keyword !== 'module') continue;
      const module = this.#modules.get(source) ?? this.#loadModule(root);
      if (!given.includes(module)) given.push(module);
    }
    if (given.length === 0) this.#refuseSubmodules();
    return { given, all: [...this.#modules.values()], units: this.#units };
  }

  /** Adds a fault for each given submodule, because no given text is the module. */
  #refuseSubmodules(): void {
    for (const source of this.#sources) {
      const root = this.#parse(source);
      if (!root) continue;
      const owner = argumentOf(root, 'belongs-to') ?? '';
      const message = `the submodule "${root.argument}" is only a part of the module "${owner}"; give the text of "${owner}" as well`;
      this.#request.faults.add(root, 'RFC 7950 7.2', message);
    }
  }

  #parse(source: SourceText): Statement | undefined {
    const { budget, faults } = this.#request;
    if (!this.#roots.has(source))
      this.#roots.set(source, validTexts.get(source) ?? parseChecked(source, budget, faults));
    return this.#roots.get(source);
  }

  #loadModule(root: Statement): YangModule {
    const module: YangModule = {
      name: root.argument,
      namespace: argumentOf(root, 'namespace') ?? '',
      revision: newestRevision(root),
      units: [],
      definitions: {
        typedef: new Map(),
        grouping: new Map(),
        feature: new Map(),
        extension: new Map(),
        identity: new Map(),
      },
    };
    this.#loading.push(module);
    this.#addUnit(module, root);
    this.#loading.pop();
    collectDefinitions(module, this.#request.faults);
    this.#modules.set(root.source, module);
    return module;
  }

  #addUnit(module: YangModule, root: Statement): void {
    const headerStatement = childOf(root, 'belongs-to') ?? root;
    const prefix = argumentOf(headerStatement, 'prefix') ?? '';
    const unit: Unit = {
      source: root.source,
      root,
      name: root.argument,
      version: versionOf(root),
      revision: newestRevision(root),
      prefix,
      module,
      prefixes: new Map([[prefix, module]]),
      missing: new Map(),
    };
    module.units.push(unit);
    this.#units.set(root.source, unit);
    this.#open.push(unit);
    for (const statement of childrenOf(root, 'import')) this.#import(unit, statement);
    for (const statement of childrenOf(root, 'include')) this.#include(unit, statement);
    this.#open.pop();
  }

  #import(unit: Unit, statement: Statement): void {
    const { faults } = this.#request;
    const prefix = argumentOf(statement, 'prefix') ?? '';
    if (unit.prefixes.has(prefix))
      faults.add(statement, 'RFC 7950 7.1.5', `the prefix "${prefix}" already refers to another module`);
    const cycleStart = this.#loading.findIndex(({ name }) => name === statement.argument);
    if (cycleStart >= 0) {
      const names = [...this.#loading.slice(cycleStart).map(({ name }) => name), statement.argument];
      faults.add(statement, 'RFC 7950 5.1', `modules import each other in a cycle: ${names.join(' -> ')}`);
      return;
    }
    const source = this.#find(statement, 'module');
    const root = source && this.#parse(source);
    if (!source) unit.missing.set(prefix, nameIn(statement));
    if (!source || !root) return;
    if (unit.version === '1') checkImportedVersion(statement, root, faults);
    unit.prefixes.set(prefix, this.#modules.get(source) ?? this.#loadModule(root));
  }

  #include(unit: Unit, statement: Statement): void {
    const { module } = unit;
    checkMainModuleIncludes(unit, statement, this.#request.faults);
    if (module.units.some(({ name }) => name === statement.argument)) {
      this.#checkIncludeCycle(unit, statement);
      return;
    }
    const source = this.#find(statement, 'submodule');
    const root = source && this.#parse(source);
    if (!root) return;
    const ownerName = argumentOf(root, 'belongs-to') ?? '';
    if (versionOf(root) !== unit.version)
      this.#request.faults.add(
        statement,
        'RFC 7950 12',
        `"${unit.name}" is YANG ${unit.version}, and its submodule "${root.argument}" is YANG ${versionOf(root)}`,
      );
    if (ownerName === module.name) this.#addUnit(module, root);
    else
      this.#request.faults.add(
        statement,
        'RFC 7950 7.2.2',
        `submodule "${root.argument}" belongs to "${ownerName}", not to "${module.name}"`,
      );
  }

  /** Checks an `include` of a text that is known already. YANG 1.1 allows cycles (RFC 7950 5.1), and nothing is lost by those of YANG 1.0. */
  #checkIncludeCycle({ name, version, module }: Unit, at: Statement): void {
    const { argument } = at;
    const { faults } = this.#request;
    if (argument === name || argument === module.name)
      faults.add(at, 'RFC 7950 7.1.6', `"${argument}" cannot be included in "${name}"`);
    const start = this.#open.findIndex((unit) => unit.module === module && unit.name === argument);
    if (version === '1.1' || start < 0) return;
    const names = [...this.#open.slice(start).map((unit) => unit.name), argument];
    faults.warn(at, 'RFC 6020 5.1', `submodules include each other in a cycle: ${names.join(' -> ')}`);
  }

  #find(statement: Statement, kind: 'module' | 'submodule'): SourceText | undefined {
    const { name, revision } = nameIn(statement);
    const source = this.#newestGiven(name, revision) ?? this.#request.library.find(name, revision);
    if (source && this.#parse(source)?.keyword === kind) return source;
    const wantedName = nameOf({ name, revision });
    if (source) {
      // The faults of a text that cannot be parsed have already been reported.
      if (this.#parse(source))
        this.#request.faults.add(statement, 'RFC 7950 7.1.5', `"${wantedName}" is not a ${kind}`);
    } else if (!this.#missing.has(wantedName)) {
      this.#missing.add(wantedName);
      if (this.#request.acceptsMissing && kind === 'module') {
        const fault = { at: statement, rule: 'missing', message: `module "${wantedName}" is missing` };
        this.#request.faults.addTolerable(fault, '; nothing uses what it defines');
        return undefined;
      }
      const { line, column } = statement;
      const message = `${kind} "${wantedName}" is missing; give its text as well`;
      const missing = { name, revision };
      this.#request.faults.push({
        file: statement.source.file,
        line,
        column,
        rule: 'missing',
        message,
        missing,
      });
    }
    return undefined;
  }

  #newestGiven(name: string, revision: string | undefined): SourceText | undefined {
    const candidates = this.#given.filter(
      (text) => text.name === name && (revision === undefined || text.revision === revision),
    );
    return candidates.sort((a, b) => ((a.revision ?? '') < (b.revision ?? '') ? 1 : -1))[0]?.source;
  }
}

/**
 * Adds a fault if a submodule includes another submodule that the module does not include. YANG 1.1 requires
 * the module to include all of its submodules (RFC 7950 7.1.6).
 */
function checkMainModuleIncludes({ module, version }: Unit, include: Statement, faults: FaultList): void {
  const mainStatements = module.units[0]?.root.children ?? [];
  if (
    version === '1' ||
    mainStatements.some(({ keyword, argument }) => keyword === 'include' && argument === include.argument)
  )
    return;
  faults.add(include, 'RFC 7950 7.1.6', `module "${module.name}" must include "${include.argument}" itself`);
}

/** Returns the name and the revision in an `import` or `include` statement. */
function nameIn(statement: Statement): ModuleName {
  return { name: statement.argument, revision: argumentOf(statement, 'revision-date') };
}

function versionOf(root: Statement): '1' | '1.1' {
  return argumentOf(root, 'yang-version') === '1.1' ? '1.1' : '1';
}

/** Adds a fault if YANG 1.0 imports a module of YANG 1.1 by revision (RFC 7950 section 12). */
function checkImportedVersion(statement: Statement, imported: Statement, faults: FaultList): void {
  const isByRevision = childOf(statement, 'revision-date') !== undefined;
  if (versionOf(imported) === '1.1' && isByRevision)
    faults.add(
      statement,
      'RFC 7950 12',
      `a module of YANG 1 cannot import the YANG 1.1 module "${imported.argument}" by revision`,
    );
}

function newestRevision(root: Statement): string | undefined {
  return childrenOf(root, 'revision')
    .map(({ argument }) => argument)
    .sort()
    .at(-1);
}

import { didYouMean } from '../lib/closest-name.js';
import { FaultList, type YangFault } from './diagnostic.js';
import { SubtreeIds } from './json-schema/subtree-ids.js';
import type { Budget } from './limits.js';
import { checkScopes, nestedStatements } from './modules/definitions.js';
import { checkExtensions } from './modules/extensions.js';
import { type FeatureChoice, Features } from './modules/features.js';
import { linkIdentities } from './modules/identities.js';
import type { ModuleRegistry } from './modules/library.js';
import { loadModules } from './modules/load-modules.js';
import { mainUnit, Names, type YangModule } from './modules/yang-module.js';
import { childOf, type SourceText, type Statement } from './syntax/statement.js';
import { SchemaTrees } from './tree/build-tree.js';
import { ExpandedGroupings } from './tree/expanded-groupings.js';
import { finishTrees } from './tree/finish-tree.js';
import { checkIdentityStatuses } from './tree/inherit-status.js';
import { addLeafrefTrees } from './tree/leafref-modules.js';
import type { Linker } from './tree/linker.js';
import { SharedDefinitions } from './tree/node-definition.js';
import { Types } from './types/resolve-type.js';

/** Input of {@link linkModules}. */
interface LinkRequest {
  readonly sources: readonly SourceText[];
  readonly library: ModuleRegistry;
  readonly features: FeatureChoice;
  readonly acceptsUnknownFeatures: boolean;
  /** Names of library modules that are compiled although no given text imports them, usually deviations. */
  readonly extraModules: readonly string[];
  /** True to tolerate faults that leave no doubt about the meaning of a text, and not to enforce what cannot be. */
  readonly isLenient: boolean;
  /** False if a lenient compilation refuses an import of a missing module, because a caller may find the module. */
  readonly acceptsMissing?: boolean;
  readonly budget: Budget;
}

/** Modules with their complete schema trees. */
export interface LinkedModules {
  readonly given: readonly YangModule[];
  readonly all: readonly YangModule[];
  readonly trees: SchemaTrees;
  readonly names: Names;
  readonly types: Types;
  readonly subtrees: SubtreeIds;
  /** Tolerated faults of all texts. */
  readonly tolerated: readonly YangFault[];
  /** Violations that do not change the data of a module. */
  readonly warnings: readonly YangFault[];
  /** Invalid conditions, which a lenient compilation does not enforce. */
  readonly unenforced: ReadonlySet<Statement>;
}

/** Linked modules, or all faults. */
type Linked = { readonly value: LinkedModules } | { readonly faults: readonly YangFault[] };

/**
 * Parses modules and builds their schema trees. Stops after a stage with faults, because the next stage would
 * report the same faults again.
 */
export function linkModules(request: LinkRequest): Linked {
  const faults = new FaultList(request);
  const value = faults.catchingAll(() => link(request, faults));
  return value && faults.size === 0 ? { value } : { faults: faults.list() };
}

function link(request: LinkRequest, faults: FaultList): LinkedModules | undefined {
  const { budget, library } = request;
  const extraModules = request.extraModules.flatMap((name) => loadExtraModule(name, library, faults));
  const sources = [...request.sources, ...extraModules];
  const acceptsMissing = request.isLenient && request.acceptsMissing !== false;
  const loaded = loadModules({ sources, library, budget, faults, acceptsMissing });
  if (faults.size > 0) return undefined;
  checkNamespaces(loaded.all, faults);
  if (!request.acceptsUnknownFeatures) checkFeatures(request.features, loaded.all, faults);
  if (faults.size > 0) return undefined;
  const names = new Names(loaded.units);
  const features = new Features(names, request.features, faults);
  const types = new Types(names, features, faults);
  const shared = new SharedDefinitions();
  const unenforced = new Set<Statement>();
  const sets = { usedGroupings: new Set<Statement>(), unenforced };
  const expanded = new ExpandedGroupings();
  const linker: Linker = { names, features, types, budget, faults, shared, expanded, ...sets };
  for (const module of loaded.all) {
    const { definitions, extensions } = nestedStatements(module);
    checkScopes(module, definitions, faults);
    checkExtensions(extensions, names, faults);
    features.checkModule(module, faults);
  }
  linkIdentities(loaded.all, { names, features, faults });
  checkIdentityStatuses(loaded.all, names, faults);
  if (faults.size > 0) return undefined;
  const trees = new SchemaTrees(linker);
  trees.add(loaded.given);
  if (faults.size > 0) return undefined;
  // The modules in leafref paths may have deviations too, and a deviation may add a leafref.
  if (trees.hasDeviations) addLeafrefTrees(trees, linker);
  trees.applyDeviations();
  addLeafrefTrees(trees, linker);
  trees.applyDeviations();
  if (faults.size > 0) return undefined;
  finishTrees(trees, loaded.given, linker);
  shared.clear();
  expanded.clear();
  const given = loaded.given.filter((module) =>
    request.sources.some(({ file }) => isGivenModule(module, file)),
  );
  const [tolerated, warnings] = [faults.tolerated(), faults.warnings()];
  const subtrees = new SubtreeIds();
  const findings = { tolerated, warnings, unenforced };
  return { given, all: loaded.all, trees, names, types: linker.types, subtrees, ...findings };
}

/** Adds a fault for each module with the namespace of another module (RFC 7950 7.1.3). */
function checkNamespaces(modules: readonly YangModule[], faults: FaultList): void {
  const owners = new Map<string, YangModule>();
  for (const module of modules) {
    const { name, namespace } = module;
    const owner = owners.get(namespace);
    if (!owner) owners.set(namespace, module);
    else if (owner.name !== name) {
      const { root } = mainUnit(module);
      const message = `the modules "${owner.name}" and "${name}" have the same namespace "${namespace}"`;
      faults.add(childOf(root, 'namespace') ?? root, 'RFC 7950 7.1.3', message);
    }
  }
}

/** Adds a fault for each module and feature of a choice that does not exist. */
function checkFeatures(choice: FeatureChoice, modules: readonly YangModule[], faults: FaultList): void {
  for (const [module, names] of choice) {
    const named = modules.filter(({ name }) => name === module);
    const add = (message: string, name?: string) => {
      const feature = { module, ...(name !== undefined && { name }) };
      faults.push({ file: 'features', line: 0, column: 0, rule: 'features', message, feature });
    };
    if (named.length === 0) add(`no module "${module}" takes part; remove it, or give its text`);
    const known = new Set(named.flatMap(({ definitions }) => [...definitions.feature.keys()]));
    for (const name of named.length > 0 ? names : [])
      if (name !== '*' && !known.has(name))
        add(`the module "${module}" has no feature "${name}"${didYouMean(name, [...known])}`, name);
  }
}

function loadExtraModule(name: string, library: ModuleRegistry, faults: FaultList): readonly SourceText[] {
  const source = library.find(name, undefined);
  if (!source)
    faults.push({
      file: name,
      line: 0,
      column: 0,
      rule: 'missing',
      message: `module "${name}" is missing; give its text`,
      missing: { name, revision: undefined },
    });
  return source ? [source] : [];
}

function isGivenModule(module: YangModule, file: string): boolean {
  return module.units[0]?.source.file === file;
}

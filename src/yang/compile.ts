import { Budget, DEFAULT_LIMITS, type Limits } from './limits.js';
import type { YangFault } from './diagnostic.js';
import type { Content, Draft, Schema, YangWarning } from './json-schema/schema-types.js';
import { writeModule } from './json-schema/write-module.js';
import { type LinkedModules, linkModules } from './link.js';
import type { FeatureChoice } from './modules/features.js';
import { type ModuleRegistry, NO_LIBRARY } from './modules/library.js';
import { mainUnit } from './modules/yang-module.js';
import type { SourceText } from './syntax/statement.js';

/** What to compile, and how. Everything but the texts has a default. */
export interface CompileOptions {
  /** Where imported modules are looked for that are not given. */
  readonly library?: ModuleRegistry;
  /** Features that are on; of a module that is not named, all are. */
  readonly features?: FeatureChoice;
  /** Names of modules in the library that take part although nothing imports them, to deviate or augment. */
  readonly deviations?: readonly string[];
  readonly draft?: Draft;
  /** `config` (default) for configuration alone, `all` with state as well. */
  readonly content?: Content;
  /** `data` (default), or `rpc:NAME/input`, `rpc:NAME/output`, `notification:NAME`, `structure:NAME`. */
  readonly target?: string;
  /** A data node to start from, such as `/module:container/list`; default: everything. */
  readonly path?: string;
  readonly limits?: Partial<Limits>;
  /** Milliseconds of any clock that never goes back; the limit on time looks at it. */
  readonly now?: () => number;
}

/** A main module as JSON Schema. */
export interface CompiledModule {
  readonly module: string;
  readonly revision: string | undefined;
  readonly namespace: string;
  readonly schema: Schema;
  readonly uiSchema: Schema;
  readonly warnings: readonly YangWarning[];
  /** Other documents that the module defines, as `target` would name them. */
  readonly targets: readonly string[];
}

/** The compiled modules in the order of their texts, or everything that is wrong with them. */
export type Compiled =
  { readonly modules: readonly CompiledModule[] } | { readonly faults: readonly YangFault[] };

/**
 * Compiles YANG 1.0 and 1.1 (RFC 6020, RFC 7950) into JSON Schema for RFC 7951 documents, one schema for each main
 * module among the texts. Reads nothing but its arguments and never throws because of what a text holds.
 */
export function compileYang(sources: readonly SourceText[], options: CompileOptions = {}): Compiled {
  const linked = openModules(sources, options);
  if ('faults' in linked) return linked;
  const written = linked.value.given.map((module) => {
    const schema = writeModule(module, linked.value, options);
    if ('refused' in schema) return schema;
    const { name, revision, namespace } = module;
    return { module: name, revision, namespace, ...schema };
  });
  const faults = written.flatMap((one, at) =>
    'refused' in one
      ? [{ file: fileOf(linked.value, at), line: 0, column: 0, rule: 'path', message: one.refused }]
      : [],
  );
  const modules = written.flatMap((one) => ('refused' in one ? [] : [one]));
  // A path or target leads into one of the modules; only one that leads nowhere is a fault.
  return modules.length > 0 || faults.length === 0 ? { modules } : { faults };
}

/** As {@link compileYang}, up to the finished schema trees. */
export function openModules(
  sources: readonly SourceText[],
  options: CompileOptions = {},
): ReturnType<typeof linkModules> {
  return linkModules({
    sources,
    library: options.library ?? NO_LIBRARY,
    features: options.features ?? new Map(),
    extra: options.deviations ?? [],
    budget: new Budget({ ...DEFAULT_LIMITS, ...options.limits }, options.now ?? (() => performance.now())),
  });
}

function fileOf(linked: LinkedModules, at: number): string {
  const module = linked.given[at];
  return module ? mainUnit(module).source.file : '';
}

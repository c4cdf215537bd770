import { Budget, DEFAULT_LIMITS, type Limits } from './limits.js';
import type { YangFault } from './diagnostic.js';
import type { Content } from './json-schema/annotations.js';
import { revisionWarnings, toleratedWarning, warningsOf, type YangWarning } from './json-schema/warnings.js';
import { type LinkedModules, linkModules } from './link.js';
import type { FeatureChoice } from './modules/features.js';
import { type ModuleRegistry, NO_LIBRARY } from './modules/library.js';
import { mainUnit, type YangModule } from './modules/yang-module.js';
import type { SourceText } from './syntax/statement.js';
import type { SchemaNode } from './tree/schema-node.js';
import { Definitions, type Draft, type Schema } from './json-schema/definitions.js';
import { NodeSchemas } from './json-schema/node-schema.js';
import { findTarget, targetsOf } from './json-schema/data-path.js';
import { uiSchemaOf } from './json-schema/ui-schema.js';

/** Options of a compilation. All of them have defaults. */
export interface CompileOptions {
  /** Library of modules that the given modules import. */
  readonly library?: ModuleRegistry;
  /** Enabled features. A module without an entry has all features enabled. */
  readonly features?: FeatureChoice;
  /**
   * Names of library modules that are compiled although no module imports them, because they deviate or
   * augment the given modules.
   */
  readonly deviations?: readonly string[];
  readonly draft?: Draft;
  /** `config` (default) for configuration only, `all` to include state. */
  readonly content?: Content;
  /**
   * Document to write: `data` (default), or `rpc:NAME/input`, `rpc:NAME/output`, `notification:NAME`,
   * `structure:NAME`.
   */
  readonly target?: string;
  /** Data node at the root of the document, such as `/module:container/list`; all data nodes by default. */
  readonly path?: string;
  /**
   * True to report two faults of published modules as warnings: statements of a module in the wrong order, and a slash at the
   * end of the path of an `augment`.
   */
  readonly lenient?: boolean;
  readonly limits?: Partial<Limits>;
  /** Returns milliseconds of a monotonic clock, for the time limit. */
  readonly now?: () => number;
}

/** Compiled module: its JSON Schema, its UI schema and warnings. */
export interface CompiledModule {
  readonly module: string;
  readonly revision: string | undefined;
  readonly namespace: string;
  readonly schema: Schema;
  readonly uiSchema: Schema;
  readonly warnings: readonly YangWarning[];
  /** Other documents that the module defines, as values of `target`. */
  readonly targets: readonly string[];
}

/** Compiled modules in the order of the given texts, or all faults. */
export type Compiled =
  { readonly modules: readonly CompiledModule[] } | { readonly faults: readonly YangFault[] };

/**
 * Compiles YANG 1.0 and 1.1 (RFC 6020, RFC 7950) into JSON Schema for RFC 7951 documents. Returns one schema
 * for each module among the texts; a submodule has no separate schema. Never throws because of the content of
 * a text.
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
  const faults = written.flatMap((result, at) =>
    'refused' in result
      ? [{ file: fileOf(linked.value, at), line: 0, column: 0, rule: 'path', message: result.refused }]
      : [],
  );
  const modules = written.flatMap((result) => ('refused' in result ? [] : [result]));
  // A path or target belongs to one of the modules, so it is a fault only if no module has it.
  return modules.length > 0 || faults.length === 0 ? { modules } : { faults };
}

function fileOf(linked: LinkedModules, at: number): string {
  const module = linked.given[at];
  return module ? mainUnit(module).source.file : '';
}

/** Parses and links modules without writing schemas. See {@link compileYang}. */
export function openModules(
  sources: readonly SourceText[],
  options: CompileOptions = {},
): ReturnType<typeof linkModules> {
  return linkModules({
    sources,
    library: options.library ?? NO_LIBRARY,
    features: options.features ?? new Map(),
    extraModules: options.deviations ?? [],
    isLenient: options.lenient ?? false,
    budget: new Budget({ ...DEFAULT_LIMITS, ...options.limits }, options.now ?? (() => performance.now())),
  });
}

/** Options of {@link writeModule}. */
interface WriteOptions {
  readonly draft?: Draft;
  readonly content?: Content;
  readonly target?: string;
  readonly path?: string;
}

/** Output of {@link writeModule}. */
interface WrittenModule {
  readonly schema: Schema;
  readonly uiSchema: Schema;
  readonly warnings: readonly YangWarning[];
  readonly targets: readonly string[];
}

/**
 * Writes the JSON Schema of one document of a module. Returns `refused` if the target or path does not exist.
 */
export function writeModule(
  module: YangModule,
  linked: LinkedModules,
  options: WriteOptions,
): WrittenModule | { readonly refused: string } {
  const root = linked.trees.rootOf(module);
  const found = findTarget(root, options);
  if ('refused' in found) return found;
  const { nodes, start } = found;
  const definitions = new Definitions();
  const draft = options.draft ?? '2020-12';
  const schemas = new NodeSchemas({ names: linked.names, content: options.content ?? 'config', definitions });
  const isIncluded = (node: SchemaNode) => schemas.isIncluded(node);
  const schema = {
    $schema: SCHEMA_URIS[draft],
    title: module.name,
    ...(start ? schemas.document(start) : schemas.object(nodes)),
    'x-yang': {
      kind: 'module',
      module: module.name,
      namespace: module.namespace,
      revision: module.revision ?? null,
    },
  };
  return {
    schema: definitions.write(schema, draft === '07' ? 'definitions' : '$defs'),
    uiSchema: uiSchemaOf(found, isIncluded),
    warnings: [
      ...linked.tolerated.map(toleratedWarning),
      ...revisionWarnings(module),
      ...warningsOf(nodes, (node) => node === start || isIncluded(node)),
    ],
    targets: targetsOf(root),
  };
}

const SCHEMA_URIS: Readonly<Record<Draft, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '07': 'http://json-schema.org/draft-07/schema#',
};

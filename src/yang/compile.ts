import type { YangModelArchive } from '../core/yang.js';
import type { YangFault } from './diagnostic.js';
import type { Content } from './json-schema/annotations.js';
import { findTarget, type TargetDocument, targetsOf } from './json-schema/data-path.js';
import { Definitions, type Draft, type Schema } from './json-schema/definitions.js';
import { defaultDraft, type Dialect } from './json-schema/dialect.js';
import { layoutOf } from './json-schema/layout.js';
import { moduleWarnings } from './json-schema/module-warnings.js';
import { NodeSchemas } from './json-schema/node-schema.js';
import { uiSchemaOf } from './json-schema/ui-schema.js';
import { type Warnings, warningsOf, type YangWarning } from './json-schema/warnings.js';
import { Budget, DEFAULT_LIMITS, type Limits } from './limits.js';
import { type LinkedModules, linkModules } from './link.js';
import { archiveModel } from './model-archive.js';
import { BUNDLED_MODULES, bundledIn, firstOf } from './modules/bundled-modules.js';
import type { FeatureChoice } from './modules/features.js';
import { type ModuleRegistry, NO_LIBRARY } from './modules/library.js';
import { mainUnit, type YangModule } from './modules/yang-module.js';
import type { SourceText } from './syntax/statement.js';
import type { SchemaNode } from './tree/schema-node.js';

/** Options of a compilation. All of them have defaults. */
export interface CompileOptions {
  /** Library of modules that the given modules import. */
  readonly library?: ModuleRegistry;
  /** False to leave out the published modules of the package, which provide imports that nothing else provides. */
  readonly bundled?: boolean;
  /** Enabled features. A module without an entry has all features enabled. */
  readonly features?: FeatureChoice;
  /** True to accept features and modules of the choice that do not exist, as in the list of a server. */
  readonly acceptsUnknownFeatures?: boolean;
  /**
   * Names of library modules that are compiled although no module imports them, because they deviate or
   * augment the given modules.
   */
  readonly deviations?: readonly string[];
  /** Draft of the schema. The default depends on the dialect. */
  readonly draft?: Draft;
  /** Form library that reads the schema; `plain` by default. */
  readonly dialect?: Dialect;
  /** `config` (default) for configuration only, `all` to include state. */
  readonly content?: Content;
  /**
   * Document to write: `data` (default), `datastore` for one document with the data of all given modules, or
   * `rpc:NAME/input`, `rpc:NAME/output`, `notification:NAME`, `structure:NAME`.
   */
  readonly target?: string;
  /** Data node at the root of the document, such as `/module:container/list`; all data nodes by default. */
  readonly path?: string;
  /**
   * True to report as warnings faults that change no meaning (statements of a module in the wrong order, a slash at the end
   * of the path of an `augment`, an input without data, a YANG 1.0 name that begins with `xml`, bytes that are not UTF-8),
   * invalid patterns and conditions, which are then not enforced, unknown statements, which are left out, and missing imports
   * that no data needs.
   */
  readonly lenient?: boolean;
  /** True to return an archive of the model, to which the schemas refer. */
  readonly withModel?: boolean;
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
  /** Number of all warnings about rules by kind; `warnings` lists up to 1,000 of them. */
  readonly warningCounts: Warnings['warningCounts'];
  /** Other documents that the module defines, as values of `target`. */
  readonly targets: readonly string[];
}

/** Compiled modules in the order of the given texts, or all faults. */
export type Compiled =
  | {
      readonly modules: readonly CompiledModule[];
      /** `name@revision` of the modules of the package that were imported. */
      readonly bundled: readonly string[];
      readonly model?: YangModelArchive;
    }
  | { readonly faults: readonly YangFault[] };

/**
 * Compiles YANG 1.0 and 1.1 (RFC 6020, RFC 7950) into JSON Schema for RFC 7951 documents. Returns one schema
 * for each module among the texts; a submodule has no separate schema. Never throws because of the content of
 * a text.
 *
 * @example
 * ```ts
 * const compiled = compileYang([{ file: 'vlan.yang', text }], { library: directoryLibrary(['models']) });
 * if ('faults' in compiled) console.error(compiled.faults.map(formatYangFault).join('\n'));
 * else console.log(JSON.stringify(compiled.modules[0].schema));
 * ```
 */
export function compileYang(sources: readonly SourceText[], options: CompileOptions = {}): Compiled {
  const opened = openDocuments(sources, options);
  if ('faults' in opened) return opened;
  const { documents, bundled, model } = opened.value;
  return { modules: [...documents], bundled, ...(model && { model }) };
}

/** Documents of a compilation, which are written when they are read, so that a caller need not keep all of them. */
export interface OpenDocuments {
  /** Number of the documents. */
  readonly count: number;
  /** Compiled modules in the order of the given texts. */
  readonly documents: Iterable<CompiledModule>;
  /** `name@revision` of the modules of the package that were imported. */
  readonly bundled: readonly string[];
  readonly model?: YangModelArchive;
}

/** Parses and links modules, and finds the documents to write. See {@link compileYang}. */
export function openDocuments(
  sources: readonly SourceText[],
  options: CompileOptions = {},
): { readonly value: OpenDocuments } | { readonly faults: readonly YangFault[] } {
  const opened = openModules(sources, options);
  if ('faults' in opened) return opened;
  const linked = opened.value;
  const model = options.withModel ? archiveModel(linked, options) : undefined;
  const found = findDocuments(linked, { ...options, model: model?.digest });
  if ('faults' in found) return found;
  return { value: { ...found, bundled: bundledIn(linked.all), ...(model && { model }) } };
}

function findDocuments(
  linked: LinkedModules,
  options: WriteOptions,
): Pick<OpenDocuments, 'count' | 'documents'> | { readonly faults: readonly YangFault[] } {
  const found =
    options.target === 'datastore'
      ? [findDatastore(linked, options)]
      : linked.given.map((module) => findModule(module, linked, options));
  const faults = found.flatMap((result, at) =>
    'refused' in result
      ? [{ file: fileOf(linked, at), line: 0, column: 0, rule: 'path', message: result.refused }]
      : [],
  );
  const writers = found.flatMap((result) => ('refused' in result ? [] : [result.write]));
  // A path or target belongs to one of the modules, so it is a fault only if no module has it.
  if (writers.length === 0 && faults.length > 0) return { faults };
  return { count: writers.length, documents: writeEach(writers) };
}

/** The first document also has the warnings about texts that belong to no given module, so that each is listed once. */
function* writeEach(writers: readonly WriteDocument[]): Generator<CompiledModule> {
  for (const [at, write] of writers.entries()) yield write(at === 0);
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
    library: firstOf(options.library ?? NO_LIBRARY, options.bundled === false ? NO_LIBRARY : BUNDLED_MODULES),
    features: options.features ?? new Map(),
    acceptsUnknownFeatures: options.acceptsUnknownFeatures ?? false,
    extraModules: options.deviations ?? [],
    isLenient: options.lenient ?? false,
    acceptsMissing: options.bundled !== false,
    budget: new Budget({ ...DEFAULT_LIMITS, ...options.limits }, options.now ?? (() => performance.now())),
  });
}

/** Options of a document. */
interface WriteOptions {
  readonly draft?: Draft;
  readonly dialect?: Dialect;
  readonly content?: Content;
  readonly target?: string;
  readonly path?: string;
  /** Digest of the archive of the model. */
  readonly model?: string | undefined;
}

/** Writes a document. `hasOthers`: with the warnings about texts that belong to no given module. */
type WriteDocument = (hasOthers: boolean) => CompiledModule;

/** Function that writes a document, or the reason why the target or path does not exist. */
type FoundDocument = { readonly write: WriteDocument } | { readonly refused: string };

/** Writes the JSON Schema of one document of a module. Returns the reason if the target or path does not exist. */
export function writeModule(
  module: YangModule,
  linked: LinkedModules,
  options: WriteOptions,
): CompiledModule | { readonly refused: string } {
  const found = findModule(module, linked, options);
  return 'refused' in found ? found : found.write(true);
}

function findModule(module: YangModule, linked: LinkedModules, options: WriteOptions): FoundDocument {
  const root = linked.trees.rootOf(module);
  const found = findTarget([root], options);
  if ('refused' in found) return found;
  const { name, revision, namespace } = module;
  const about = { kind: 'module', module: name, namespace, revision: revision ?? null };
  const write: WriteDocument = (hasOthers) => {
    const written = writeDocument(found, linked, { ...options, title: name, about });
    const ofData = (options.target ?? 'data') === 'data' && options.path === undefined;
    const content = ofData ? (options.content ?? 'config') : undefined;
    const warnings = moduleWarnings(linked, { modules: [module], hasOthers, content }).concat(
      written.warnings,
    );
    return { module: name, revision, namespace, ...written, warnings, targets: targetsOf(root) };
  };
  return { write };
}

/** Finds the document with the data nodes of all given modules, such as a RESTCONF datastore. */
function findDatastore(linked: LinkedModules, { path, ...options }: WriteOptions): FoundDocument {
  const roots = linked.given.map((module) => linked.trees.rootOf(module));
  const found = findTarget(roots, path === undefined ? {} : { path });
  if ('refused' in found) return found;
  const modules = linked.given.map(({ name, revision, namespace }) => ({
    module: name,
    namespace,
    revision: revision ?? null,
  }));
  const about = { kind: 'datastore', modules };
  const write = () => {
    const written = writeDocument(found, linked, { ...options, title: 'datastore', about });
    const warnings = moduleWarnings(linked, { modules: linked.given, hasOthers: true }).concat(
      written.warnings,
    );
    return { module: 'datastore', revision: undefined, namespace: '', ...written, warnings, targets: [] };
  };
  return { write };
}

/** Options of {@link writeDocument}: also the title and the root annotations of the schema. */
interface DocumentOptions extends WriteOptions {
  readonly title: string;
  readonly about: Schema;
}

function writeDocument(
  found: TargetDocument,
  linked: LinkedModules,
  options: DocumentOptions,
): Pick<CompiledModule, 'schema' | 'uiSchema' | 'warnings' | 'warningCounts'> {
  const { nodes, start } = found;
  const { names, subtrees } = linked;
  const definitions = new Definitions(names);
  const dialect = options.dialect ?? 'plain';
  const draft = options.draft ?? defaultDraft(dialect);
  const { content = 'config', title, about } = options;
  const schemas = new NodeSchemas({ names, subtrees, content, definitions, dialect });
  const isIncluded = (node: SchemaNode) => schemas.isIncluded(node);
  const schema = {
    $schema: SCHEMA_URIS[draft],
    title,
    ...(start ? schemas.document(start) : schemas.object(nodes)),
    'x-yang': { ...about, ...(options.model !== undefined && modelAnnotations(options.model, options)) },
  };
  const { warnings, warningCounts } = warningsOf(nodes, (node) => node === start || isIncluded(node));
  const written = definitions.write(schema, draft === '07' ? 'definitions' : '$defs');
  // Only the newest react-jsonschema-form reads `ui:definitions`, so its dialect has the UI schema of each node in place.
  const referenceOf = (node: SchemaNode) =>
    dialect === 'plain' ? definitions.referenceTo(schemas.node(node)) : undefined;
  return {
    schema: written,
    uiSchema:
      dialect === 'jsonforms'
        ? layoutOf(found, isIncluded)
        : uiSchemaOf(found, { isIncluded, referenceOf, dialect }),
    warnings,
    warningCounts,
  };
}

/** Returns what names the model and the document of a schema, as `yangModelOf` reads it. */
function modelAnnotations(model: string, { content = 'config', target, path }: WriteOptions): Schema {
  return {
    model,
    content,
    ...(target !== undefined && target !== 'data' && target !== 'datastore' && { target }),
    ...(path !== undefined && { path }),
  };
}

const SCHEMA_URIS: Readonly<Record<Draft, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  '07': 'http://json-schema.org/draft-07/schema#',
};

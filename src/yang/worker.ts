import { basename } from 'node:path';
import { serveThread } from '../lib/thread-pool.js';
import { type Compiled, type CompiledModule, openDocuments } from './compile.js';
import type { Content } from './json-schema/annotations.js';
import type { Draft } from './json-schema/definitions.js';
import type { Dialect } from './json-schema/dialect.js';
import type { Limits } from './limits.js';
import { firstOf } from './modules/bundled-modules.js';
import { directoryLibrary, textLibrary } from './modules/library.js';
import type { SourceText } from './syntax/statement.js';

/** Input of a compilation as plain data, which can be passed to another thread and hashed. */
export interface CompileJob {
  readonly sources: readonly SourceText[];
  /** Folders that are searched for imported modules. */
  readonly directories: readonly string[];
  /** Texts of modules that are not in the folders, for use if a module imports them. */
  readonly texts: readonly SourceText[];
  /** Enabled features by module. A module without an entry has all features enabled. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly deviations: readonly string[];
  readonly draft?: Draft;
  readonly dialect?: Dialect;
  readonly content: Content;
  readonly path?: string;
  readonly target?: string;
  readonly lenient?: boolean;
  /** False to leave out the modules of the package. */
  readonly bundled?: boolean;
  readonly limits: Partial<Limits>;
}

/** Compiled module as the JSON text of a {@link CompiledModule} in UTF-8. */
export interface ModuleJson {
  readonly module: string;
  readonly json: Uint8Array<ArrayBuffer>;
}

/** Result of a compilation in a thread: the compiled modules in the order of the given texts, or all faults. */
export type CompiledJson =
  | (Omit<Extract<Compiled, { readonly modules: unknown }>, 'modules'> & {
      readonly modules: readonly ModuleJson[];
    })
  | Extract<Compiled, { readonly faults: unknown }>;

/** Compiles a job in the current thread. */
function runJob({ sources, directories, texts, features, ...options }: CompileJob): CompiledJson {
  // Faults contain only the names of files, because callers must not learn the operator's paths.
  const folders = directoryLibrary(directories, (file) => basename(file));
  const opened = openDocuments(sources, {
    ...options,
    library: firstOf(folders, textLibrary(texts)),
    withModel: true,
    features: new Map(Object.entries(features).map(([module, names]) => [module, new Set(names)])),
  });
  if ('faults' in opened) return opened;
  const { documents, bundled, model } = opened.value;
  // Each module becomes bytes before the next one is written.
  return { modules: Array.from(documents, moduleJson), bundled, ...(model && { model }) };
}

function moduleJson(compiled: CompiledModule): ModuleJson {
  return { module: compiled.module, json: new TextEncoder().encode(JSON.stringify(compiled)) };
}

// The main thread neither reads nor writes the JSON of a large module: it receives the bytes of a response.
serveThread(runJob, (compiled: CompiledJson) =>
  'modules' in compiled ? compiled.modules.map(({ json }) => json.buffer) : [],
);

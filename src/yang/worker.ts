import { basename } from 'node:path';
import { serveThread } from '../core/lib/thread-pool.js';
import { type Compiled, compileYang } from './compile.js';
import type { Content } from './json-schema/annotations.js';
import type { Draft } from './json-schema/definitions.js';
import type { Limits } from './limits.js';
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
  readonly draft: Draft;
  readonly content: Content;
  readonly path?: string;
  readonly target?: string;
  readonly lenient?: boolean;
  readonly limits: Partial<Limits>;
}

/** Compiles a job in the current thread. */
function runJob({ sources, directories, texts, features, ...options }: CompileJob): Compiled {
  // Faults contain only the names of files, because callers must not learn the operator's paths.
  const folders = directoryLibrary(directories, (file) => basename(file));
  const fallbackTexts = textLibrary(texts);
  return compileYang(sources, {
    ...options,
    library: { find: (name, revision) => folders.find(name, revision) ?? fallbackTexts.find(name, revision) },
    features: new Map(Object.entries(features).map(([module, names]) => [module, new Set(names)])),
  });
}

// Posting the result as JSON text is faster than cloning a tree of a hundred thousand objects.
serveThread((job: CompileJob) => JSON.stringify(runJob(job)));

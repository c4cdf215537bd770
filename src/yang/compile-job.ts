import { basename } from 'node:path';
import type { Limits } from './limits.js';
import { type Compiled, compileYang } from './compile.js';
import { directoryLibrary } from './directory-library.js';
import type { Content, Draft } from './json-schema/schema-types.js';
import { textLibrary } from './modules/library.js';
import type { SourceText } from './syntax/statement.js';

/** One compilation as plain data, so that it can be passed to another thread and hashed. */
export interface CompileJob {
  readonly sources: readonly SourceText[];
  /** Folders that are searched for imported modules. */
  readonly directories: readonly string[];
  /** Texts of modules that are used if a module imports them and no folder has them. */
  readonly texts: readonly SourceText[];
  /** Enabled features by module. A module without an entry has all features enabled. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly deviations: readonly string[];
  readonly draft: Draft;
  readonly content: Content;
  readonly path?: string;
  readonly target?: string;
  readonly limits: Partial<Limits>;
}

/** Compiles a job in the current thread. */
export function runJob({ sources, directories, texts, features, ...options }: CompileJob): Compiled {
  // Callers learn the names of modules, but not the operator's paths.
  const folders = directoryLibrary(directories, (file) => basename(file));
  const others = textLibrary(texts);
  return compileYang(sources, {
    ...options,
    library: { find: (name, revision) => folders.find(name, revision) ?? others.find(name, revision) },
    features: new Map(Object.entries(features).map(([module, names]) => [module, new Set(names)])),
  });
}

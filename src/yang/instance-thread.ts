import { basename } from 'node:path';
import { serveThread } from '../core/lib/thread-pool.js';
import { openModules } from './compile.js';
import { buffersOf, type PackedModel, packModel } from './encoding/packed-model.js';
import type { Limits } from './limits.js';
import { firstOf } from './modules/bundled-modules.js';
import { directoryLibrary, textLibrary } from './modules/library.js';
import type { SourceText } from './syntax/statement.js';

/** Modules of a server, as plain data that can be passed to another thread. */
export interface InstanceJob {
  readonly sources: readonly SourceText[];
  /** Texts for use if a module imports them. */
  readonly texts: readonly SourceText[];
  /** Folders that are searched for imported modules after the texts. */
  readonly directories: readonly string[];
  /** Enabled features by module. A module without an entry has all features enabled. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly limits: Partial<Limits>;
}

/** Module that was left out because of a fault. */
export interface LeftOutModule {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Compiled modules. The model is absent if no module is left. */
export interface InstanceResult {
  readonly model?: PackedModel;
  /** Number of modules, without those that are only imported. */
  readonly count: number;
  readonly leftOut: readonly LeftOutModule[];
}

/** Maximum number of times that the rest is compiled again without faulty modules. */
const MAX_ROUNDS = 10;

/** Compiles modules in the current thread. A module with a fault is left out, and the rest is compiled again. */
export function compileInstanceModel(job: InstanceJob): InstanceResult {
  const leftOut: LeftOutModule[] = [];
  let left = job.sources;
  for (let rounds = 0; left.length > 0 && rounds < MAX_ROUNDS; rounds += 1) {
    const linked = link(left, job);
    if ('value' in linked) {
      const { value } = linked;
      return { model: packModel(value), count: value.given.length, leftOut };
    }
    const faulty = new Map(linked.faults.map((fault) => [fault.file, fault]));
    const kept = left.filter(({ file }) => !faulty.has(file));
    for (const { file, line, message } of faulty.values()) leftOut.push({ file, line, message });
    // A fault in an import belongs to a text that is not among them.
    if (kept.length === left.length) break;
    left = kept;
  }
  return { count: 0, leftOut };
}

function link(sources: readonly SourceText[], { texts, directories, features, limits }: InstanceJob) {
  return openModules(sources, {
    library: firstOf(
      textLibrary(texts),
      directoryLibrary(directories, (file) => basename(file)),
    ),
    features: new Map(Object.entries(features).map(([module, names]) => [module, new Set(names)])),
    lenient: true,
    limits,
  });
}

serveThread(compileInstanceModel, ({ model }: InstanceResult) => (model ? buffersOf(model) : []));

import type { Log } from '../../src/core/log.js';
import { oneLine } from '../../src/core/one-line.js';
import { Problem } from '../../src/core/problem.js';
import { compilePattern, UnsupportedPattern } from '../../src/json-schema/engine/ecma-pattern.js';
import { openModules } from '../../src/yang/compile.js';
import { type InstanceModel, openInstanceModel } from '../../src/yang/encoding/instance-model.js';
import type { LinkedModules } from '../../src/yang/link.js';
import {
  directoryLibrary,
  headingOf,
  type ModuleRegistry,
  NO_LIBRARY,
  textLibrary,
} from '../../src/yang/modules/library.js';
import { firstOf } from '../../src/yang/modules/bundled-modules.js';
import type { SourceText } from '../../src/yang/syntax/statement.js';
import { readModuleList, readSchema, type ServerModule } from './module-list.js';
import type { Session } from './session.js';

/** Input of {@link loadModel}. */
export interface ModelInput {
  readonly session: Session;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Names of the modules to load, with those that they import; absent: all modules of the server. */
  readonly wanted?: readonly string[];
  /** Folder of modules that the server does not send. */
  readonly folder?: string;
  /** Texts that were fetched before, by `name@revision`. New texts are added. */
  readonly texts: Map<string, string>;
}

/** Maximum number of modules and submodules of one server. */
const MAX_MODULES = 4000;
/** Number of requests for texts that are sent without waiting for their replies. */
const PARALLEL = 8;
/** Limits of the compilation, which occupies the processor of the process. */
const LIMITS = { bytes: 32 * 1024 * 1024, milliseconds: 20_000 };

/**
 * Fetches the modules of a server and compiles them. Leaves out modules that do not compile, with a warning. Throws
 * `adapter_unavailable` if no module is left, because data in XML cannot be read without a schema.
 */
export async function loadModel(input: ModelInput): Promise<InstanceModel> {
  const { session, signal, wanted, folder, log } = input;
  const listed = await readModuleList(session, signal);
  const modules = listed.filter(({ name }) => wanted?.includes(name) ?? true).slice(0, MAX_MODULES);
  const missing = (wanted ?? []).filter((name) => !modules.some((module) => module.name === name));
  if (missing.length > 0)
    log.warn('the server does not announce modules of the option', { modules: missing.join(' ') });
  const own = folder === undefined ? NO_LIBRARY : directoryLibrary([folder]);
  const sources = await fetchAll(input, modules, own);
  const imported = await fetchImports(input, [...sources.values()]);
  const features = new Map(modules.map((module) => [module.name, module.features]));
  const library = firstOf(textLibrary(imported), own);
  const linked = compile([...sources.values()], { library, features, log });
  log.info('YANG modules loaded', { modules: linked.given.length, announced: listed.length });
  return openInstanceModel(linked, linearPattern);
}

/** Returns the texts of modules by name. Prefers the text of the server to that of the folder. */
async function fetchAll(
  input: ModelInput,
  modules: readonly ServerModule[],
  own: ModuleRegistry,
): Promise<ReadonlyMap<string, SourceText>> {
  const found = new Map<string, SourceText>();
  await inParallel(modules, async (module) => {
    const text = await fetchText(input, module);
    const source = text === undefined ? own.find(module.name, module.revision) : sourceOf(module, text);
    if (source) found.set(module.name, source);
    else input.log.warn('the server announces a module and does not send it', { module: module.name });
  });
  return found;
}

/** Returns the texts of the modules and submodules that texts import or include, directly or not. */
async function fetchImports(input: ModelInput, texts: readonly SourceText[]): Promise<readonly SourceText[]> {
  const found: SourceText[] = [];
  const asked = new Set(texts.flatMap(({ text }) => headingOf(text)?.name ?? []));
  let pending = texts;
  while (pending.length > 0) {
    const names = [...new Set(pending.flatMap(({ text }) => importsOf(text)))].filter(
      (name) => !asked.has(name),
    );
    const next: SourceText[] = [];
    await inParallel(names.slice(0, Math.max(0, MAX_MODULES - asked.size)), async (name) => {
      asked.add(name);
      const text = await fetchText(input, { name, revision: undefined });
      if (text !== undefined) next.push(sourceOf({ name, revision: undefined }, text));
    });
    found.push(...next);
    pending = next;
  }
  return found;
}

function importsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|[\s;{}])(?:import|include)\s+["']?([A-Za-z_][\w.-]*)/g)].map(
    ([, name = '']) => name,
  );
}

async function fetchText(
  { session, signal, texts }: ModelInput,
  module: Pick<ServerModule, 'name' | 'revision'>,
): Promise<string | undefined> {
  const key = `${module.name}@${module.revision ?? ''}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = await readSchema(session, module, signal);
  if (text === undefined || headingOf(text)?.name !== module.name) return undefined;
  texts.set(key, text);
  return text;
}

function sourceOf({ name, revision }: Pick<ServerModule, 'name' | 'revision'>, text: string): SourceText {
  return { file: revision === undefined ? `${name}.yang` : `${name}@${revision}.yang`, text };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const run = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, run));
}

interface CompileInput {
  readonly library: ModuleRegistry;
  readonly features: ReadonlyMap<string, ReadonlySet<string>>;
  readonly log: Log;
}

/** Compiles modules. A module with a fault is left out, and the rest is compiled again. */
function compile(sources: readonly SourceText[], { library, features, log }: CompileInput): LinkedModules {
  let left = sources;
  for (let rounds = 0; left.length > 0 && rounds < MAX_ROUNDS; rounds += 1) {
    const linked = openModules(left, { library, features, lenient: true, limits: LIMITS });
    if ('value' in linked) return linked.value;
    const faulty = new Map(linked.faults.map((fault) => [fault.file, fault]));
    const kept = left.filter(({ file }) => !faulty.has(file));
    for (const { file, line, message } of faulty.values())
      log.warn('a YANG module of the server is left out', { file, line, reason: oneLine(message, 300) });
    // A fault in an import belongs to a text that is not among them.
    if (kept.length === left.length) break;
    left = kept;
  }
  throw new Problem('adapter_unavailable', NO_SCHEMA);
}

const MAX_ROUNDS = 10;
const NO_SCHEMA =
  'no YANG module of the server is known, and data in XML has no types without them. Put the modules into a folder and name it in the option "schemaFolder".';

/** Compiles a pattern for matching in linear time. A pattern that has no such form accepts everything. */
function linearPattern(source: string): { test(text: string): boolean } {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof UnsupportedPattern) return { test: () => true };
    throw error;
  }
}

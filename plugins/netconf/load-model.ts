import type { Log } from '../../src/core/log.js';
import { oneLine } from '../../src/core/one-line.js';
import { Problem } from '../../src/core/problem.js';
import { compilePattern, UnsupportedPattern } from '../../src/json-schema/engine/ecma-pattern.js';
import type { InstanceModel } from '../../src/yang/encoding/instance-model.js';
import { unpackModel } from '../../src/yang/encoding/unpack-model.js';
import type { InstanceJob, InstanceResult } from '../../src/yang/instance-thread.js';
import {
  directoryLibrary,
  headingOf,
  type ModuleRegistry,
  NO_LIBRARY,
} from '../../src/yang/modules/library.js';
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
  /** Compiles the modules of the server. */
  readonly compile: (job: InstanceJob) => Promise<InstanceResult>;
  /** Texts that were fetched before, by `name@revision`. New texts are added. */
  readonly texts: Map<string, string>;
}

/** Maximum number of modules and submodules of one server. */
const MAX_MODULES = 4000;
/** Number of requests for texts that are sent without waiting for their replies. */
const PARALLEL = 8;
/** Limits of the compilation. */
const LIMITS = { bytes: 64 * 1024 * 1024, milliseconds: 60_000 };

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
  const job: InstanceJob = {
    sources: [...sources.values()],
    texts: imported,
    directories: folder === undefined ? [] : [folder],
    features: Object.fromEntries(modules.map(({ name, features }) => [name, [...features]])),
    limits: LIMITS,
  };
  const { model, count } = await compileAll(job, input);
  log.info('YANG modules loaded', { modules: count, announced: listed.length });
  return model;
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

/** Compiles modules in a thread. Leaves out modules that do not compile, with a warning. */
async function compileAll(job: InstanceJob, { log, compile }: ModelInput): Promise<CompiledModel> {
  const { model, count, leftOut } = await compile(job);
  for (const { file, line, message } of leftOut)
    log.warn('a YANG module of the server is left out', { file, line, reason: oneLine(message, 300) });
  if (!model) throw new Problem('adapter_unavailable', NO_SCHEMA);
  return { model: unpackModel(model, linearPattern), count };
}

interface CompiledModel {
  readonly model: InstanceModel;
  readonly count: number;
}

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

import type { Log } from '../../src/core/log.js';
import { Problem } from '../../src/core/problem.js';
import { oneLine } from '../../src/lib/one-line.js';
import { nextTurn } from '../../src/lib/turns.js';
import type { ModelBytes } from '../../src/yang/encoding/model-bytes.js';
import type { InstanceJob, InstanceResult, InstanceSource } from '../../src/yang/instance-thread.js';
import { directoryLibrary, type ModuleRegistry, NO_LIBRARY } from '../../src/yang/modules/library.js';
import type { RpcSchema } from '../../src/yang/rpc-schemas.js';
import { readModuleList, readSchema } from './module-list.js';
import { MAX_MODULES, type ServerModule } from './modules-in.js';
import { type SchemaText, schemaTextOf } from './schema-text.js';
import type { SchemaTexts } from './schema-texts.js';
import type { Session } from './session.js';

/** Input of {@link loadModel}. */
interface ModelInput {
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
  readonly texts: SchemaTexts;
  /** Maximum size of the compiled modules. */
  readonly maxModelBytes: number;
}

/** Number of requests for texts that are sent without waiting for their replies. */
const PARALLEL = 8;
/** Maximum length of the schemas of all rpcs of a server. */
const MAX_RPC_LENGTH = 4_194_304;
/** Time limit of the compilation, in milliseconds. */
const COMPILE_MS = 60_000;

/**
 * Fetches the modules of a server and compiles them. Leaves out modules that do not compile, with a warning. Throws
 * `adapter_unavailable` if no module is left, because data in XML cannot be read without a schema.
 */
export async function loadModel(input: ModelInput): Promise<LoadedModel> {
  const {
    session,
    texts: { maxBytes, size },
  } = input;
  // All that the server sends counts, while it arrives: the lists, the texts, and what it sends unasked.
  const lift = session.limitReceived(maxBytes - size(), tooManyBytes(maxBytes));
  try {
    return await fetchAndCompile(input);
  } finally {
    lift();
  }
}

function tooManyBytes(maxBytes: number): Problem {
  const detail = `the YANG modules of the server have more than ${maxBytes} bytes. Name the modules that you need in the option "modules".`;
  return new Problem('adapter_unavailable', detail);
}

async function fetchAndCompile(input: ModelInput): Promise<LoadedModel> {
  const { session, signal, wanted, folder, log, texts, maxModelBytes } = input;
  const listed = await readModuleList(session, signal);
  const modules = listed.filter(({ name }) => wanted?.includes(name) ?? true).slice(0, MAX_MODULES);
  const missing = (wanted ?? []).filter((name) => !modules.some((module) => module.name === name));
  if (missing.length > 0)
    log.warn('the server does not announce modules of the option', { modules: missing.join(' ') });
  const own = folder === undefined ? NO_LIBRARY : directoryLibrary([folder]);
  // A server without YANG announces nothing.
  const added = missing.filter((name) => own.find(name, undefined) !== undefined);
  const sources = await fetchAll(input, [...modules, ...added.map(unannounced)], own);
  const imported = await fetchImports(input, sources);
  const job: InstanceJob = {
    sources: sources.map(({ source }) => source),
    texts: imported.map(({ source }) => source),
    directories: folder === undefined ? [] : [folder],
    features: Object.fromEntries(modules.map(({ name, features }) => [name, [...features]])),
    limits: { bytes: texts.maxBytes, milliseconds: COMPILE_MS },
    maxModelBytes,
    maxRpcLength: MAX_RPC_LENGTH,
  };
  const { count, ...loaded } = await compileAll(job, input);
  log.info('YANG modules loaded', { modules: count, announced: listed.length });
  return loaded;
}

/** Text of a module for the compiler, and what it imports. */
interface FetchedModule {
  readonly name: string;
  readonly source: InstanceSource;
  readonly imports: readonly string[];
}

/** Returns the texts of modules. Prefers the text of the server to that of the folder. */
async function fetchAll(
  input: ModelInput,
  modules: readonly ServerModule[],
  own: ModuleRegistry,
): Promise<readonly FetchedModule[]> {
  const found = new Map<string, FetchedModule>();
  await inParallel(modules, async (module) => {
    const { name } = module;
    const fetched = await fetchText(input, module);
    const source = fetched ? undefined : own.find(name, module.revision);
    if (fetched) found.set(name, fetchedModule(module, fetched));
    else if (source)
      found.set(name, { name, source, imports: schemaTextOf(source.text, name)?.imports ?? [] });
    else input.log.warn('the server announces a module and does not send it', { module: name });
  });
  return [...found.values()];
}

/** Returns the texts of the modules and submodules that modules import or include, directly or not. */
async function fetchImports(
  input: ModelInput,
  modules: readonly FetchedModule[],
): Promise<readonly FetchedModule[]> {
  const found: FetchedModule[] = [];
  const asked = new Set(modules.map(({ name }) => name));
  let pending = modules;
  while (pending.length > 0) {
    const names = await importsOf(pending, asked);
    const next: FetchedModule[] = [];
    await inParallel(names, async (name) => {
      asked.add(name);
      const module = { name, revision: undefined };
      const text = await fetchText(input, module);
      if (text) next.push(fetchedModule(module, text));
    });
    found.push(...next);
    pending = next;
  }
  return found;
}

/** Number of modules whose imports are looked at in one turn of the event loop. */
const MODULES_PER_TURN = 64;

/** Returns the names of imports that were not asked for, as many as a server may have. */
async function importsOf(
  modules: readonly FetchedModule[],
  asked: ReadonlySet<string>,
): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const [at, { imports }] of modules.entries()) {
    if (at % MODULES_PER_TURN === MODULES_PER_TURN - 1) await nextTurn();
    for (const name of imports)
      if (!asked.has(name) && names.size + asked.size < MAX_MODULES) names.add(name);
  }
  return [...names];
}

async function fetchText(
  { session, signal, texts }: ModelInput,
  module: ModuleName,
): Promise<SchemaText | undefined> {
  const key = `${module.name}@${module.revision ?? ''}`;
  const known = texts.get(key);
  if (known) return known;
  const text = await readSchema(session, module, signal);
  if (text) texts.set(key, text);
  return text;
}

function unannounced(name: string): ServerModule {
  return { name, revision: undefined, features: new Set() };
}

type ModuleName = Pick<ServerModule, 'name' | 'revision'>;

function fetchedModule({ name, revision }: ModuleName, { text, imports }: SchemaText): FetchedModule {
  const file = revision === undefined ? `${name}.yang` : `${name}@${revision}.yang`;
  return { name, source: { file, text }, imports };
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
  const { model, isTooLarge, count, leftOut, rpcs = [] } = await compile(job);
  for (const { file, line, message } of leftOut)
    log.warn('a YANG module of the server is left out', { file, line, reason: oneLine(message, 300) });
  if (isTooLarge) throw new Problem('adapter_unavailable', TOO_LARGE);
  if (!model) throw new Problem('adapter_unavailable', NO_SCHEMA);
  return { model, count, rpcs };
}

/** Compiled modules, and the schemas of their rpcs. */
interface LoadedModel {
  readonly model: ModelBytes;
  readonly rpcs: readonly RpcSchema[];
}

interface CompiledModel extends LoadedModel {
  readonly count: number;
}

const TOO_LARGE =
  'the YANG modules of the server need more memory than a thread has. Name the modules that you need in the option "modules".';
const NO_SCHEMA =
  'no YANG module of the server is known, and data in XML has no types without them. Put the modules into a folder, and name it in the option "schemaFolder" and the modules in "modules".';

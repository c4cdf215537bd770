import { basename } from 'node:path';
import { serveThread } from '../lib/thread-pool.js';
import { openModules } from './compile.js';
import { type ModelBytes, modelToBytes } from './encoding/model-bytes.js';
import { type PackedModel, packModel } from './encoding/packed-model.js';
import type { Limits } from './limits.js';
import { firstOf } from './modules/bundled-modules.js';
import { directoryLibrary, textLibrary } from './modules/library.js';
import { type RpcSchema, rpcSchemas } from './rpc-schemas.js';
import type { SourceText } from './syntax/statement.js';

/** Text of a module, as a string or in UTF-8. */
export type InstanceSource = Omit<SourceText, 'text'> & { readonly text: string | Uint8Array };

/** Modules of a server, as plain data that can be passed to another thread. */
export interface InstanceJob {
  readonly sources: readonly InstanceSource[];
  /** Texts for use if a module imports them. */
  readonly texts: readonly InstanceSource[];
  /** Folders that are searched for imported modules after the texts. */
  readonly directories: readonly string[];
  /** Enabled features by module. A module without an entry has all features enabled. */
  readonly features: Readonly<Record<string, readonly string[]>>;
  readonly limits: Partial<Limits>;
  /** Maximum size of the model. Absent: no maximum. */
  readonly maxModelBytes?: number;
  /** Maximum length of the schemas of rpcs. Absent: none are written. */
  readonly maxRpcLength?: number;
}

/** Module that was left out because of a fault. */
export interface LeftOutModule {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Compiled modules. The model is absent if no module is left. */
export interface InstanceResult {
  readonly model?: ModelBytes;
  /** True if the model is larger than the maximum. */
  readonly isTooLarge?: boolean;
  /** Number of modules, without those that are only imported. */
  readonly count: number;
  readonly leftOut: readonly LeftOutModule[];
  /** Schemas of the rpcs, those that fit into `maxRpcLength`. */
  readonly rpcs?: readonly RpcSchema[];
}

/** Maximum number of times that the rest is compiled again without faulty modules. */
const MAX_ROUNDS = 10;

/** Compiles modules in the current thread. A module with a fault is left out, and the rest is compiled again. */
export function compileInstanceModel(job: InstanceJob): InstanceResult {
  const leftOut: LeftOutModule[] = [];
  let left = job.sources.map(decodeSource);
  const texts = job.texts.map(decodeSource);
  for (let rounds = 0; left.length > 0 && rounds < MAX_ROUNDS; rounds += 1) {
    const linked = link(left, texts, job);
    if ('value' in linked) {
      const { value } = linked;
      const rpcs = rpcSchemas(value, job.maxRpcLength ?? 0);
      return { ...boundedModel(packModel(value), job), count: value.given.length, leftOut, rpcs };
    }
    const faulty = new Map(linked.faults.map((fault) => [fault.file, fault]));
    const kept = left.filter(({ file }) => !faulty.has(file));
    for (const { file, line, message } of faulty.values())
      leftOut.push({ file, line, message: message.slice(0, MAX_MESSAGE_LENGTH) });
    // A fault in an import belongs to a text that is not among them.
    if (kept.length === left.length) break;
    left = kept;
  }
  return { count: 0, leftOut };
}

function decodeSource({ file, text }: InstanceSource): SourceText {
  return { file, text: typeof text === 'string' ? text : Buffer.from(text).toString() };
}

const MAX_MESSAGE_LENGTH = 300;
/** Maximum length of a name or namespace: one name may occur in each element of a message. */
const MAX_NAME_LENGTH = 1024;

function boundedModel(
  packed: PackedModel,
  { maxModelBytes = Infinity }: InstanceJob,
): Pick<InstanceResult, 'model' | 'isTooLarge'> {
  const names = [...packed.names, ...packed.modules.flatMap(([name, namespace]) => [name, namespace])];
  if (names.some((name) => name.length > MAX_NAME_LENGTH)) return { isTooLarge: true };
  const model = modelToBytes(packed);
  return model.bytes.length > maxModelBytes ? { isTooLarge: true } : { model };
}

function link(
  sources: readonly SourceText[],
  texts: readonly SourceText[],
  { directories, features, limits }: InstanceJob,
) {
  return openModules(sources, {
    library: firstOf(
      textLibrary(texts),
      directoryLibrary(directories, (file) => basename(file)),
    ),
    acceptsUnknownFeatures: true,
    features: new Map(Object.entries(features).map(([module, names]) => [module, new Set(names)])),
    lenient: true,
    limits,
  });
}

serveThread(compileInstanceModel);

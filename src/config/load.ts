import { dirname, join } from 'node:path';
import { isJsonObject } from '../core/json-object.js';
import { type Fault, faultAt } from '../core/fault.js';
import { pointerTo } from '../core/pointer.js';
import type { CompileSchema } from '../core/schema.js';
import { listAdapterFiles } from './adapter-files.js';
import { adapterSchema } from './adapter-schema.js';
import { type CheckedPart, checkWritten, type ReferenceSyntax, type Written } from './check-written.js';
import { readDocument, unsoundDocument, type WrittenDocument } from './document.js';
import type { Environment } from './interpolate.js';
import { readText } from './read-text.js';
import { Readings } from './readings.js';
import { settingsSchema } from './settings-schema.js';

/** What {@link loadConfig} works with. */
export interface LoadOptions {
  /** Path of the main file; the folder `adapters/` is looked for beside it. */
  readonly path: string;
  readonly env: Environment;
  readonly compile: CompileSchema;
  readonly syntax: ReferenceSyntax;
  /** What former loads made of the files of adapters; absent: all are read. */
  readonly readings?: Readings<CheckedAdapter>;
}

/** One adapter as written. */
export interface WrittenAdapter extends Written {
  /** The adapterId: the file's name, or the key in `adapters`. */
  readonly id: string;
}

/** Everything that was read. When there is a fault, the values are not to be used. */
export interface LoadedConfig {
  /** The main file without `adapters`. */
  readonly main: Written;
  /** Those of the main file, then those of the folder by file name. */
  readonly adapters: readonly WrittenAdapter[];
  /** All faults of all files, in the order of the files and of the places in them. */
  readonly faults: readonly Fault[];
}

/** Reads and checks the whole configuration, its references still unresolved. Collects every fault; throws none. */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const document = await load(options.path, options.env);
  const main = checkMain(document, options);
  // Without a main file the folder beside it is anyone's.
  if (document.faults.some(({ code }) => code === 'file'))
    return { main: main.written, adapters: [], faults: document.faults };

  const inline = membersOf(document).map(([id, value]) =>
    checkAdapter({ id, document, at: pointerTo('/adapters', id), value }, options),
  );
  const folder = await loadFolder(options);
  const parts = [main, ...inline];
  const mainFaults = [...parts.flatMap(({ faults }) => faults), ...twiceFaults(document, folder.adapters)];
  return {
    main: main.written,
    adapters: [...inline, ...folder.adapters].map(({ written }) => written),
    faults: [...inPlaceOrder([...document.faults, ...mainFaults]), ...folder.faults],
  };
}

/** An adapter with everything that its schema has against it. */
export interface CheckedAdapter {
  readonly written: WrittenAdapter;
  readonly faults: readonly Fault[];
}

async function load(file: string, env: Environment): Promise<WrittenDocument> {
  const source = await readText(file);
  return 'text' in source ? readDocument(source, env) : unsoundDocument(file, [source]);
}

async function loadFolder(
  options: LoadOptions,
): Promise<{ readonly adapters: readonly CheckedAdapter[]; readonly faults: readonly Fault[] }> {
  const listed = await listAdapterFiles(join(dirname(options.path), 'adapters'));
  const { readings = new Readings<CheckedAdapter>() } = options;
  const adapters = await readings.take(listed.files, async ({ id, file }) => {
    const document = await load(file, options.env);
    const { written, faults } = checkAdapter({ id, document, at: '', value: document.value }, options);
    return { written, faults: inPlaceOrder([...document.faults, ...faults]) };
  });
  return { adapters, faults: [...listed.faults, ...adapters.flatMap(({ faults }) => faults)] };
}

function checkMain(document: WrittenDocument, { compile, syntax }: LoadOptions): CheckedPart {
  const place = { document, at: '', value: document.value };
  const { written, faults } = checkWritten(place, { validate: compile(settingsSchema), syntax });
  if (!isJsonObject(written.value)) return { written, faults };
  const settings = Object.entries(written.value).filter(([key]) => key !== 'adapters');
  return { written: { ...written, value: Object.fromEntries(settings) }, faults };
}

type FilePosition = Omit<WrittenAdapter, 'secrets'>;

function checkAdapter({ id, ...place }: FilePosition, { compile, syntax }: LoadOptions): CheckedAdapter {
  const { written, faults } = checkWritten(place, { validate: compile(adapterSchema), syntax });
  return { written: { id, ...written }, faults };
}

/** The adapters written in the main file. */
function membersOf(document: WrittenDocument): readonly (readonly [id: string, value: unknown])[] {
  const adapters = isJsonObject(document.value) ? document.value['adapters'] : undefined;
  return isJsonObject(adapters) ? Object.entries(adapters) : [];
}

/** Faults for the adapters of the main file that have a file of their own as well. */
function twiceFaults(document: WrittenDocument, files: readonly CheckedAdapter[]): readonly Fault[] {
  const ids = new Set(membersOf(document).map(([id]) => id));
  return files
    .filter(({ written: { id } }) => ids.has(id))
    .map(({ written: { id, document: twin } }) => {
      const pointer = pointerTo('/adapters', id);
      const message = `stands in ${twin.file} as well`;
      const fault = faultAt(document, pointer, { code: 'adapter-id', message, fix: 'Keep one of the two.' });
      return { ...fault, ...document.locateKey(pointer) };
    });
}

function inPlaceOrder(faults: readonly Fault[]): readonly Fault[] {
  return [...faults].sort((a, b) => a.line - b.line || a.column - b.column);
}

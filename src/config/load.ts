import { dirname, join } from 'node:path';
import { type Fault, faultAt } from '../core/fault.js';
import type { CompileSchema } from '../core/schema.js';
import { isJsonObject } from '../json/json-object.js';
import { pointerTo } from '../json/pointer.js';
import { adapterSchema } from '../settings/adapter.js';
import { settingsSchema } from '../settings/settings.js';
import { listAdapterFiles } from './adapter-files.js';
import {
  type CheckedPart,
  checkWritten,
  type ReferenceSyntax,
  type Written,
  type WrittenPart,
} from './check-written.js';
import { readDocument, invalidDocument, type WrittenDocument } from './document.js';
import type { Environment } from './interpolate.js';
import { readText } from './read-text.js';
import { Readings } from './readings.js';

/** Options of {@link loadConfig}. */
interface LoadOptions {
  /** Path of the main file. The folder `adapters/` is expected next to it. */
  readonly path: string;
  /** Text of the main file, if it is not on disk; the folder `adapters/` is then not read either. */
  readonly mainText?: string | undefined;
  readonly env: Environment;
  readonly compile: CompileSchema;
  readonly syntax: ReferenceSyntax;
  /** Results of previous loads by adapter file. If absent, all files are read. */
  readonly readings?: Readings<CheckedPart>;
}

/** Result of loading a configuration. The values must not be used if there is a fault. */
export interface LoadedConfig {
  /** Main file without `adapters`. */
  readonly main: Written;
  /** Adapters of the main file, then adapters of the folder by file name. */
  readonly adapters: readonly Written[];
  /** All faults of all files, ordered by file and position. */
  readonly faults: readonly Fault[];
  /** Warnings about files of the folder that are ignored, although their names resemble those of adapter files. */
  readonly ignored: readonly Fault[];
}

/**
 * Reads and checks the whole configuration without resolving its references. Returns all faults and throws
 * none.
 */
export async function loadConfig(options: LoadOptions): Promise<LoadedConfig> {
  const { path, mainText: text, env } = options;
  const document = text === undefined ? load(path, env) : readDocument({ file: path, text }, env);
  const main = checkMain(document, options);
  // Without a main file, the folder next to it may belong to another program.
  if (document.faults.some(({ code }) => code === 'file'))
    return { main: main.written, adapters: [], faults: document.faults, ignored: [] };

  const inline = inlineAdapters(document).map(([id, value]) =>
    checkAdapter({ id, document, at: pointerTo('/adapters', id), value }, options),
  );
  const folder = text === undefined ? await loadFolder(options) : { adapters: [], faults: [], ignored: [] };
  const parts = [main, ...inline];
  const mainFaults = [
    ...parts.flatMap(({ faults }) => faults),
    ...duplicateFaults(document, folder.adapters),
  ];
  return {
    main: main.written,
    adapters: [...inline, ...folder.adapters].map(({ written }) => written),
    faults: [...sortByPosition([...document.faults, ...mainFaults]), ...folder.faults],
    ignored: folder.ignored,
  };
}

function load(file: string, env: Environment): WrittenDocument {
  const source = readText(file);
  return 'text' in source ? readDocument(source, env) : invalidDocument(file, [source]);
}

interface LoadedFolder extends Pick<LoadedConfig, 'faults' | 'ignored'> {
  readonly adapters: readonly CheckedPart[];
}

async function loadFolder(options: LoadOptions): Promise<LoadedFolder> {
  const listed = await listAdapterFiles(join(dirname(options.path), 'adapters'));
  const { readings = new Readings<CheckedPart>() } = options;
  const adapters = await readings.take(listed.files, ({ id, file }) => {
    const document = load(file, options.env);
    const { written, faults } = checkAdapter({ id, document, at: '', value: document.value }, options);
    return { written, faults: sortByPosition([...document.faults, ...faults]) };
  });
  const faults = [...listed.faults, ...adapters.flatMap((adapter) => adapter.faults)];
  return { adapters, faults, ignored: listed.ignored };
}

function checkMain(document: WrittenDocument, { compile, syntax }: LoadOptions): CheckedPart {
  const place = { id: '', document, at: '', value: document.value };
  if (isOfAdapter(document.value))
    return { written: { ...place, secrets: [] }, faults: [faultAt(document, '', OF_ADAPTER)] };
  const { written, faults } = checkWritten(place, { validate: compile(settingsSchema), syntax });
  if (!isJsonObject(written.value)) return { written, faults };
  const settings = Object.entries(written.value).filter(([key]) => key !== 'adapters');
  // A profile can replace blocks, so the main file is validated again.
  return { written: { ...written, value: Object.fromEntries(settings), paths: undefined }, faults };
}

/** Returns true for the file of an adapter in the place of the main file. */
function isOfAdapter(value: unknown): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'plugin') && Object.hasOwn(value, 'baseUrl');
}

const OF_ADAPTER = {
  code: 'file',
  message: 'is the file of an adapter, not the main file',
  fix: 'Name the main file with --config: gatehouse.yaml beside the folder adapters.',
};

/** Returns true for a main file in the folder of adapters. */
function isMain(value: unknown): boolean {
  if (!isJsonObject(value) || Object.hasOwn(value, 'plugin')) return false;
  return ['server', 'storage', 'vault', 'audit'].some((name) => Object.hasOwn(value, name));
}

const MAIN = {
  code: 'file',
  message: 'is a main file, not the file of an adapter',
  fix: 'Move it out of the folder adapters, which is for one file for each adapter.',
};

function checkAdapter(place: WrittenPart, { compile, syntax }: LoadOptions): CheckedPart {
  if (isMain(place.value))
    return { written: { ...place, secrets: [] }, faults: [faultAt(place.document, place.at, MAIN)] };
  return checkWritten(place, { validate: compile(adapterSchema), syntax });
}

/** Returns the adapters in the main file. */
function inlineAdapters(document: WrittenDocument): readonly (readonly [id: string, value: unknown])[] {
  const adapters = isJsonObject(document.value) ? document.value['adapters'] : undefined;
  return isJsonObject(adapters) ? Object.entries(adapters) : [];
}

/** Returns faults for adapters that are both in the main file and in a separate file. */
function duplicateFaults(document: WrittenDocument, files: readonly CheckedPart[]): readonly Fault[] {
  const ids = new Set(inlineAdapters(document).map(([id]) => id));
  return files
    .filter(({ written: { id } }) => ids.has(id))
    .map(({ written: { id, document: other } }) => {
      const pointer = pointerTo('/adapters', id);
      const message = `is also defined in ${other.file}`;
      const fault = faultAt(document, pointer, { code: 'adapter-id', message, fix: 'Keep one of the two.' });
      return { ...fault, ...document.locateKey(pointer) };
    });
}

function sortByPosition(faults: readonly Fault[]): readonly Fault[] {
  return [...faults].sort((a, b) => a.line - b.line || a.column - b.column);
}

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, realpathSync, type Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, extname, dirname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AdapterPlugin } from '../core/adapter.js';
import { errorPlace, firstPlace } from '../core/error-place.js';
import { reloadCommonJs, urlInGeneration } from '../lib/module-generation.js';
import {
  entryOf,
  folderOfPackage,
  isInstalled,
  isUnmarkedPackage,
  typeOfPackage,
  versionOfPackage,
} from './plugin-packages.js';
import { runWithTimeout } from './run-within.js';

/** The available adapter plugins, each loaded on its first use. */
export interface Plugins {
  /** Types of the plugins that come with the product, sorted. */
  readonly types: readonly string[];
  /** Returns true for one of `types`, and for the name of an npm package that is installed or was loaded. */
  readonly has: (name: string) => boolean;
  /** Returns true for an installed package that lacks the keyword of plugins. */
  readonly isUnmarkedPackage: (name: string) => boolean;
  /** Returns the version of a package in use; undefined for one of `types`. */
  readonly versionOf: (name: string) => string | undefined;
  /** Returns the digest of the code of a package in use; undefined for one of `types`. */
  readonly digestOf: (name: string) => string | undefined;
  /** Returns the folder of an installed package; undefined for one of `types`. */
  readonly folderOf: (name: string) => string | undefined;
  /** Returns how many times a plugin was loaded; undefined if it has to be loaded: for the first time, after a change or a failure. */
  readonly generationOf: (name: string) => number | undefined;
  /** Returns the folders and files of the packages that were loaded, and the names of those whose code has changed since. */
  readonly codeOnDisk: () => Promise<{
    readonly paths: readonly string[];
    readonly outdated: readonly string[];
  }>;
  /** Lets the next `load` of each outdated package read its code again. Returns how many further changes of each will be loaded. */
  readonly refresh: () => Promise<readonly { readonly plugin: string; readonly changesLeft: number }[]>;
  /**
   * Loads a plugin. Throws an Error that says how the folder or the package breaks the contract
   * (`plugins/README.md`).
   */
  load(name: string): Promise<AdapterPlugin>;
}

/**
 * Finds the plugins of a folder. Every sub-folder with an `index.js` is a plugin, and its name is the type.
 * Other names are npm packages that are installed in `packageFolders` or above them. A folder takes precedence over a
 * package. `prepareImports` is called before each package is loaded.
 */
export async function findPlugins(
  folder: string,
  packageFolders: readonly string[] = [],
  prepareImports: () => Promise<void> = () => Promise.resolve(),
): Promise<Plugins> {
  const entries = await readdir(folder, { withFileTypes: true });
  const types = entries
    .filter((entry) => entry.isDirectory() && existsSync(indexFileOf(folder, entry.name)))
    .map(({ name }) => name)
    .sort();
  const loads = new Map<string, Load>();
  const folderOf = (name: string): string | undefined =>
    types.includes(name) ? undefined : folderOfPackage(name, packageFolders);
  const read = async (name: string, generation: number): Promise<AdapterPlugin> => {
    if (types.includes(name))
      return loadPlugin(indexFileOf(folder, name), { type: name, source: 'folder', generation });
    const file = entryOf(name, packageFolders);
    await prepareImports();
    if (generation > 1) reloadCommonJs(realpathSync(folderOf(name) ?? ''));
    return loadPlugin(file, { type: typeOfPackage(name), source: 'package', generation });
  };
  const open = (name: string): Promise<AdapterPlugin> => {
    const before = loads.get(name);
    const home = folderOf(name) ?? before?.home;
    const generation = (before?.generation ?? 0) + 1;
    // Taken before the code is read, so that a change in between counts as a change.
    const code = codeOf(home);
    const plugin = code.then(async ({ files }) => {
      const digest = home === undefined ? undefined : await codeDigest(home, files);
      const loaded = await read(name, generation);
      Object.assign(load, { digest, version: versionOfPackage(name, packageFolders) });
      return loaded;
    });
    const { version, digest } = before ?? {};
    const load: Load = { plugin, generation, home, code, version, digest, isDue: false };
    plugin.catch(() => (load.isDue = true));
    loads.set(name, load);
    return plugin;
  };
  return {
    types,
    has: (name) => types.includes(name) || loads.has(name) || isInstalled(name, packageFolders),
    isUnmarkedPackage: (name) => isUnmarkedPackage(name, packageFolders),
    versionOf: (name) => (types.includes(name) ? undefined : loads.get(name)?.version),
    digestOf: (name) => loads.get(name)?.digest,
    folderOf,
    generationOf(name) {
      const load = loads.get(name);
      return load?.isDue ? undefined : load?.generation;
    },
    codeOnDisk: () => codeOnDisk(loads),
    refresh: () => refresh(loads),
    load(name) {
      const load = loads.get(name);
      return load && !load.isDue ? load.plugin : open(name);
    },
  };
}

interface Load {
  readonly plugin: Promise<AdapterPlugin>;
  /** 1 for the first load of the plugin. */
  readonly generation: number;
  /** Folder of the package, also while it is missing; undefined for a plugin that comes with the product. */
  readonly home: string | undefined;
  /** The code when it was read, or found to be outdated. */
  code: ReturnType<typeof codeOf>;
  /** Version of the package in use. */
  version: string | undefined;
  /** Digest of its code. */
  digest: string | undefined;
  /** True if the plugin is loaded again on its next use. */
  isDue: boolean;
}

/** Maximum number of loads of a plugin, whose modules Node.js keeps. A plugin that writes into its own folder has one after the other. */
const MAX_GENERATIONS = 501;

async function codeOnDisk(loads: ReadonlyMap<string, Load>): ReturnType<Plugins['codeOnDisk']> {
  const packages = [...loads].map(async ([name, { home, code, generation }]) => {
    const { files, stamp } = await code;
    const isOutdated = generation < MAX_GENERATIONS && stamp !== (await codeOf(home)).stamp;
    return { paths: home === undefined ? [] : [home, ...files], outdated: isOutdated ? [name] : [] };
  });
  const all = await Promise.all(packages);
  return { paths: all.flatMap(({ paths }) => paths), outdated: all.flatMap(({ outdated }) => outdated) };
}

async function refresh(loads: ReadonlyMap<string, Load>): ReturnType<Plugins['refresh']> {
  const { outdated } = await codeOnDisk(loads);
  return [...loads].flatMap(([plugin, load]) => {
    if (!outdated.includes(plugin)) return [];
    Object.assign(load, { isDue: true, code: codeOf(load.home) });
    return [{ plugin, changesLeft: MAX_GENERATIONS - load.generation - 1 }];
  });
}

function indexFileOf(folder: string, type: string): string {
  return join(folder, type, 'index.js');
}

/**
 * Time limit for loading a plugin's module, in milliseconds: the module may wait for an event that never
 * occurs.
 */
const LOAD_TIMEOUT_MS = 10_000;

/** Required type of a plugin, and the source of that name. */
interface PluginIdentity {
  readonly type: string;
  readonly source: 'folder' | 'package';
  readonly generation: number;
}

async function loadPlugin(file: string, identity: PluginIdentity): Promise<AdapterPlugin> {
  const href = urlInGeneration(pathToFileURL(file).href, identity.generation);
  const module = await runWithTimeout(
    LOAD_TIMEOUT_MS,
    () => import(href) as Promise<{ plugin?: unknown }>,
  ).catch(async (error: unknown) => {
    throw await locatedError(error, file);
  });
  const breach = breachOf(module.plugin, identity);
  if (breach) throw new Error(`it breaks the contract: ${breach}`);
  return module.plugin as AdapterPlugin;
}

/** Returns an error of a module with the file and the line in its message. */
async function locatedError(error: unknown, file: string): Promise<unknown> {
  if (!(error instanceof Error) || 'code' in error) return error;
  const place =
    errorPlace(error) ?? (error instanceof SyntaxError ? await syntaxErrorPlace(file) : undefined);
  const name = error.name === 'Error' ? '' : `${error.name}: `;
  const message = `${name}${error.message}${place === undefined ? '' : ` (${place})`}`;
  return new Error(message, { cause: error });
}

/** Returns what a module's export `plugin` lacks; `undefined` if it is an adapter plugin. */
function breachOf(plugin: unknown, { type, source }: PluginIdentity): string | undefined {
  if (typeof plugin !== 'object' || plugin === null)
    return 'its index exports no object named "plugin"; write "export const plugin = { ... }"';
  const {
    type: pluginType,
    apiVersion,
    options,
    create,
  } = plugin as Partial<Record<keyof AdapterPlugin, unknown>>;
  if (pluginType !== type) return `its type is not the name of its ${source}; write type: '${type}'`;
  if (apiVersion !== 1)
    return 'its apiVersion is not 1; write apiVersion: 1, or install a version of the plugin for apiVersion 1';
  if (typeof options !== 'object' || options === null)
    return 'its options are not a JSON Schema; write options: { type: "object", additionalProperties: false, properties: {} }';
  if (typeof create !== 'function')
    return 'it has no function "create"; write create(options, context), which returns the adapter';
  return undefined;
}

/** Files that Node.js loads as modules, and package.json. */
const CODE_EXTENSIONS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.json', '.node', '.wasm']);

/** Maximum number of files that a stamp covers. */
const MAX_FILES = 500;

/**
 * Returns the files of the code of a package, without the packages that are installed below it, and a text that differs after
 * each change: path, size and time of each file. Both are empty if the package is missing.
 */
async function codeOf(folder = ''): Promise<{ readonly files: readonly string[]; readonly stamp: string }> {
  const files = folder === '' ? [] : (await codeFiles(folder).catch(() => [])).slice(0, MAX_FILES);
  const lines = files.map(async (file) => {
    const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
    return `${file} ${size} ${mtimeMs}`;
  });
  return { files, stamp: (await Promise.all(lines)).join('\n') };
}

async function codeFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.sort(byName).map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return CODE_EXTENSIONS.has(extname(entry.name)) ? [path] : [];
    const isOwn = entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.');
    return isOwn ? codeFiles(path) : [];
  });
  return (await Promise.all(files)).flat();
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

/** Returns the digest of the files of a package: equal in every folder with the same code. */
async function codeDigest(folder: string, files: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const file of files) {
    const content = await readFile(file).catch(() => Buffer.of());
    digest.update(JSON.stringify([relative(folder, file), content.length])).update(content);
  }
  return digest.digest('base64url');
}

/**
 * Returns where an entry module of a plugin, or another module of its folder, is not valid JavaScript. Node.js does not
 * tell this when it imports a module, so a child process parses the files without running them.
 */
async function syntaxErrorPlace(entry: string): Promise<string | undefined> {
  for (const file of [entry, ...(await otherModules(entry))]) {
    const place = await parseErrorPlace(file);
    if (place !== undefined) return place;
  }
  return undefined;
}

const MODULE_EXTENSIONS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs']);

/** Maximum number of other modules that are parsed. */
const MAX_MODULES = 30;

async function otherModules(entry: string): Promise<readonly string[]> {
  const folder = dirname(entry);
  const names = await readdir(folder).catch(() => []);
  const modules = names
    .filter((name) => MODULE_EXTENSIONS.has(extname(name)))
    .map((name) => join(folder, name));
  return modules.filter((file) => file !== entry).slice(0, MAX_MODULES);
}

/** Maximum time to parse a file, in milliseconds. */
const PARSE_TIMEOUT_MS = 5_000;

function parseErrorPlace(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--check', file],
      { timeout: PARSE_TIMEOUT_MS, env: {} },
      (error, _out, err) => {
        resolve(error ? firstPlace(err) : undefined);
      },
    );
  });
}

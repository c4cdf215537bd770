import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AdapterPlugin } from '../core/adapter.js';
import { errorPlace } from '../core/error-place.js';
import { codeStampOf } from './code-stamp.js';
import {
  entryOf,
  folderOfPackage,
  isInstalled,
  isUnmarkedPackage,
  typeOfPackage,
  versionOfPackage,
} from './plugin-packages.js';
import { runWithTimeout } from './run-within.js';
import { syntaxErrorPlace } from './syntax-error-place.js';

/** The available adapter plugins, each loaded on its first use. */
export interface Plugins {
  /** Types of the plugins that come with the product, sorted. */
  readonly types: readonly string[];
  /** Returns true for one of `types`, and for the name of an installed npm package. */
  readonly has: (name: string) => boolean;
  /** Returns true for an installed package that lacks the keyword of plugins. */
  readonly isUnmarkedPackage: (name: string) => boolean;
  /**
   * Returns the version of an installed package at the time of the first request; undefined for one of
   * `types`.
   */
  readonly versionOf: (name: string) => string | undefined;
  /** Returns the folder of an installed package; undefined for one of `types`. */
  readonly folderOf: (name: string) => string | undefined;
  /**
   * Returns true if the code of a package changed after it was loaded. Node.js keeps a loaded module until the process
   * ends.
   */
  readonly isOutdated: (name: string) => Promise<boolean>;
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
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const withIndex = await Promise.all(
    folders.map(async (name) => ((await exists(indexFileOf(folder, name))) ? [name] : [])),
  );
  const types = withIndex.flat().sort();
  const loaded = new Map<string, Promise<AdapterPlugin>>();
  const failed = new Set<string>();
  const versions = new Map<string, string>();
  const stamps = new Map<string, string>();
  const folderOf = (name: string): string | undefined =>
    types.includes(name) ? undefined : folderOfPackage(name, packageFolders);
  const stampOf = async (name: string): Promise<string> => {
    const home = folderOf(name);
    return home === undefined ? '' : codeStampOf(home).catch(() => '');
  };
  const open = async (name: string): Promise<AdapterPlugin> => {
    const again = failed.has(name);
    if (types.includes(name))
      return loadPlugin(indexFileOf(folder, name), { type: name, source: 'folder', again });
    const file = entryOf(name, packageFolders);
    await prepareImports();
    // Taken before the code is read, so that a change in between counts as a change.
    stamps.set(name, await stampOf(name));
    return loadPlugin(file, { type: typeOfPackage(name), source: 'package', again });
  };
  return {
    types,
    has: (name) => types.includes(name) || isInstalled(name, packageFolders),
    isUnmarkedPackage: (name) => isUnmarkedPackage(name, packageFolders),
    versionOf(name) {
      if (types.includes(name)) return undefined;
      const version = versions.get(name) ?? versionOfPackage(name, packageFolders);
      if (version !== undefined) versions.set(name, version);
      return version;
    },
    folderOf,
    async isOutdated(name) {
      const stamp = stamps.get(name);
      return stamp !== undefined && stamp !== (await stampOf(name));
    },
    load(name) {
      const plugin = loaded.get(name) ?? open(name);
      loaded.set(name, plugin);
      // A plugin that is repaired later is loaded again.
      plugin.catch(() => {
        loaded.delete(name);
        failed.add(name);
      });
      return plugin;
    },
  };
}

function indexFileOf(folder: string, type: string): string {
  return join(folder, type, 'index.js');
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
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
  /** True if the plugin failed to load before. */
  readonly again: boolean;
}

/**
 * Returns the URL of a module. Node caches modules permanently, so a module that changed needs another URL.
 */
async function moduleUrlOf(file: string, { again }: PluginIdentity): Promise<string> {
  const { href } = pathToFileURL(file);
  return again ? `${href}?changed=${(await stat(file)).mtimeMs}` : href;
}

async function loadPlugin(file: string, identity: PluginIdentity): Promise<AdapterPlugin> {
  const href = await moduleUrlOf(file, identity);
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

import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AdapterPlugin } from '../core/adapter.js';
import { entryOf, isInstalled, typeOfPackage, versionOfPackage } from './plugin-packages.js';
import { runWithTimeout } from './run-within.js';

/** The available adapter plugins, each loaded on its first use. */
export interface Plugins {
  /** Types of the plugins that come with the product, sorted. */
  readonly types: readonly string[];
  /** Returns true for one of `types`, and for the name of an installed npm package. */
  readonly has: (name: string) => boolean;
  /**
   * Returns the version of an installed package at the time of the first request; undefined for one of
   * `types`.
   */
  readonly versionOf: (name: string) => string | undefined;
  /**
   * Loads a plugin. Throws an Error that says how the folder or the package breaks the contract
   * (`plugins/README.md`).
   */
  load(name: string): Promise<AdapterPlugin>;
}

/**
 * Finds the plugins of a folder. Every sub-folder with an `index.js` is a plugin, and its name is the type.
 * Other names are npm packages that are installed in `homes` or above them. A folder takes precedence over a
 * package.
 */
export async function findPlugins(folder: string, homes: readonly string[] = []): Promise<Plugins> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const found = await Promise.all(
    folders.map(async (name) => ((await exists(indexOf(folder, name))) ? [name] : [])),
  );
  const types = found.flat().sort();
  const loaded = new Map<string, Promise<AdapterPlugin>>();
  const failed = new Set<string>();
  const versions = new Map<string, string>();
  const open = (name: string): Promise<AdapterPlugin> => {
    const again = failed.has(name);
    return types.includes(name)
      ? loadPlugin(indexOf(folder, name), { type: name, home: 'folder', again })
      : loadPackage(name, homes, again);
  };
  return {
    types,
    has: (name) => types.includes(name) || isInstalled(name, homes),
    versionOf(name) {
      if (types.includes(name)) return undefined;
      const version = versions.get(name) ?? versionOfPackage(name, homes);
      if (version !== undefined) versions.set(name, version);
      return version;
    },
    load(name) {
      const known = loaded.get(name) ?? open(name);
      loaded.set(name, known);
      // A plugin that is repaired later is loaded again.
      known.catch(() => {
        loaded.delete(name);
        failed.add(name);
      });
      return known;
    },
  };
}

function indexOf(folder: string, type: string): string {
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
const LOAD_MS = 10_000;

/** Required type of a plugin, and the source of that name. */
interface Identity {
  readonly type: string;
  readonly home: 'folder' | 'package';
  /** True if the plugin failed to load before. */
  readonly again: boolean;
}

async function loadPackage(name: string, homes: readonly string[], again: boolean): Promise<AdapterPlugin> {
  return loadPlugin(entryOf(name, homes), { type: typeOfPackage(name), home: 'package', again });
}

/**
 * Returns the URL of a module. Node caches modules permanently, so a module that changed needs another URL.
 */
async function addressOf(file: string, { again }: Identity): Promise<string> {
  const { href } = pathToFileURL(file);
  return again ? `${href}?changed=${(await stat(file)).mtimeMs}` : href;
}

async function loadPlugin(file: string, identity: Identity): Promise<AdapterPlugin> {
  const href = await addressOf(file, identity);
  const module = await runWithTimeout(LOAD_MS, () => import(href) as Promise<{ plugin?: unknown }>);
  const breach = breachOf(module.plugin, identity);
  if (breach) throw new Error(`it breaks the contract: ${breach}`);
  return module.plugin as AdapterPlugin;
}

/** Returns what a module's export `plugin` lacks; `undefined` if it is an adapter plugin. */
function breachOf(plugin: unknown, { type, home }: Identity): string | undefined {
  if (typeof plugin !== 'object' || plugin === null) return 'its index exports no object named "plugin"';
  const { type: own, apiVersion, options, create } = plugin as Partial<Record<keyof AdapterPlugin, unknown>>;
  if (own !== type) return `its type is not the name of its ${home}`;
  if (apiVersion !== 1) return 'its apiVersion is not 1';
  if (typeof options !== 'object' || options === null) return 'its options are not a JSON Schema';
  if (typeof create !== 'function') return 'it has no function "create"';
  return undefined;
}

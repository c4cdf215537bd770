import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AdapterPlugin } from '../domain/adapter.js';

/** The adapter plugins of a folder, each loaded on its first use. */
export interface Plugins {
  /** Types that can be named in `plugin:`, sorted. */
  readonly types: readonly string[];
  /** Throws an Error that says how the folder breaks the contract (`plugins/README.md`). */
  load(type: string): Promise<AdapterPlugin>;
}

/** Finds the plugins of a folder: every sub-folder with an `index.js` is one, and its name is its type. */
export async function findPlugins(folder: string): Promise<Plugins> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const found = await Promise.all(
    folders.map(async (name) => ((await exists(indexOf(folder, name))) ? [name] : [])),
  );
  const types = found.flat().sort();
  const loaded = new Map<string, Promise<AdapterPlugin>>();
  return {
    types,
    load(type) {
      const known = loaded.get(type) ?? loadPlugin(folder, type);
      loaded.set(type, known);
      // A folder that is repaired later is looked at again.
      known.catch(() => loaded.delete(type));
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

async function loadPlugin(folder: string, type: string): Promise<AdapterPlugin> {
  const module = (await import(pathToFileURL(indexOf(folder, type)).href)) as { plugin?: unknown };
  const breach = breachOf(module.plugin, type);
  if (breach) throw new Error(`plugin "${type}" breaks the contract: ${breach}`);
  return module.plugin as AdapterPlugin;
}

/** What a module's export `plugin` lacks, or `undefined` when it is an adapter plugin. */
function breachOf(plugin: unknown, type: string): string | undefined {
  if (typeof plugin !== 'object' || plugin === null) return 'its index exports no object named "plugin"';
  const { type: own, apiVersion, options, create } = plugin as Partial<Record<keyof AdapterPlugin, unknown>>;
  if (own !== type) return `its type is not the name of its folder`;
  if (apiVersion !== 1) return 'its apiVersion is not 1';
  if (typeof options !== 'object' || options === null) return 'its options are not a JSON Schema';
  if (typeof create !== 'function') return 'it has no function "create"';
  return undefined;
}

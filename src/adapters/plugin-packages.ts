import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, parse, resolve } from 'node:path';
import { valueAt } from '../json/pointer.js';

// Valid npm names, so that a name can only mean a folder of node_modules.
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/** Returns true for a valid npm package name, which cannot lead to a path outside `node_modules`. */
export function isPackageName(name: string): boolean {
  return PACKAGE_NAME.test(name);
}

/**
 * Keyword that marks a package as a plugin. No other package is ever loaded because a configuration names it.
 */
export const PLUGIN_KEYWORD = 'gatehouse-plugin';

/**
 * Returns true if a plugin package of this name is installed in one of the folders or above it, as Node
 * resolves packages.
 */
export function isInstalled(name: string, folders: readonly string[]): boolean {
  return packageRootOf(name, folders) !== undefined;
}

/** Returns true if a package of this name is installed, but lacks the keyword of plugins. */
export function isUnmarkedPackage(name: string, folders: readonly string[]): boolean {
  if (!isPackageName(name) || isInstalled(name, folders)) return false;
  return folders.flatMap(withParents).some((folder) => readManifest(folder, name) !== undefined);
}

/** Returns the type of the plugin in a package: the package name without the scope. */
export function typeOfPackage(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** Returns the version in the package.json of an installed package. */
export function versionOfPackage(name: string, folders: readonly string[]): string | undefined {
  const root = packageRootOf(name, folders);
  const version = root === undefined ? undefined : valueAt(readManifest(root, name), '/version');
  return typeof version === 'string' ? version : undefined;
}

/**
 * Returns the file that a package is loaded from. Throws an Error if the package is missing, or if its
 * package.json names no file.
 */
export function entryOf(name: string, folders: readonly string[]): string {
  const root = packageRootOf(name, folders);
  if (root === undefined)
    throw new Error(`there is no plugin package "${name}"; install it beside the configuration`);
  try {
    return createRequire(join(root, 'package.json')).resolve(name);
  } catch (cause) {
    const file = importTarget(valueAt(readManifest(root, name), '/exports'));
    if (file !== undefined) return join(root, 'node_modules', name, file);
    throw new Error('its package.json leads to no file; write "exports": "./index.js"', { cause });
  }
}

/** Conditions of `exports` that hold for an import, in the order of the package. */
const IMPORT_CONDITIONS: ReadonlySet<string> = new Set(['node', 'import', 'module-sync', 'default']);

/** Returns the file of a package that is for imports only, which `require.resolve` does not find; undefined without such a file. */
function importTarget(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports.startsWith('./') ? exports : undefined;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const entries = Object.entries(exports);
  const held = entries.filter(([key]) => key === '.' || IMPORT_CONDITIONS.has(key));
  return held.map(([, target]) => importTarget(target)).find((file) => file !== undefined);
}

/** Returns the folder of an installed plugin package; undefined if it is missing. */
export function folderOfPackage(name: string, folders: readonly string[]): string | undefined {
  const root = packageRootOf(name, folders);
  return root === undefined ? undefined : join(root, 'node_modules', name);
}

/**
 * Returns the nearest folder whose node_modules has the package. Never uses a folder that the environment
 * names.
 */
function packageRootOf(name: string, folders: readonly string[]): string | undefined {
  if (!isPackageName(name)) return undefined;
  return folders.flatMap(withParents).find((folder) => isPlugin(folder, name));
}

function isPlugin(folder: string, name: string): boolean {
  const keywords = valueAt(readManifest(folder, name), '/keywords');
  return Array.isArray(keywords) && keywords.includes(PLUGIN_KEYWORD);
}

/** Returns the parsed package.json; undefined if it is missing or unreadable. */
function readManifest(folder: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function withParents(folder: string): readonly string[] {
  return folder === parse(folder).root ? [folder] : [folder, ...withParents(dirname(folder))];
}

/** File that only adapters of the public catalogue have. */
const CATALOGUE_MANIFEST = 'pronghorn.json';

/**
 * Returns the folder of the catalogue adapter that is installed as this npm package in the folder of the configuration;
 * undefined if it is not installed. Parent folders are not searched, because registered adapters may not name files there.
 */
export function cataloguePackage(name: string, configFolder: string): string | undefined {
  if (!isPackageName(name)) return undefined;
  // Absolute, because the plugin would look for a relative folder beside the files of the adapters.
  const folder = resolve(configFolder, 'node_modules', name);
  return existsSync(join(folder, CATALOGUE_MANIFEST)) ? folder : undefined;
}

const ADAPTER_NAME = /^adapter-(.+)$/;

/**
 * Returns the types of the catalogue adapters that are installed in the folder of the configuration: their names without
 * the prefix `adapter-`, sorted.
 */
export function catalogueTypes(configFolder: string): readonly string[] {
  return [...new Set(cataloguePackages(configFolder).map(({ type }) => type))].sort();
}

/**
 * Returns the name of the npm package of a type of {@link catalogueTypes}; undefined if no package has it. If several packages
 * have the type, it is the first by name.
 */
export function packageOfCatalogueType(type: string, configFolder: string): string | undefined {
  const found = cataloguePackages(configFolder).filter((candidate) => candidate.type === type);
  return found.map(({ name }) => name).sort()[0];
}

function cataloguePackages(configFolder: string): readonly Readonly<Record<'name' | 'type', string>>[] {
  const folder = join(configFolder, 'node_modules');
  const scopes = namesIn(folder).filter((name) => name.startsWith('@'));
  return ['', ...scopes].flatMap((scope) =>
    namesIn(join(folder, scope)).flatMap((entry) => {
      const type = ADAPTER_NAME.exec(entry)?.[1];
      const name = scope === '' ? entry : `${scope}/${entry}`;
      return type !== undefined && cataloguePackage(name, configFolder) !== undefined ? [{ name, type }] : [];
    }),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, parse } from 'node:path';
import { valueAt } from '../core/pointer.js';

// Valid npm names, so that a name can only mean a folder of node_modules.
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/** Returns true for a valid npm package name. Below `node_modules` it leads to no other place. */
export function isPackageName(name: string): boolean {
  return PACKAGE_NAME.test(name);
}

/**
 * Keyword that marks a package as a plugin. No other package is ever loaded because a configuration names it.
 */
const KEYWORD = 'gatehouse-plugin';

/**
 * Returns true if a plugin package of this name is installed in one of the folders or above it, as Node
 * resolves packages.
 */
export function isInstalled(name: string, homes: readonly string[]): boolean {
  return packageRootOf(name, homes) !== undefined;
}

/** Returns the type of the plugin in a package: the package name without the scope. */
export function typeOfPackage(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** Returns the version in the package.json of an installed package. */
export function versionOfPackage(name: string, homes: readonly string[]): string | undefined {
  const home = packageRootOf(name, homes);
  const version = home === undefined ? undefined : valueAt(readManifest(home, name), '/version');
  return typeof version === 'string' ? version : undefined;
}

/**
 * Returns the file that a package is loaded from. Throws an Error if the package is missing, or if its
 * package.json names no file.
 */
export function entryOf(name: string, homes: readonly string[]): string {
  const home = packageRootOf(name, homes);
  if (home === undefined)
    throw new Error(`there is no plugin's package "${name}"; install it beside the configuration`);
  try {
    return createRequire(join(home, 'package.json')).resolve(name);
  } catch (cause) {
    throw new Error('its package.json leads to no file; write "exports": "./index.js"', { cause });
  }
}

/**
 * Returns the nearest folder whose node_modules has the package. Never uses a folder that the environment
 * names.
 */
function packageRootOf(name: string, homes: readonly string[]): string | undefined {
  if (!isPackageName(name)) return undefined;
  return homes.flatMap(withParents).find((home) => isPlugin(home, name));
}

function isPlugin(home: string, name: string): boolean {
  const keywords = valueAt(readManifest(home, name), '/keywords');
  return Array.isArray(keywords) && keywords.includes(KEYWORD);
}

/** Returns the parsed package.json; undefined if it is missing or unreadable. */
function readManifest(home: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(home, 'node_modules', name, 'package.json'), 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function withParents(folder: string): readonly string[] {
  return folder === parse(folder).root ? [folder] : [folder, ...withParents(dirname(folder))];
}

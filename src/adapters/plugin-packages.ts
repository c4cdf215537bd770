import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, parse } from 'node:path';
import { valueAt } from '../core/pointer.js';

// Names that npm takes, so that nothing but a folder of node_modules can be meant.
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/** True for a name that npm takes for a package: below `node_modules` it leads nowhere else. */
export function isPackageName(name: string): boolean {
  return PACKAGE_NAME.test(name);
}

/** A package says so of itself: no other is ever loaded because a configuration names it. */
const KEYWORD = 'gatehouse-plugin';

/** True when a plugin's package of this name is installed in one of the folders or above it, as Node looks for packages. */
export function isInstalled(name: string, homes: readonly string[]): boolean {
  return packageRootOf(name, homes) !== undefined;
}

/** The type of the plugin in a package: its name without the scope. */
export function typeOfPackage(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** The version that an installed package says it has. */
export function versionOfPackage(name: string, homes: readonly string[]): string | undefined {
  const home = packageRootOf(name, homes);
  const version = home === undefined ? undefined : valueAt(readManifest(home, name), '/version');
  return typeof version === 'string' ? version : undefined;
}

/** The file that a package is loaded from. Throws an Error that says what its package.json lacks. */
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

/** The nearest folder whose node_modules has the package. Never a place that the environment names. */
function packageRootOf(name: string, homes: readonly string[]): string | undefined {
  if (!isPackageName(name)) return undefined;
  return homes.flatMap(withParents).find((home) => isPlugin(home, name));
}

function isPlugin(home: string, name: string): boolean {
  const keywords = valueAt(readManifest(home, name), '/keywords');
  return Array.isArray(keywords) && keywords.includes(KEYWORD);
}

/** Undefined when there is none that can be read. */
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

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, parse } from 'node:path';
import { valueAt } from '../domain/pointer.js';

// Names that npm takes, so that nothing but a folder of node_modules can be meant.
const PACKAGE_NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;

/** A package says so of itself: no other is ever loaded because a configuration names it. */
const KEYWORD = 'gatehouse-plugin';

/** True when a plugin's package of this name is installed in one of the folders or above it, as Node looks for packages. */
export function isInstalled(name: string, homes: readonly string[]): boolean {
  return homeOf(name, homes) !== undefined;
}

/** The type of the plugin in a package: its name without the scope. */
export function typeOfPackage(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/** The file that a package is loaded from. Throws an Error that says what its package.json lacks. */
export function entryOf(name: string, homes: readonly string[]): string {
  const home = homeOf(name, homes);
  if (home === undefined)
    throw new Error(`there is no plugin's package "${name}"; install it beside the configuration`);
  try {
    return createRequire(join(home, 'package.json')).resolve(name);
  } catch (cause) {
    throw new Error('its package.json leads to no file; write "exports": "./index.js"', { cause });
  }
}

/** The nearest folder whose node_modules has the package. Never a place that the environment names. */
function homeOf(name: string, homes: readonly string[]): string | undefined {
  if (!PACKAGE_NAME.test(name)) return undefined;
  return homes
    .flatMap(withParents)
    .find((home) => isPlugin(join(home, 'node_modules', name, 'package.json')));
}

function isPlugin(file: string): boolean {
  try {
    const keywords = valueAt(JSON.parse(readFileSync(file, 'utf8')), '/keywords');
    return Array.isArray(keywords) && keywords.includes(KEYWORD);
  } catch {
    return false;
  }
}

function withParents(folder: string): readonly string[] {
  return folder === parse(folder).root ? [folder] : [folder, ...withParents(dirname(folder))];
}

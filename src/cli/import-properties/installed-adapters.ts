import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { isPackageName } from '../../adapters/plugin-packages.js';
import { isJsonObject } from '../../json/json-object.js';
import { valueAt } from '../../json/pointer.js';
import type { Installed } from './adapter.js';

/** Secrets of adapters on the common library that their names do not reveal. */
const LIBRARY_SECRETS = ['/authentication/aws_secret_key'];

/** Installed adapters of the public catalog. */
interface InstalledAdapters {
  readonly find: (model: string) => Installed | undefined;
  /** Folders that were searched, and the adapters in them, as a sentence. */
  readonly searched: string;
}

/**
 * Finds the adapters in a folder, in its folders, and in its `node_modules`: each has a `pronghorn.json`. An adapter is
 * found by the name in its `package.json`, by the name of its folder, or by the last part of either. `from` is the folder of
 * the files that refer to the adapters.
 */
export function findInstalledAdapters(folder: string, from: string): InstalledAdapters {
  const found = candidateFolders(resolve(folder))
    .filter((path) => existsSync(join(path, 'pronghorn.json')))
    .map((path) => ({ path, names: namesOf(path) }));
  const names = found.map(({ names: [name] }) => name);
  const list = names.length === 0 ? 'no adapter is there' : `the adapters there are ${names.join(', ')}`;
  return {
    searched: `searched for pronghorn.json in ${folder}, its folders and its node_modules; ${list}`,
    find(model) {
      if (!isPackageName(model)) return undefined;
      const adapter =
        found.find(({ names: own }) => own.includes(model)) ??
        found.find(({ names: own }) => own.map(lastPart).includes(lastPart(model)));
      return (
        adapter && {
          folder: relative(from, adapter.path),
          secrets: [...LIBRARY_SECRETS, ...decoratorSecrets(adapter.path)],
        }
      );
    },
  };
}

/** Returns the folder itself, and the folders in it and in its `node_modules`, also those of scopes. */
function candidateFolders(folder: string): readonly string[] {
  const children = [folder, join(folder, 'node_modules')].flatMap(subfolders);
  const scopes = children.filter((path) => basename(path).startsWith('@'));
  return [folder, ...children, ...scopes.flatMap(subfolders)];
}

/** Returns the folders in a folder, sorted, also those that are links; none if it cannot be read. */
function subfolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => join(folder, name))
      .sort();
  } catch {
    return [];
  }
}

/** Returns the names of an adapter: that of its package first, if it has one, then that of its folder. */
function namesOf(folder: string): readonly string[] {
  const name = valueAt(readJson(join(folder, 'package.json')), '/name');
  return [...(typeof name === 'string' ? [name] : []), basename(folder)];
}

function lastPart(name: string): string {
  return name.split('/').at(-1) ?? name;
}

/**
 * Returns the pointers that the adapter's decorator file marks as secret. Ignores faults of the file, because
 * the check of the adapter reports them.
 */
function decoratorSecrets(folder: string): readonly string[] {
  const decorators = readJson(join(folder, 'propertiesDecorators.json'));
  if (!Array.isArray(decorators)) return [];
  return decorators
    .filter(isJsonObject)
    .flatMap(({ type, pointer }) => (type === 'encryption' && typeof pointer === 'string' ? [pointer] : []));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}

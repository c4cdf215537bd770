import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isPackageName } from './plugin-packages.js';

/** File that only adapters of the public catalogue have. */
const MARK = 'pronghorn.json';

/**
 * Returns the folder of the catalogue adapter that is installed as this npm package in `home`, the folder of
 * the configuration. Returns undefined if it is not installed. Parent folders are not searched, because
 * registered adapters may not name files there.
 */
export function cataloguePackage(name: string, home: string): string | undefined {
  if (!isPackageName(name)) return undefined;
  const folder = join(home, 'node_modules', name);
  return existsSync(join(folder, MARK)) ? folder : undefined;
}

const ADAPTER = /^adapter-(.+)$/;

/**
 * Returns the types of the catalogue adapters that are installed in `home`: their names without the prefix
 * `adapter-`, sorted.
 */
export function catalogueTypes(home: string): readonly string[] {
  const folder = join(home, 'node_modules');
  const scopes = namesIn(folder).filter((name) => name.startsWith('@'));
  const types = ['', ...scopes].flatMap((scope) =>
    namesIn(join(folder, scope)).flatMap((name) => {
      const type = ADAPTER.exec(name)?.[1];
      return type !== undefined && existsSync(join(folder, scope, name, MARK)) ? [type] : [];
    }),
  );
  return [...new Set(types)].sort();
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isPackageName } from './plugin-packages.js';

/** What an adapter of the public catalogue has, and nothing else does. */
const MARK = 'pronghorn.json';

/**
 * Folder of the catalogue adapter that is installed as the npm package of this name in `home`, the folder of the
 * configuration; undefined when there is none. Folders above are not looked at: registered adapters may name no files there.
 */
export function cataloguePackage(name: string, home: string): string | undefined {
  if (!isPackageName(name)) return undefined;
  const folder = join(home, 'node_modules', name);
  return existsSync(join(folder, MARK)) ? folder : undefined;
}

const ADAPTER = /^adapter-(.+)$/;

/** Types of the catalogue adapters that are installed in `home`: their names behind `adapter-`, sorted. */
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

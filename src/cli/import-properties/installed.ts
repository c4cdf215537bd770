import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isJsonObject } from '../../core/json-object.js';
import { isPackageName } from '../../adapters/plugin-packages.js';
import type { Installed } from './adapter.js';

/** Secrets that adapters on the common library have without a name that tells it. */
const ALWAYS = ['/authentication/aws_secret_key'];

/**
 * Finds adapters of the public catalogue in a folder, by the whole name of their package or its last part. `from` is the
 * folder whose files are to name them.
 */
export function installedIn(folder: string, from: string): (model: string) => Installed | undefined {
  return (model) => {
    if (!isPackageName(model)) return undefined;
    const found = [model, model.split('/').at(-1) ?? model]
      .map((name) => join(resolve(folder), name))
      .find((one) => existsSync(join(one, 'pronghorn.json')));
    return found === undefined
      ? undefined
      : { folder: relative(from, found), secrets: [...ALWAYS, ...decorated(found)] };
  };
}

/** Pointers that the adapter's own file marks; what is wrong with the file is found when the adapter is checked. */
function decorated(folder: string): readonly string[] {
  try {
    const marks: unknown = JSON.parse(readFileSync(join(folder, 'propertiesDecorators.json'), 'utf8'));
    if (!Array.isArray(marks)) return [];
    return marks
      .filter(isJsonObject)
      .flatMap(({ type, pointer }) =>
        type === 'encryption' && typeof pointer === 'string' ? [pointer] : [],
      );
  } catch {
    return [];
  }
}

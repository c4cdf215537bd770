import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { valueAt } from '../../src/json/pointer.js';
import type { WorkerJob } from './messages.js';

/** Interface that an adapter of the public catalog offers to its platform. */
export interface CommunityAdapter {
  on(event: 'ONLINE' | 'OFFLINE', listener: () => void): unknown;
  connect(): void;
  /** Calls back once, with a result or with an error. `query` must be an object. */
  genericAdapterRequest(
    ...request: [
      path: string,
      method: string,
      query: object,
      body: unknown,
      headers: object,
      done: (result: unknown, error: unknown) => void,
    ]
  ): unknown;
}

type AdapterClass = new (id: string, properties: unknown) => CommunityAdapter;

/**
 * Loads the class in an adapter's folder and creates the instance. Throws an Error that names the missing
 * part of the folder.
 */
export function constructAdapter({ id, folder, properties }: WorkerJob): CommunityAdapter {
  const { src = 'adapter.js', export: name } = describeFolder(folder);
  const loaded: unknown = createRequire(join(folder, 'package.json'))(`./${src}`);
  const Adapter = typeof loaded === 'function' ? loaded : valueAt(loaded, `/${name ?? 'default'}`);
  if (typeof Adapter !== 'function') throw new Error(`${src} exports no class of an adapter`);
  const adapter = new (Adapter as AdapterClass)(id, properties);
  const needed = ['on', 'connect', 'genericAdapterRequest'] as const;
  const missing = needed.filter((method) => typeof adapter[method] !== 'function');
  if (missing.length > 0)
    throw new Error(`the adapter has no function ${missing.join(', ')}; take a newer release`);
  return adapter;
}

interface Description {
  readonly src?: string;
  readonly export?: string;
}

function describeFolder(folder: string): Description {
  return readJson(join(folder, 'pronghorn.json')) as Description;
}

/**
 * Returns the maximum number of segments of a generic path: the action file of the adapter has one
 * placeholder for each.
 */
export function pathDepth(folder: string): number {
  try {
    const text = readFileSync(join(folder, 'entities', '.generic', 'action.json'), 'utf8');
    return Math.max(0, ...[...text.matchAll(/\{pathv(\d+)\}/g)].map(([, number]) => Number(number)));
  } catch {
    // The file may be in a database. All published adapters have this number of placeholders.
    return 20;
  }
}

/** Returns the JSON of a file in an adapter's folder. Throws an Error that names the file. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    throw new Error(`${file} ${reason}; "folder" must be the folder of a community adapter`, {
      cause: error,
    });
  }
}

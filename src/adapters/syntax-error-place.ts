import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { firstPlace } from '../core/error-place.js';

/**
 * Returns where an entry module of a plugin, or another module of its folder, is not valid JavaScript. Node.js does not
 * tell this when it imports a module, so a child process parses the files without running them.
 */
export async function syntaxErrorPlace(entry: string): Promise<string | undefined> {
  for (const file of [entry, ...(await otherModules(entry))]) {
    const place = await parseErrorPlace(file);
    if (place !== undefined) return place;
  }
  return undefined;
}

const MODULE_EXTENSIONS: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs']);

/** Maximum number of other modules that are parsed. */
const MAX_MODULES = 30;

async function otherModules(entry: string): Promise<readonly string[]> {
  const folder = dirname(entry);
  const names = await readdir(folder).catch(() => []);
  const modules = names
    .filter((name) => MODULE_EXTENSIONS.has(extname(name)))
    .map((name) => join(folder, name));
  return modules.filter((file) => file !== entry).slice(0, MAX_MODULES);
}

/** Maximum time to parse a file, in milliseconds. */
const PARSE_TIMEOUT_MS = 5_000;

function parseErrorPlace(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--check', file],
      { timeout: PARSE_TIMEOUT_MS, env: {} },
      (error, _out, err) => {
        resolve(error ? firstPlace(err) : undefined);
      },
    );
  });
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copies of public suites, one folder each, named after the suite; they are not part of the product. */
const FOLDER = process.env['PUBLIC_SUITES'] ?? '../shared/data/suites';

/** Returns the path of a file or folder of a public suite; `undefined` if there is no copy. */
export function publicSuite(...path: readonly string[]): string | undefined {
  const place = join(FOLDER, ...path);
  return existsSync(place) ? place : undefined;
}

/**
 * Returns the lines, without duplicates, of all files below a folder of a suite whose names end with
 * `ending`; empty if there is no copy.
 */
export function suiteLines(ending: string, ...path: readonly string[]): readonly string[] {
  const folder = publicSuite(...path);
  if (folder === undefined) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(ending));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/\r*\n/));
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** Returns the content of a JSON file of a suite; `undefined` if there is no copy. */
export function suiteJson(...path: readonly string[]): unknown {
  const file = publicSuite(...path);
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as unknown);
}

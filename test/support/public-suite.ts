import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copies of public suites, one folder for each under its name; they are no part of the product. */
const FOLDER = process.env['PUBLIC_SUITES'] ?? '../shared/data/suites';

/** Where a file or folder of a public suite stands; `undefined` where there is no copy. */
export function publicSuite(...path: readonly string[]): string | undefined {
  const place = join(FOLDER, ...path);
  return existsSync(place) ? place : undefined;
}

/** The lines of every file below a folder of a suite that ends so, each line once; none where there is no copy. */
export function suiteLines(ending: string, ...path: readonly string[]): readonly string[] {
  const folder = publicSuite(...path);
  if (folder === undefined) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(ending));
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/\r*\n/));
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** What a JSON file of a suite holds; `undefined` where there is no copy. */
export function suiteJson(...path: readonly string[]): unknown {
  const file = publicSuite(...path);
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as unknown);
}

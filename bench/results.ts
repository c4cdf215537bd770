import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the results, unless an option names another; git does not keep it. */
export const RESULTS = fileURLToPath(new URL('../../bench/results', import.meta.url));

/**
 * Creates the folder of the results, before anything is measured, and returns a function that writes `NAME.json` into it.
 */
export function openResults(folder: string, name: string): (figures: object) => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  return (figures) => {
    writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
    process.stdout.write(`figures: ${file}\n`);
  };
}

import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { installGatehouse } from '../../support/installed-gatehouse.js';
import { ROOT } from '../markdown.js';

/** An option that takes a value. */
const PREFIX = '--prefix';

/**
 * Replaces `npm install`, which would use a registry. A folder with a `package.json` gets the packages of
 * this checkout. The package of gatehouse is replaced by the compiled files, and another named package by the adapter of the
 * tests.
 */
function main([command, ...words]: readonly string[]): void {
  if (command !== 'install') throw new Error(`not a command of this stand-in: ${command ?? ''}`);
  const at = words.indexOf(PREFIX);
  const folder = at < 0 ? '.' : (words[at + 1] ?? '');
  const names = words.filter((word, index) => !word.startsWith('-') && words[index - 1] !== PREFIX);
  if (names.some((name) => name.startsWith('gatehouse-proxy@'))) {
    installGatehouse(folder, { withTypes: existsSync(join(folder, 'tsconfig.json')) });
    return;
  }
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(CATALOGUE_ADAPTER, place, { recursive: true });
  }
  if (names.length > 0) return;
  if (!existsSync(join(folder, 'package.json'))) throw new Error(`there is no package.json in ${folder}`);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

main(process.argv.slice(2));

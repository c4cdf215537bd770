import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { installKit } from '../../support/installed-kit.js';
import { ROOT } from '../markdown.js';

/** An option that takes a value. */
const PREFIX = '--prefix';

/**
 * Replaces `npm install`, which would use a registry. A folder with a `package.json` gets the packages of
 * this checkout; that of a plugin gets the kit. A named package is replaced by the adapter of the tests.
 */
function main([command, ...words]: readonly string[]): void {
  if (command !== 'install') throw new Error(`not a command of this stand-in: ${command ?? ''}`);
  const at = words.indexOf(PREFIX);
  const folder = at < 0 ? '.' : (words[at + 1] ?? '');
  const names = words.filter((word, index) => !word.startsWith('-') && words[index - 1] !== PREFIX);
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(CATALOGUE_ADAPTER, place, { recursive: true });
  }
  if (names.length > 0) return;
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  if (manifest.includes('gatehouse-plugin-kit')) {
    installKit(folder);
    return;
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

main(process.argv.slice(2));

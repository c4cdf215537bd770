import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../test/docs/markdown.js';

/** Folder of the compiled output. */
const COMPILED = fileURLToPath(new URL('../..', import.meta.url));

/** Folders that are mutated, that run mutated code, or that tests import. */
const COPIED = ['src', 'plugins', 'test', 'console', 'site'];

/**
 * Lays out the compiled project in a folder where it may be changed: `dist` is a copy, everything else a
 * link.
 */
export function layOut(folder: string): void {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  for (const name of COPIED) cpSync(join(COMPILED, name), join(folder, 'dist', name), { recursive: true });
  for (const name of readdirSync(ROOT))
    if (name !== 'dist' && !name.startsWith('.')) symlinkSync(join(ROOT, name), join(folder, name));
}

/** Disables the assertions in the tests of such a project. Throws if no test imports them as expected. */
export function silenceAsserts(folder: string): void {
  const silent = new URL('silent-assert.js', import.meta.url).href;
  const tests = join(folder, 'dist', 'test');
  let silenced = 0;
  for (const name of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js')) continue;
    const text = readFileSync(join(tests, name), 'utf8');
    const changed = text.replace(ASSERT, `import { silentAssert as assert } from ${JSON.stringify(silent)};`);
    if (changed === text) continue;
    writeFileSync(join(tests, name), changed);
    silenced += 1;
  }
  if (silenced === 0) throw new Error('no compiled test imports node:assert/strict in the expected way');
}

const ASSERT = /^import assert from ["']node:assert\/strict["'];$/m;

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the compiled files: `dist`, or the folder that contains this file. */
const COMPILED = fileURLToPath(new URL('../../', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** Installs gatehouse in a folder as npm does. With types, the folder has the compiler and the types of Node.js too. */
export function installGatehouse(folder: string, { withTypes }: { readonly withTypes: boolean }): void {
  const installed = join(folder, 'node_modules', 'gatehouse-proxy');
  mkdirSync(installed, { recursive: true });
  cpSync(join(CHECKOUT, 'package.json'), join(installed, 'package.json'));
  if (!withTypes) {
    symlinkSync(COMPILED, join(installed, 'dist'));
    return;
  }
  cpSync(join(COMPILED, 'src'), join(installed, 'dist/src'), {
    recursive: true,
    filter: (path) => !path.endsWith('.map') && !path.endsWith('.d.ts'),
  });
  cpSync(declarations(), join(installed, 'dist'), { recursive: true });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(installed, 'node_modules'));
  for (const name of ['typescript', '@types/node', 'undici-types', '.bin/tsc']) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(CHECKOUT, 'node_modules', name), place);
  }
}

/** Returns a folder with the declarations of the package. They are written once for each state of the compiled files. */
function declarations(): string {
  const state = createHash('sha256')
    .update(readFileSync(join(COMPILED, '.compiled.json')))
    .digest('hex');
  const all = join(COMPILED, '.declarations');
  const folder = join(all, state);
  if (existsSync(folder)) return folder;
  // Another process may write them as well.
  const unfinished = join(all, `${state}-${process.pid}`);
  const compiler = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
  const words = ['-p', join(CHECKOUT, 'scripts/tsconfig.package.json'), '--outDir', unfinished];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...words], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  if (!existsSync(folder)) renameSync(unfinished, folder);
  for (const name of readdirSync(all))
    if (!name.startsWith(state)) rmSync(join(all, name), { recursive: true });
  return folder;
}

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
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
  symlinkSync(join(CHECKOUT, 'node_modules'), join(installed, 'node_modules'));
  const compiler = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
  const types = ['-p', join(CHECKOUT, 'scripts/tsconfig.package.json'), '--outDir', join(installed, 'dist')];
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...types], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  for (const name of ['typescript', '@types/node', 'undici-types', '.bin/tsc']) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(CHECKOUT, 'node_modules', name), place);
  }
}

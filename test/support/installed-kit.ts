import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../src/lib/version.js';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));

/** The package file of the plugin kit, which `npm run kit` makes. */
const KIT_FILE = join(CHECKOUT, `dist/plugin-kit/gatehouse-plugin-kit-${VERSION}.tgz`);

/** Installs the kit in the folder of a plugin, and for one in TypeScript the compiler and the types of Node.js, without a registry. */
export function installKit(folder: string): void {
  const packages = join(folder, 'node_modules');
  const kit = join(packages, 'gatehouse-plugin-kit');
  mkdirSync(kit, { recursive: true });
  const { status, stderr } = spawnSync('tar', ['-xzf', KIT_FILE, '-C', kit, '--strip-components=1']);
  assert.equal(status, 0, String(stderr));
  if (!existsSync(join(folder, 'tsconfig.json'))) return;
  for (const name of ['typescript', '@types/node', 'undici-types', '.bin/tsc']) {
    mkdirSync(dirname(join(packages, name)), { recursive: true });
    symlinkSync(join(CHECKOUT, 'node_modules', name), join(packages, name));
  }
}

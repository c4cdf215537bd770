// Builds the parts that the tests of the named tiers need, and runs the tests: `node scripts/test.mjs --help`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);

/** Parts of the build (scripts/ready.mjs) by tier, for tiers that do not need all parts. */
const PARTS = {
  shape: ['packages', 'code'],
  unit: ['packages', 'code'],
  integration: ['packages', 'code', 'command'],
  '--changed': ['packages', 'code', 'command'],
  '--help': ['code'],
};

const named = args.filter((word) => !word.startsWith('-') || word in PARTS);
const isKnown = named.length > 0 && named.every((word) => word in PARTS);
const parts = isKnown ? [...new Set(named.flatMap((word) => PARTS[word]))] : [];

for (const [script, ...rest] of [
  [join(root, 'scripts', 'ready.mjs'), ...parts],
  [join(root, 'dist', 'test', 'run', 'main.js'), ...args],
]) {
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', script, ...rest], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

// Builds the parts that the named tests need, and runs the tests: `node scripts/test.mjs --help`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);

/** Parts of the build (scripts/ready.mjs) that every test needs. */
const BASE = ['packages', 'code'];

/** Parts by tier, for tiers that do not need all parts. */
const PARTS = {
  shape: BASE,
  unit: BASE,
  integration: [...BASE, 'command'],
  '--changed': [...BASE, 'command'],
};

const VALUED = ['--grep', '--jobs'];

const named = args.filter(
  (word, at) => word in PARTS || !(word.startsWith('-') || VALUED.includes(args[at - 1])),
);
if (args.includes('--help')) build(['code']);
else if (named.length === 0) build([]);
else {
  // The compiled tests know the tier of a file.
  build(BASE);
  const { tierOf } = await import(pathToFileURL(join(root, 'dist', 'test', 'run', 'tiers.js')).href);
  const needed = named.map((word) => PARTS[word] ?? PARTS[tierOf(word.replace(/^(?:\.\/)?test\//, ''))]);
  if (needed.includes(undefined)) build([]);
  else if (needed.some((parts) => parts !== BASE)) build([...new Set(needed.flat())]);
}
run('dist/test/run/main.js', args);

/** Builds parts; an empty list builds all. */
function build(parts) {
  run('scripts/ready.mjs', parts);
}

function run(script, words) {
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', join(root, script), ...words], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

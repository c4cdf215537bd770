// Checks the format, types and rules of all code, of `bench` and `evidence` too, and the prose of the documentation, and warns of
// commits whose area does not match their files.
import { fileURLToPath } from 'node:url';
import { commitWarnings } from './check-commits.mjs';
import { compile } from './compile.mjs';
import { writeMessageValues } from './message-values.mjs';
import { installPackages } from './packages.mjs';
import { run } from './step.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** All code but the pages, in one project: two would check the sources of the server twice. */
const PROJECT = 'scripts/tsconfig.static.json';
const program = (path, ...words) => [process.execPath, `node_modules/${path}`, ...words];

await installPackages(root, 'all');
await writeMessageValues(root);
compile(root);
const projects = [PROJECT, 'console/tsconfig.json'];
await Promise.all([
  checkCode(),
  run('format', program('oxfmt/bin/oxfmt', '--check'), root),
  run('prose', [process.execPath, 'dist/test/docs/prose/main.js'], root),
]);
for (const warning of commitWarnings(root)) console.error(`> warning: ${warning}`);

/** Checks types and rules. The first step writes declarations, which the others read. */
async function checkCode() {
  await run('types', program('typescript/bin/tsc', '-p', PROJECT), root);
  const spreads = [process.execPath, 'scripts/lint/known-spread-members.js', ...projects];
  await Promise.all([
    run('types of the console', program('typescript/bin/tsc', '-p', 'console'), root),
    run('lint', program('oxlint/bin/oxlint'), root),
    run('members of spreads', spreads, root),
  ]);
}

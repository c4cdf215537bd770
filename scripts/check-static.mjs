// Checks types, format and rules of the code: the format beside the other checks, which use all processors in turn.
import { fileURLToPath } from 'node:url';
import { installPackages } from './packages.mjs';
import { run } from './step.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = (path, ...words) => [process.execPath, `node_modules/${path}`, ...words];

await installPackages(root, 'tests');
await Promise.all([typesAndRules(), format()]);

async function typesAndRules() {
  await run('types', program('typescript/bin/tsc', '-p', '.', '--emitDeclarationOnly'), root);
  await run('types of the console', program('typescript/bin/tsc', '-p', 'console'), root);
  await run('lint', program('oxlint/bin/oxlint'), root);
  const projects = ['tsconfig.json', 'console/tsconfig.json'];
  await run(
    'members of spreads',
    [process.execPath, 'scripts/lint/known-spread-members.js', ...projects],
    root,
  );
}

function format() {
  const words = ['--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content', '.'];
  return run('format', program('prettier/bin/prettier.cjs', ...words), root);
}

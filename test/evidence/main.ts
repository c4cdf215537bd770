import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// The long forms of what the suite shows in short: `npm run evidence [-- GROUP [ARGUMENT...]]`. Each group prints one
// line of JSON, and what it says on the way on stderr.
const GROUPS: Readonly<Record<string, { readonly script: string; readonly says: string }>> = {
  reload: { script: 'reload.js', says: '100 reloads that replace an adapter under load lose no call' },
  leak: { script: 'leak.js', says: '500 such reloads leave nothing behind' },
  isolation: { script: 'isolation.js', says: 'an adapter with 1,000 stuck calls slows no other' },
  crash: {
    script: '../storage/crash-evidence.js',
    says: '10,000 times kill -9 in a write loop: no acknowledged write is lost',
  },
  stalls: { script: 'stalls.js', says: 'keeping forms in SQLite never stops the main loop for 50 ms' },
  power: {
    script: 'power.js',
    says: 'no acknowledged form is lost with the power, and without syncs some are',
  },
  bombs: { script: 'bombs.js', says: 'more than 300 schemas that are bombs end within their limits' },
  model: { script: 'model.js', says: '100,000 sequences do the same in SQLite, PostgreSQL and a model' },
  yang: { script: 'yang/main.js', says: 'the YANG compiler against yanglint, where that is installed' },
  schema: {
    script: 'schema/main.js',
    says: 'our engine for JSON Schema against Ajv, on 10,000 generated pairs',
  },
  'yang-bombs': {
    script: 'yang/bombs.js',
    says: 'no text made to harm the YANG compiler takes it more than a second',
  },
  package: {
    script: 'package.js',
    says: 'the packed tarball, installed without a compiler, tells its version and serves',
  },
  overload: {
    script: 'overload/main.js',
    says: 'ten times more calls than can be carried: nearly as many as ever are answered in time',
  },
  storm: { script: 'storm.js', says: '100,000 actions under resets: none is received twice' },
};

const [name, ...args] = process.argv.slice(2);
if (name === '--help' || (name !== undefined && !Object.hasOwn(GROUPS, name))) help();
else for (const group of name === undefined ? Object.keys(GROUPS) : [name]) await run(group);

async function run(group: string): Promise<void> {
  const script = fileURLToPath(new URL(GROUPS[group]?.script ?? '', import.meta.url));
  process.stderr.write(`${group}: ${GROUPS[group]?.says ?? ''}\n`);
  const child = spawn(process.execPath, ['--expose-gc', script, ...args], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}

function help(): void {
  process.stderr.write('Usage: npm run evidence [-- GROUP [ARGUMENT...]]\n\nGroups:\n');
  for (const [group, { says }] of Object.entries(GROUPS))
    process.stderr.write(`  ${group.padEnd(10)} ${says}\n`);
  if (name !== '--help') process.exitCode = 2;
}

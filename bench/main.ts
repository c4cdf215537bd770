import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// Each group is a separate program: `npm run bench [GROUP [-- ARGUMENT...]]`.
const GROUPS: Readonly<Record<string, string>> = {
  proxy: 'calls through gatehouse, compared with Envoy, HAProxy, Caddy, nginx and proxies on Node.js',
  server: 'start, reload, memory, streams and forms of gatehouse, with their targets',
  netconf: 'reads of a NETCONF server through gatehouse, compared with one session of ssh2',
  yang: 'the YANG compiler compared with yanglint and pyang, if they are installed',
  ui: 'the form in Chromium: opening, typing, searching, and size',
};

/** Without the variables that affect every measured Node.js program; additional certificates slow down each start. */
const ENVIRONMENT = { ...process.env, NODE_OPTIONS: undefined, NODE_EXTRA_CA_CERTS: undefined };

const [name, ...args] = process.argv.slice(2);
if (name === '--help' || (name !== undefined && !Object.hasOwn(GROUPS, name))) help();
else for (const group of name === undefined ? Object.keys(GROUPS) : [name]) await run(group);

async function run(group: string): Promise<void> {
  const script = fileURLToPath(new URL(`${group}/main.js`, import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit', env: ENVIRONMENT });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}

function help(): void {
  process.stderr.write('Usage: npm run bench [GROUP [-- ARGUMENT...]]\n\nGroups:\n');
  for (const [group, says] of Object.entries(GROUPS)) process.stderr.write(`  ${group.padEnd(10)} ${says}\n`);
  if (name !== '--help') process.exitCode = 2;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { startTestServer } from '../support/test-server.js';

// Starts a server and runs schemathesis against it: `node schemathesis-run.js PROGRAM CALLER FOLDER [OPTION...]`. The
// tests start it in a separate network namespace, so that no request of a server leaves the machine.

const [program = '', caller = '', folder = '', ...options] = process.argv.slice(2);

/** Allows any number of wrong credentials: the checks of authentication send many from one address. */
function allowWrongCredentials(): void {
  const path = join(folder, 'server', 'gatehouse.yaml');
  const text = readFileSync(path, 'utf8');
  const attempts = 'attempts: { perUser: 1000, perAddress: 100000 }';
  writeFileSync(path, text.replace('local: { keyFile', `local: { ${attempts}, keyFile`));
}

const server = await startTestServer({ folder: join(folder, 'server'), arrange: allowWrongCredentials });
const headers = caller === 'none' ? [] : ['--header', `Authorization: Bearer ${server.issueToken(caller)}`];
const child = spawn(
  program,
  ['run', join(ROOT, 'docs/openapi.json'), '--url', server.url, ...headers, ...options],
  { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] },
);
const [code] = (await once(child, 'close')) as [number | null];
await server.close();
// 1: some checks failed. The test reads them from the report.
process.exitCode = code === 0 || code === 1 ? 0 : 2;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { extendMainFile } from '../support/main-file.js';
import { startTestServer } from '../support/test-server.js';

// Starts a server and runs schemathesis against it: `node schemathesis-run.js PROGRAM CALLER FOLDER [OPTION...]`. The
// tests start it in a separate network namespace, so that no request of a server leaves the machine.

const [program = '', caller = '', folder = '', ...options] = process.argv.slice(2);

const server = await startTestServer({
  folder: join(folder, 'server'),
  arrange(path) {
    // The checks of authentication send many wrong credentials from one address.
    extendMainFile(path, { local: 'attempts: { perUser: 1000, perAddress: 100000 }' });
  },
});
const header = `Authorization: Bearer ${server.issueToken(caller)}`;
const args = ['run', join(ROOT, 'docs/openapi.json'), '--url', server.url, '--header', header, ...options];
const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
const [code] = (await once(child, 'close')) as [number | null];
await server.close();
// 1: some checks failed. The test reads them from the report.
process.exitCode = code === 0 || code === 1 ? 0 : 2;

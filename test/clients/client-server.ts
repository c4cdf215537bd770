import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/lib/version.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer } from '../support/test-server.js';
import { runProgram } from './run-program.js';

/** Results of the calls that each generated client makes, in this order. */
const EXPECTED_CALLS: readonly (readonly [call: string, result: unknown])[] = [
  ['login', true],
  ['whoami', 'ada'],
  ['getHealthStatus', 'running'],
  ['getVersion', VERSION],
  ['restQuery', true],
  ['restAction', '204'],
  ['restCall', 'berlin'],
  ['createAdapter', 'nso2'],
  ['getAdapters', ['core1', 'nso2']],
  ['getAdapter', '@gatehouse/adapter-restconf'],
  ['updateAdapter', 'NSO'],
  ['getAdapterChangelogs', true],
  ['deleteAdapter', 'OK'],
  ['getAdapter of a missing adapter', [404, 'adapter_not_found']],
  ['createForm', 'Port'],
  ['getFormById', 'Port'],
  ['validateForm', false],
  ['deleteForms', 1],
  ['createProfile', 'edge'],
  ['getProfiles', ['edge']],
  ['getAudit', 'ada'],
  ['restQuery without a token', [401, 'unauthorized']],
];

/**
 * Starts a server, runs a program with a generated client, and asserts the results of its calls. The program
 * prints `["CALL", RESULT]` in one line for each call.
 */
export async function assertCalls(command: readonly [string, ...string[]], cwd: string): Promise<void> {
  const password = randomBytes(12).toString('hex');
  const folder = temporaryFolder().path;
  const server = await startTestServer({
    folder,
    arrange() {
      addUser(folder, password);
    },
  });
  try {
    const { status, out, errors } = await runProgram(command, {
      cwd,
      env: {
        ...process.env,
        GATEHOUSE_URL: server.url,
        GATEHOUSE_PASSWORD: password,
        INVENTORY_URL: server.inventoryUrl,
        ORCHESTRATOR_URL: server.orchestrator.url,
      },
    });
    const lines = out.split('\n').filter((line) => line !== '');
    const calls = lines.map((line) => JSON.parse(line) as unknown);
    assert.deepEqual(calls, EXPECTED_CALLS, errors);
    assert.equal(status, 0, errors);
  } finally {
    await server.close();
  }
}

function addUser(folder: string, password: string): void {
  const path = join(folder, 'gatehouse.yaml');
  const user = `{ username: ada, passwordHash: '${cheapHash(password)}', roles: [admin] }`;
  const main = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    main.replace(/^auth: .*$/m, `auth: { local: { keyFile: data/local-issuer.pem, users: [${user}] } }`),
  );
}

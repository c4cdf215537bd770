import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { VERSION } from '../../src/lib/version.js';
import { extendMainFile } from '../support/main-file.js';
import { cheapHash } from '../support/password-hash.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
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

/** A server with the user `ada`, the client `ci`, and tools for agents. */
export interface ClientServer {
  readonly server: TestServer;
  readonly folder: string;
  readonly password: string;
  /** The variables that the programs of the tests read. */
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a server for clients of others. */
export async function startClientServer(): Promise<ClientServer> {
  const [password, secret] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')];
  const folder = temporaryFolder().path;
  const user = `{ username: ada, passwordHash: '${cheapHash(password)}', roles: [admin] }`;
  const client = `{ clientId: ci, clientSecretHash: '${cheapHash(secret)}', roles: [admin] }`;
  const server = await startTestServer({
    folder,
    arrange() {
      const local = `users: [${user}], clients: [${client}]`;
      extendMainFile(folder, { local, more: 'mcp: { enabled: true }\n' });
    },
  });
  const env = {
    ...process.env,
    HOME: folder,
    GATEHOUSE_URL: server.url,
    GATEHOUSE_PASSWORD: password,
    GATEHOUSE_SECRET: secret,
    INVENTORY_URL: server.inventoryUrl,
    ORCHESTRATOR_URL: server.orchestrator.url,
  };
  return { server, folder, password, env };
}

/** Runs a program that prints `["CALL", RESULT]` in one line for each call, and asserts the results. */
export async function assertResults(
  command: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  expected: readonly (readonly [call: string, result: unknown])[],
): Promise<void> {
  const { status, out, errors } = await runProgram(command, options);
  const lines = out.split('\n').filter((line) => line !== '');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    expected,
    errors,
  );
  assert.equal(status, 0, errors);
}

/** Starts a server, runs a program with a generated client, and asserts the results of its calls. */
export async function assertCalls(command: readonly [string, ...string[]], cwd: string): Promise<void> {
  const { server, env } = await startClientServer();
  try {
    await assertResults(command, { cwd, env }, EXPECTED_CALLS);
  } finally {
    await server.close();
  }
}

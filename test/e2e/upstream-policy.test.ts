import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl, type CallResult } from '../support/call.js';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PASSWORD = 's3cret-of-ada';

/** Returns an adapter file with a login, access rules and two base URLs. */
const adapterFile = (url: string): string => `plugin: http-rest
baseUrls: ["http://127.0.0.1:1", ${url}]
auth:
  type: login
  steps:
    - request: { path: /api/login, body: { username: ada, password: $VAULT_adapters/guarded#password } }
      take: { token: /data/0/token }
  apply: { header: 'X-Auth-Token: {token}' }
access:
  - { roles: [engineering], methods: [GET], paths: ['/devices/**'] }
  - { roles: [admin] }
`;

describe('the policies of an adapter, from its file to the caller', () => {
  let orchestrator: GuardedOrchestrator;
  let testServer: TestServer;
  before(async () => {
    orchestrator = await startGuardedOrchestrator({ demand: 'token' });
    testServer = await startTestServer({
      folder: temporaryFolder().path,
      arrange: (folder, vault) => {
        vault.putSecret({ path: 'adapters/guarded' }, { password: PASSWORD });
        writeFileSync(join(folder, 'adapters', 'guarded.yaml'), adapterFile(orchestrator.url));
        const roles = 'roles: { orchestrator-manager.restQuery: [admin, engineering], orchestrator-manager.restAction: [admin, engineering] }\n'; // prettier-ignore
        writeFileSync(join(folder, 'gatehouse.yaml'), roles, { flag: 'a' });
      },
    });
  });
  after(async () => {
    await testServer.close();
    await orchestrator.close();
  });

  const call = (operation: string, role: string, path: string): Promise<CallResult> =>
    callUrl(`${testServer.url}/orchestrator_manager/${operation}/guarded`, {
      token: testServer.issueToken(role),
      body: {
        params: { path, accept: 'application/json' },
        ...(operation === 'restAction' && { body: { a: 1 } }),
      },
    });

  it('log in with a secret from Vault, and skip an unreachable base URL', async () => {
    const { status, json } = await call('restQuery', 'engineering', '/devices/r1');
    assert.deepEqual([status, json], [200, { target: '/devices/r1' }]);
  });

  it('answer 403 to a call without an access rule, and send nothing to the orchestrator', async () => {
    const before = orchestrator.arrivals.length;
    for (const [operation, path] of [
      ['restQuery', '/users'],
      ['restAction', '/devices/r1'],
      ['restQuery', '/%64evices/r1'],
    ] as const) {
      // prettier-ignore
      const { status, json } = await call(operation, 'engineering', path);
      assert.deepEqual([status, (json as { code: string }).code], [403, 'adapter_forbidden']);
    }
    assert.equal(orchestrator.arrivals.length, before);
  });

  it('send an action once if a rule permits it', async () => {
    const { json } = await call('restAction', 'admin', '/users');
    assert.deepEqual(json, [{ result: '200' }]);
    assert.equal(orchestrator.done.filter((one) => one === 'POST /users').length, 1);
  });

  it('log no password and no token', () => {
    const lines = testServer.logLines.join('\n');
    for (const secret of [PASSWORD, ...orchestrator.issued]) assert.ok(!lines.includes(secret));
  });
});

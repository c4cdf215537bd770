import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { callsTo, problemCodeOf, refusalOf } from '../support/server-calls.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.js';

const FILES = `access:
  - { adapters: [closed1], roles: [lab] }
limits:
  from-file: { operations: [login.whoami], requests: 1000000 }
`;

interface Listed {
  readonly name: string;
  readonly origin: { readonly kind: string; readonly file?: string; readonly line?: number };
  readonly revision: number | null;
  readonly fault: string | null;
}

const QUERY = 'orchestrator-manager.restQuery';
const RULE = { roles: ['noc'], adapters: ['nso1.example.com'], operations: [QUERY] };

describe('stored access rules and limits, with two processes', () => {
  const { path: folder } = temporaryFolder();
  let orchestrator: GuardedOrchestrator;
  let testServer: TestServer;
  const start = async (options: TestServerOptions = {}): Promise<void> => {
    testServer = await startTestServer({ ...options, folder });
  };
  before(async () => {
    orchestrator = await startGuardedOrchestrator();
    const adapter = `plugin: http-rest\nbaseUrl: ${orchestrator.url}\n`;
    await start({
      adapters: { 'nso1.example.com': adapter, 'nso2.example.com': adapter, closed1: adapter },
      main: { server: 'workers: 2', more: FILES },
    });
  });
  after(async () => {
    await testServer.close();
    await orchestrator.close();
  });

  const { call, ask } = callsTo(() => testServer);
  const rest = (operation: string, adapter: string, role: string) =>
    call(`POST /orchestrator_manager/${operation}/${adapter}`, {
      roles: [role],
      body: {
        params: { path: '/devices/r1', accept: 'application/json' },
        ...(operation === 'restAction' && { body: { a: 1 } }),
      },
      // Workers receive connections in turn.
      headers: { connection: 'close' },
    });
  const statuses = async (role: string, adapter: string) => [
    (await rest('restQuery', adapter, role)).status,
    (await rest('restAction', adapter, role)).status,
  ];
  const list = async (path: '/access/rules' | '/limits') =>
    (await ask<{ readonly results: readonly Listed[] }>(`GET ${path}`)).results;

  it('gives a role the right to query one adapter, and takes nothing from others', async () => {
    assert.deepEqual(await statuses('noc', 'nso1.example.com'), [403, 403]);
    await ask('PUT /access/rules/noc-nso1', { properties: RULE, comment: 'watch the network' });
    for (let process = 0; process < 2; process += 1) {
      assert.deepEqual(await statuses('noc', 'nso1.example.com'), [200, 403]);
      assert.deepEqual(await statuses('noc', 'nso2.example.com'), [403, 403]);
      assert.deepEqual(await statuses('noc', 'closed1'), [403, 403]);
      assert.deepEqual(await statuses('admin', 'nso1.example.com'), [200, 200]);
    }
  });

  it('says what a change would do, and changes nothing', async () => {
    const effectsOf = async (name: string, properties: object | null) =>
      (
        await ask<{ readonly effects: readonly object[] }>(`POST /access/rules/${name}/preview`, {
          properties,
        })
      ).effects;
    const effect = { role: 'noc', subjects: [], operation: QUERY };
    const [denied, allowed] = ['denied', 'allowed'];
    assert.deepEqual(await effectsOf('noc-all', { roles: ['noc'], operations: [QUERY] }), [
      { ...effect, adapters: ['closed1', 'core1', 'nso2.example.com'], before: denied, after: allowed },
    ]);
    assert.deepEqual(await effectsOf('noc-nso1', null), [
      { ...effect, adapters: ['nso1.example.com'], before: allowed, after: denied },
    ]);
    assert.equal((await call('GET /access/rules/noc-all')).status, 404);
  });

  it('explains a decision by the stored rule', async () => {
    const decision = await ask<{
      readonly result: string;
      readonly steps: readonly { readonly check: string; readonly names?: readonly string[] }[];
    }>('GET /access/decision?roles=noc&operation=restQuery&adapter=nso1.example.com');
    assert.equal(decision.result, 'allowed');
    assert.deepEqual(
      decision.steps.map(({ check, names }) => [check, names]),
      [
        ['operation', undefined],
        ['granted', ['noc-nso1']],
        ['adapter', undefined],
      ],
    );
  });

  it('opens an adapter that a file closes to others', async () => {
    await ask('PUT /access/rules/noc-closed', { properties: { ...RULE, adapters: ['closed*'] } });
    assert.deepEqual(await statuses('noc', 'closed1'), [200, 403]);
    await ask('DELETE /access/rules/noc-closed');
    assert.deepEqual(await statuses('noc', 'closed1'), [403, 403]);
  });

  it('restores an earlier version, and a deleted rule', async () => {
    await ask('PUT /access/rules/noc-nso1', { properties: { ...RULE, operations: ['proxy.passThrough'] } });
    assert.deepEqual(await statuses('noc', 'nso1.example.com'), [403, 403]);
    const versions = async () =>
      (
        await ask<{ readonly results: readonly { readonly revision: number; readonly action: string }[] }>(
          'GET /access/rules/noc-nso1/history',
        )
      ).results;
    const first = (await versions()).at(-1)?.revision;
    await ask('POST /access/rules/noc-nso1/rollback', { revision: first });
    assert.deepEqual(await statuses('noc', 'nso1.example.com'), [200, 403]);
    await ask('DELETE /access/rules/noc-nso1?comment=over');
    assert.deepEqual(await statuses('noc', 'nso1.example.com'), [403, 403]);
    await ask('POST /access/rules/noc-nso1/rollback', { revision: first });
    assert.deepEqual(await statuses('noc', 'nso1.example.com'), [200, 403]);
    assert.deepEqual(
      (await versions()).map(({ action }) => action),
      ['rolled-back', 'removed', 'rolled-back', 'updated', 'created'],
    );
  });

  it('refuses a change of a rule that another caller has changed', async () => {
    const [stored] = (await list('/access/rules')).filter(({ name }) => name === 'noc-nso1');
    const put = (headers: Readonly<Record<string, string>>) =>
      call('PUT /access/rules/noc-nso1', { body: { properties: RULE }, headers });
    assert.equal((await put({ 'if-match': `"${(stored?.revision ?? 0) + 1}"` })).status, 412);
    assert.equal((await put({ 'if-none-match': '*' })).status, 412);
    assert.equal((await put({ 'if-match': `"${stored?.revision}"` })).status, 200);
  });

  it('refuses faulty rules with the pointer of the fault', async () => {
    for (const [path, properties, pointer] of [
      ['/access/rules/x', { operations: [QUERY] }, '/properties/roles'],
      ['/access/rules/x', { ...RULE, operations: ['a.b'] }, '/properties/operations/0'],
      ['/access/rules/x', { ...RULE, roles: ['$VAULT_a/b'] }, '/properties/roles/0'],
      ['/limits/x', { adapters: ['a'] }, '/properties'],
      ['/limits/x', { requests: 1 }, '/properties/requests'],
    ] as const) {
      const reply = await call(`PUT ${path}`, { body: { properties } });
      assert.deepEqual(refusalOf(reply), [400, 'invalid_request']);
      const { errors } = reply.json as { readonly errors: readonly { readonly pointer: string }[] };
      assert.equal(errors[0]?.pointer, pointer);
    }
  });

  it('refuses a name that no rule can have', async () => {
    for (const route of [
      'PUT /access/rules/a,b',
      'POST /access/rules/a,b/preview',
      'DELETE /access/rules/a,b',
    ] as const) {
      const reply = await call(route, { body: { properties: RULE } });
      assert.deepEqual(refusalOf(reply), [400, 'invalid_request'], route);
    }
  });

  it('limits one caller in all processes, and nobody else', async () => {
    await ask('PUT /limits/robot', {
      properties: { callerNames: ['robot-*'], operations: [QUERY], requests: 2, periodSeconds: 86_400 },
    });
    const query = async (subject: string) =>
      (
        await call('POST /orchestrator_manager/restQuery/nso1.example.com', {
          token: testServer.issueTokenFor(subject, 'admin'),
          body: { params: { path: '/devices/r1', accept: 'application/json' } },
          headers: { connection: 'close' },
        })
      ).status;
    const all: number[] = [];
    for (let time = 0; time < 4; time += 1) all.push(await query('robot-7'));
    assert.deepEqual(all, [200, 200, 429, 429]);
    assert.equal(await query('ada'), 200);
    await ask('DELETE /limits/robot');
    assert.equal(await query('robot-7'), 200);
  });

  it('lists those of files with their place, and refuses to change them', async () => {
    const ofFile = (rules: readonly Listed[]) => rules.filter(({ origin }) => origin.kind === 'file');
    const [rule] = ofFile(await list('/access/rules'));
    const [limit] = ofFile(await list('/limits'));
    assert.deepEqual([rule?.name, limit?.name], ['access/0', 'from-file']);
    const lines = readFileSync(rule?.origin.file ?? '', 'utf8').split('\n');
    assert.match(lines[(rule?.origin.line ?? 0) - 1] ?? '', /closed1/);
    assert.match(lines[(limit?.origin.line ?? 0) - 1] ?? '', /from-file/);
    const reply = await call('PUT /limits/from-file', { body: { properties: { concurrent: 5 } } });
    assert.deepEqual(refusalOf(reply), [409, 'name_taken']);
    assert.match(JSON.stringify(reply.json), /gatehouse\.yaml/);
  });

  it('leaves a stored limit aside when a file or a profile has its name', async () => {
    await ask('PUT /limits/night', { properties: { callerNames: ['ada'], concurrent: 3 } });
    await ask('POST /profiles', {
      properties: { id: 'p', limits: { night: { roles: ['x'], concurrent: 9 } } },
    });
    await ask('PUT /profiles/p/active');
    const [stored, ofProfile] = (await list('/limits')).filter(({ name }) => name === 'night');
    assert.match(stored?.fault ?? '', /profile "p" has the same name/);
    assert.equal(ofProfile?.origin.kind, 'profile');
    const { limits } = await ask<{
      readonly limits: readonly { readonly name: string; readonly concurrent: number }[];
    }>('GET /console/limits');
    assert.equal(limits.find(({ name }) => name === 'night')?.concurrent, 9);
  });

  it('writes an audit record with the version of each change', async () => {
    const { results } = await ask<{
      readonly results: readonly { readonly operation: string; readonly outcome: string }[];
    }>('GET /audit?limit=1000');
    const changes = results.filter(({ operation }) => /^(access-rules|limits)\.put/.test(operation));
    assert.ok(changes.some(({ outcome }) => /^version \d+ of access-rule noc-nso1$/.test(outcome)));
    assert.ok(changes.some(({ outcome }) => /^version \d+ of limit robot$/.test(outcome)));
    assert.equal(results.filter(({ operation }) => operation.endsWith('.previewAccessRule')).length, 0);
  });

  it('are in effect after a restart', async () => {
    await testServer.close();
    await start();
    assert.deepEqual(await statuses('noc', 'nso1.example.com'), [200, 403]);
    assert.equal(problemCodeOf(await rest('restQuery', 'nso2.example.com', 'noc')), 'adapter_forbidden');
  });

  it('stay in files if nobody may store them (bug: a rollback created a deleted rule)', async () => {
    await ask('PUT /access/rules/short', { properties: RULE });
    await ask('DELETE /access/rules/short');
    const { results } = await ask<{ readonly results: readonly { readonly revision: number }[] }>(
      'GET /access/rules/short/history',
    );
    await testServer.close();
    const roles = 'roles: { access-rules.putAccessRule: [], limits.putLimitRule: [] }\n';
    await start({ main: { more: roles } });
    const revision = results.at(-1)?.revision;
    for (const [line, body] of [
      ['PUT /access/rules/short', { properties: RULE }],
      ['POST /access/rules/short/rollback', { revision }],
      ['PUT /limits/short', { properties: { requests: 100 } }],
      ['POST /limits/short/rollback', { revision: 1 }],
    ] as const)
      assert.equal((await call(line, { roles: ['admin'], body })).status, 403, line);
  });
});

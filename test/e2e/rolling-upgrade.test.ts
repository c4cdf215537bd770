import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callUrl, type CallResult } from '../support/call.js';
import { Node } from '../support/cluster/node.js';
import { comesTrue, issueToken } from '../support/cluster/run.js';
import { startTraffic, type Traffic } from '../support/cluster/traffic.js';
import { COMMAND } from '../support/gatehouse-command.js';
import { listenOnLoopback } from '../support/loopback.js';
import { POSTGRES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { cheapHash } from '../support/password-hash.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';

const PASSWORD = 'pw-71e0-of-bob';

/** Number of successes on every node before the next step. */
const ENOUGH = 5;

/** The program of a previous release; default: this version. */
const PREVIOUS_RELEASE = process.env['GATEHOUSE_FORMER'];

/** The compiled program, which imports the migrations from a file. */
const COMPILED = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

/** Program of the next version: this version, or a version whose tables have more columns. */
const NEXT_RELEASE =
  PREVIOUS_RELEASE === undefined
    ? ['--import', new URL('../support/cluster/next-version.js', import.meta.url).href, COMPILED]
    : [COMMAND];

describeWith(POSTGRES, 'D8: a rolling upgrade of two instances on one database, under load', function () {
  this.timeout(120_000);
  const { path: folder } = temporaryFolder();
  const nodes: Node[] = [];
  let server: PostgresServer;
  let traffic: Traffic;
  let token = '';
  let isStopped = false;
  let count = 0;

  const opened = openedBySuite();
  before(async () => {
    server = await opened(startPostgres());
    const orchestrator = createServer((_request, response) => response.end('{"state":"up"}'));
    const { host } = await opened(listenOnLoopback(orchestrator));
    const surroundings = {
      folder,
      storageUrl: await server.newUrl(),
      orchestratorUrl: `http://${host}`,
      audit: '{ durability: store }',
      program: [PREVIOUS_RELEASE ?? COMMAND],
      users: `[{ username: bob, passwordHash: '${cheapHash(PASSWORD)}', roles: [admin] }]`,
    };
    // The first instance creates the signing key and the tables.
    for (const name of ['a', 'b']) nodes.push(await opened(Node.open(name, surroundings)));
    token = await issueToken(folder);
    traffic = startTraffic(nodes, token);
    // Running traffic would keep the process alive.
    await opened({ close: () => (isStopped ? undefined : traffic.stop()) });
    await trafficContinues();
  });

  /** Waits until every node has answered calls, and the cluster has accepted forms. */
  async function trafficContinues(): Promise<void> {
    const { calls, acknowledged } = traffic.seen;
    const forms = acknowledged.length + ENOUGH;
    const enough = nodes.map(({ url }) => [url, (calls.get(url) ?? 0) + ENOUGH] as const);
    await comesTrue(
      () => acknowledged.length >= forms && enough.every(([url, count]) => (calls.get(url) ?? 0) >= count),
    );
  }

  const ask = (at: number, path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) =>
    callUrl(`${nodes[at]?.url ?? ''}${path}`, { method, token, ...(body && { body }) });

  /** Asserts success, and that the reply contains no data of the next version. */
  async function done(call: Promise<CallResult>): Promise<CallResult> {
    const result = await call;
    assert.equal(result.status, 200, result.text);
    assert.doesNotMatch(result.text, /"colour"/);
    return result;
  }

  async function stateAt(at: number, adapter: string): Promise<unknown> {
    return ((await done(ask(at, `/health/adapters/${adapter}`))).json as { readonly state: string }).state;
  }

  /** Changes every table through one node and checks that the other node returns the changes. */
  async function shareEverything(from: number, to: number): Promise<void> {
    const name = `edge-${(count += 1)}`;
    const properties = { baseUrl: 'http://127.0.0.1:1' };
    const record = {
      name,
      type: 'Adapter',
      model: 'http-rest',
      properties: { id: name, type: 'http-rest', brokers: [], groups: [], properties },
    };
    await done(ask(from, '/adapters', { method: 'POST', body: { properties: record } }));
    await eventually(async () => {
      assert.equal(await stateAt(to, name), 'RUNNING');
    });
    await done(ask(to, `/adapters/${name}/stop`, { method: 'PUT' }));
    await eventually(async () => {
      assert.equal(await stateAt(from, name), 'STOPPED');
    });
    await done(ask(from, '/profiles', { method: 'POST', body: { properties: { id: name } } }));
    await done(ask(to, `/profiles/${name}/active`, { method: 'PUT' }));

    const jsonSchema = { type: 'object' };
    const opened = await done(
      ask(from, '/json-forms/task/RenderJsonSchema', { method: 'POST', body: { jsonSchema } }),
    );
    const { id } = opened.json as { readonly id: string };
    const outcome = { outcome: 'approved', formData: {} };
    await done(ask(to, `/json-forms/tasks/${id}/outcome`, { method: 'POST', body: outcome }));

    const form = { name: `of ${name}` };
    await done(ask(from, '/json-forms/forms', { method: 'POST', body: form }));
    const path = `/json-forms/forms/${encodeURIComponent(form.name)}`;
    await done(ask(to, path, { method: 'PUT', body: { options: { description: 'changed' } } }));
    assert.equal((await done(ask(from, `${path}/history`))).text.match(/"revision"/g)?.length, 1);
    await signOut(from, to);
    await done(ask(to, '/audit'));
  }

  /** Sends a wrong password and ends a session at one node; the other node must apply both. */
  async function signOut(from: number, to: number): Promise<void> {
    const logIn = (password: string) =>
      callUrl(`${nodes[from]?.url ?? ''}/login`, { body: { user: { username: 'bob', password } } });
    assert.equal((await logIn('wrong')).status, 401);
    const { text: session } = await done(logIn(PASSWORD));
    const headers = { cookie: `token=${session}`, 'x-gatehouse-csrf': '1' };
    const url = `${nodes[to]?.url ?? ''}/console/session`;
    await done(callUrl(url, { method: 'DELETE', headers }));
    await eventually(async () => {
      const who = await callUrl(`${nodes[from]?.url ?? ''}/whoami`, { method: 'GET', token: session });
      assert.equal(who.status, 401);
    });
  }

  it('begins with one instance, which extends the tables while the other instance serves', async () => {
    await nodes[0]?.replace(NEXT_RELEASE);
    await trafficContinues();
    if (PREVIOUS_RELEASE !== undefined) return;
    const [{ tables, changed } = {}] = await server.run(
      `select count(distinct table_name) as tables, count(*) filter (where column_name = 'colour') as changed
         from information_schema.columns where table_schema like 'gatehouse_test_%' and table_name <> 'schema_versions'`,
    );
    assert.ok(Number(tables) > 0);
    assert.equal(changed, tables);
  });

  it('shares all changes between both versions', async () => {
    await shareEverything(0, 1);
    await shareEverything(1, 0);
    await trafficContinues();
  });

  it('prevents a start of the previous version, and recommends a correction', async () => {
    await nodes[1]?.close();
    await assert.rejects(
      nodes[1]!.start(),
      /ended with 1: .*written by a newer gatehouse.*restore a backup/s,
    );
  });

  it('ends with the other instance, without a failed call or a lost write', async () => {
    await nodes[1]?.replace(NEXT_RELEASE);
    await trafficContinues();
    await shareEverything(1, 0);
    isStopped = true;
    await traffic.stop();
    const { failedCalls, oddWrites, refused, acknowledged } = traffic.seen;
    assert.deepEqual([failedCalls, oddWrites, refused], [[], [], 0]);
    const rows = (await done(ask(0, '/json-forms/forms'))).json as readonly { readonly name: string }[];
    const kept = new Set(rows.map(({ name }) => name));
    assert.deepEqual(
      acknowledged.filter((name) => !kept.has(name)),
      [],
    );
  });

  it('produces one audit chain with the records of both versions', async () => {
    for (const node of nodes) await node.close();
    const args = [...NEXT_RELEASE, 'audit', 'verify', '--config', join(folder, 'a', 'gatehouse.yaml')];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });
});

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { systemScheduler } from '../../src/core/lib/clock.js';
import { createServer } from '../../src/server/create-server.js';
import { callUrl, type CallResult } from '../support/call.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually, until } from '../support/until.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** Returns an adapter as a client registers it, in addition to `core1`, which is configured in a file. */
const edge = (testServer: TestServer, more: object = {}) => ({
  name: 'edge1',
  type: 'Adapter',
  model: 'restconf',
  properties: {
    id: 'edge1',
    type: 'restconf',
    brokers: ['device'],
    groups: [],
    properties: {
      baseUrl: testServer.orchestrator.url,
      auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
      tls: { caFile: '../orchestrator-ca.pem' },
      ...more,
    },
  },
  isEncrypted: false,
  loggerProps: null,
  virtual: false,
});

const QUERY = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

describe('adapters in the API', () => {
  // Starts ahead of the machine's clock, which issues the tokens of the test.
  const clock = createFakeScheduler(Date.now() + 60_000);
  let testServer: TestServer;
  let folder: string;

  before(async () => {
    folder = temporaryFolder().path;
    testServer = await startTestServer({ folder, clock });
  });
  afterEach(async () => {
    for (const id of ['edge1', 'plain']) rmSync(join(folder, 'adapters', `${id}.yaml`), { force: true });
    assert.deepEqual(await testServer.running.reload(), []);
    const removed = await api('DELETE', '/adapters/edge1');
    assert.ok([200, 404].includes(removed.status), removed.text);
  });
  after(() => testServer.close());

  const api = (
    method: string,
    path: string,
    options: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<CallResult> =>
    callUrl(testServer.url + path, { method, token: testServer.issueToken('admin'), ...options });
  const query = async (adapterId: string): Promise<number> =>
    (await api('POST', `/orchestrator_manager/restQuery/${adapterId}`, { body: QUERY })).status;
  const register = (more?: object) =>
    api('POST', '/adapters', { body: { properties: edge(testServer, more) } });
  const dataOf = ({ json }: CallResult) => (json as { data: { properties: { properties: object } } }).data;

  it('serve calls as soon as they are registered, and after a restart', async () => {
    // A separate server, because this test closes it.
    const own = await startTestServer({ folder: temporaryFolder().path });
    const token = own.issueToken('admin');
    const queryAt = async (url: string): Promise<number> =>
      (await callUrl(`${url}/orchestrator_manager/restQuery/edge1`, { token, body: QUERY })).status;
    const created = await callUrl(`${own.url}/adapters`, { token, body: { properties: edge(own) } });
    assert.equal(created.status, 200, created.text);
    assert.deepEqual(
      [(created.json as { status: string }).status, created.headers['etag']],
      ['Created', '"1"'],
    );
    assert.equal(await queryAt(own.url), 200);
    await own.running.close();
    const again = await createServer({
      configPath: own.configPath,
      env: {},
      clock: systemScheduler,
      logStream: new PassThrough().resume(),
    });
    const status = await queryAt(again.url);
    await again.close();
    await own.close();
    assert.equal(status, 200);
  });

  it('are listed with the adapters of files, for the queries that clients send', async () => {
    await register();
    const all = (await api('GET', '/adapters')).json as {
      results: { data: { name: string } }[];
      total: number;
    };
    assert.deepEqual([all.results.map(({ data }) => data.name), all.total], [['core1', 'edge1'], 2]);
    const one = await api('GET', '/adapters?equals=edge1&equalsField=name&limit=100&token=ignored');
    assert.equal((one.json as { total: number }).total, 1);
    const mapping = await api('GET', '/adapters/brokers/mapping');
    assert.deepEqual(mapping.json, { device: ['edge1'] });
  });

  it('contain references, but no secrets', async () => {
    writeFileSync(
      join(folder, 'adapters', 'plain.yaml'),
      `plugin: http-rest\nbaseUrl: http://127.0.0.1:9\nauth: { type: bearer, token: plain-text-of-a-token }\n`,
    );
    assert.deepEqual(await testServer.running.reload(), []);
    const plain = await api('GET', '/adapters/plain');
    assert.doesNotMatch(plain.text, /plain-text-of/);
    const { auth } = dataOf(plain).properties.properties as { auth: object };
    assert.deepEqual(auth, { type: 'bearer', token: '' });
    await register();
    assert.match((await api('GET', '/adapters/edge1')).text, /\$VAULT_adapters\/core1#password/);
  });

  it('are refused with the pointer of every fault, and not stored', async () => {
    const refused = await register({ baseUrl: 'ftp://x', timeouts: { totalMs: 'soon' }, nonsense: 1 });
    assert.equal(refused.status, 400);
    const { errors } = refused.json as { errors: { pointer: string }[] };
    const below = '/properties/properties/properties';
    assert.deepEqual(errors.map(({ pointer }) => pointer).sort(), [
      `${below}/baseUrl`,
      `${below}/nonsense`,
      `${below}/timeouts/totalMs`,
    ]);
    assert.equal((await api('GET', '/adapters/edge1')).status, 404);
    const encrypted = await register({ auth: { type: 'bearer', token: '$ENC8ef3972b' } });
    assert.match(encrypted.text, /ENC/);
    assert.equal(encrypted.status, 400);
    const loggerProps = { syslog: { host: '$ENC8ef3972b' } };
    const withEncryptedLogger = await api('POST', '/adapters', {
      body: { properties: { ...edge(testServer), loggerProps } },
    });
    assert.equal(
      withEncryptedLogger.status,
      400,
      'bug: one among the settings of the log was kept, and shown',
    );
    assert.match(withEncryptedLogger.text, /"pointer":"\/properties\/loggerProps\/syslog\/host"/);
    assert.doesNotMatch(withEncryptedLogger.text, /8ef3972b/);
    const escaping = await register({ tls: { caFile: '/etc/passwd' } });
    assert.match(escaping.text, /outside of the folder of the configuration/);
  });

  it('may be registered without settings and configured later, as the CLI does', async () => {
    const bare = {
      ...edge(testServer),
      properties: { id: 'edge1', type: '', brokers: null, groups: null, properties: null },
    };
    const created = await api('POST', '/adapters', { body: { properties: bare } });
    assert.equal(created.status, 200, created.text);
    assert.match((created.json as { message: string }).message, /dead/);
    assert.equal(await query('edge1'), 503);
    const { properties } = edge(testServer).properties;
    const updated = await api('PUT', '/adapters/edge1/properties', { body: { properties } });
    assert.equal(updated.status, 200, updated.text);
    assert.equal(await query('edge1'), 200);
  });

  it('need a unique name, and cannot be changed if a file defines them', async () => {
    await register();
    const twice = await register();
    assert.equal(twice.status, 409);
    assert.match((twice.json as { message: string }).message, /edge1 already exists!/);
    for (const [method, path, body] of [
      ['PUT', '/adapters/core1', { properties: {} }],
      ['PUT', '/adapters/core1/properties', { properties: {} }],
      ['DELETE', '/adapters/core1', undefined],
    ] as const) {
      const refused = await api(method, path, { body });
      assert.equal(refused.status, 409, path);
      assert.match(refused.text, /core1\.yaml/);
    }
  });

  it('have tags, which the list and the overview show, and whose change does not replace the adapter', async () => {
    await register();
    const edge1 = async () => {
      const { json } = await api('GET', '/console/overview');
      const { adapters } = json as { adapters: { name: string; since: number | null; tags: string[] }[] };
      return adapters.find(({ name }) => name === 'edge1');
    };
    const before = await edge1();
    const change = (tags: readonly string[]) =>
      api('PUT', '/adapters/edge1', { body: { properties: { properties: { tags } } } });
    const tags = ['site:berlin', 'core'];
    assert.equal((await change(tags)).status, 200);
    const { data } = (await api('GET', '/adapters/edge1')).json as {
      data: { properties: { tags: string[] } };
    };
    assert.deepEqual(data.properties.tags, tags);
    assert.deepEqual(await edge1(), { ...before, ...(await edge1()), tags, since: before?.since });
    assert.equal((await change(['two words'])).status, 400);
  });

  it('are changed only at the revision in If-Match', async () => {
    const seen = Number(JSON.parse(String((await register()).headers['etag'])));
    const stale = {
      headers: { 'if-match': `"${seen}"` },
      body: { properties: { properties: { brokers: ['a'] } } },
    };
    const changed = await api('PUT', '/adapters/edge1', stale);
    assert.deepEqual([changed.status, changed.headers['etag']], [200, `"${seen + 1}"`]);
    assert.equal((await api('PUT', '/adapters/edge1', stale)).status, 412);
    const remove = (revision: number) =>
      api('DELETE', '/adapters/edge1', { headers: { 'if-match': `"${revision}"` } });
    assert.equal((await remove(seen)).status, 412);
    assert.equal((await remove(seen + 1)).status, 200);
    assert.equal(await query('edge1'), 404);
  });

  it('are stopped, started, restarted and suspended, and keep the state over a reload', async () => {
    const put = async (what: string, body?: unknown): Promise<void> => {
      const { status, text } = await api('PUT', `/adapters/core1/${what}`, { body });
      assert.equal(status, 200, text);
    };
    await put('stop');
    assert.equal(await query('core1'), 503);
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal(await query('core1'), 503);
    await put('start');
    assert.equal(await query('core1'), 200);
    await put('suspend', { mode: 'error' });
    assert.equal(await query('core1'), 503);
    await put('suspend');
    const waiting = query('core1');
    await put('restart');
    assert.equal(await waiting, 200);
  });

  it('restore their log levels after the given time', async () => {
    const levelOf = async (): Promise<string> => {
      const { data } = (await api('GET', '/adapters/core1')).json as { data: { loggerProps: object } };
      return (data.loggerProps as { log_level: string }).log_level;
    };
    const wentBack = (): boolean =>
      testServer.logLines.some((line) => line.includes('temporary log levels ended'));
    const before = await levelOf();
    const body = { properties: { transport: 'file', level: 'error', seconds: 1 } };
    const { status, text } = await api('PUT', '/adapters/core1/loglevel', { body });
    assert.equal(status, 200);
    assert.match(text, / until 20\d\d-/);
    await clock.pass(999);
    assert.deepEqual([await levelOf(), wentBack()], ['error', false]);
    await clock.pass(1);
    await until(wentBack);
    await eventually(async () => {
      assert.equal(await levelOf(), before);
    });
  });

  it('start although an earlier adapter of the same name was stopped (bug: they stayed stopped silently)', async () => {
    const file = join(folder, 'adapters', 'edge1.yaml');
    writeFileSync(file, `plugin: http-rest\nbaseUrl: http://127.0.0.1:9\n`);
    await testServer.running.reload();
    assert.equal((await api('PUT', '/adapters/edge1/stop')).status, 200);
    rmSync(file);
    await testServer.running.reload();
    assert.equal((await register()).status, 200);
    assert.equal(await query('edge1'), 200);
  });

  it('are replaced by a file with the same name, and restored when the file is removed', async () => {
    await register({ enabled: false });
    assert.equal(await query('edge1'), 503);
    const file = join(folder, 'adapters', 'edge1.yaml');
    writeFileSync(file, `plugin: http-rest\nbaseUrl: http://127.0.0.1:9\n`);
    await testServer.running.reload();
    const { data } = (await api('GET', '/adapters/edge1')).json as { data: { model: string } };
    assert.equal(data.model, '@gatehouse/adapter-http-rest');
    rmSync(file);
    assert.deepEqual(await testServer.running.reload(), []);
    const back = (await api('GET', '/adapters/edge1')).json as { data: { model: string } };
    assert.equal(back.data.model, '@gatehouse/adapter-restconf');
  });
});

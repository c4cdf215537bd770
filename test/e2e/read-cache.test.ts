import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callUrl } from '../support/call.js';
import { POSTGRES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { startPostgres } from '../support/postgres-server.js';
import { scrape } from '../support/scrape.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

const PATH = '/restconf/data/ietf-interfaces:interfaces';
const MEDIA = 'application/yang-data+json';

/** Adds a cache to the adapter, and lets engineers query. */
function arrangeCache(folder: string): void {
  const rule = '{ paths: ["/restconf/data/**"], ttlSeconds: 600, overridesReplies: true, perRoles: true }';
  appendFileSync(join(folder, 'adapters', 'core1.yaml'), `cache: { rules: [${rule}] }\n`);
  appendFileSync(
    join(folder, 'gatehouse.yaml'),
    'roles: { orchestrator-manager.restQuery: [admin, engineering] }\n',
  );
  // The machine of a test may be busy.
  const file = join(folder, 'gatehouse.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('server: {', 'server: { overload: null,'));
}

const query = (server: TestServer, role = 'admin', path = PATH) =>
  callUrl(`${server.url}/orchestrator_manager/restQuery/core1`, {
    token: server.issueToken(role),
    headers: { connection: 'close' },
    body: { params: { path, accept: MEDIA } },
  });
const act = (server: TestServer, path = PATH) =>
  callUrl(`${server.url}/orchestrator_manager/restAction/core1`, {
    token: server.issueToken('admin'),
    headers: { connection: 'close' },
    body: { params: { method: 'patch', path, accept: MEDIA, contentType: MEDIA }, body: {} },
  });
/** Returns the number of queries that the orchestrator has seen. */
const queriesAt = ({ orchestrator }: TestServer): number =>
  orchestrator.requests.filter(({ method, path }) => method === 'GET' && path === PATH).length;

describe('the read cache of an adapter', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ folder: temporaryFolder().path, arrange: arrangeCache });
  });
  after(() => server.close());

  const get = (path: string) =>
    callUrl(server.url + path, { method: 'GET', token: server.issueToken('admin') });

  it('answers a repeated query, and says so to the caller, in the audit trail and in the metrics', async () => {
    const first = await query(server);
    assert.equal(first.status, 200, first.text);
    assert.equal(first.headers['cache-status'], 'gatehouse; fwd=uri-miss; stored');
    const second = await query(server);
    assert.equal(second.text, first.text);
    assert.match(String(second.headers['cache-status']), /^gatehouse; hit; ttl=(?:59\d|600)$/);
    assert.match(String(second.headers['age']), /^\d+$/);
    assert.equal(queriesAt(server), 1);
    const { text } = await get('/audit?limit=5');
    assert.match(text, /"outcome":"200 from cache"/);
    const { samples } = await scrape(server);
    assert.equal(samples.get('gatehouse_cache_requests_total{adapter="core1",result="hit"}'), 1);
    assert.equal(samples.get('gatehouse_cache_requests_total{adapter="core1",result="miss"}'), 1);
    assert.equal(samples.get('gatehouse_cache_entries{adapter="core1"}'), 1);
  });

  it('keeps callers with different roles apart, and asks for access before it answers', async () => {
    const before = queriesAt(server);
    assert.equal((await query(server, 'engineering')).status, 200);
    assert.equal(queriesAt(server), before + 1);
    assert.equal((await query(server, 'viewer')).status, 403);
  });

  it('is empty after an action at, above or below the path, also through /proxy', async () => {
    for (const change of [
      () => act(server),
      () => act(server, `${PATH}/interface=eth0`),
      () => act(server, '/restconf/data'),
      () =>
        callUrl(`${server.url}/proxy/core1${PATH}`, {
          method: 'PATCH',
          token: server.issueToken('admin'),
          body: {},
        }),
    ]) {
      await query(server);
      const before = queriesAt(server);
      await change();
      await query(server);
      assert.equal(queriesAt(server), before + 1);
    }
  });

  it('is emptied by an operation, which is audited and only for administrators', async () => {
    await query(server);
    const before = queriesAt(server);
    const empty = (role: string, name = 'core1') =>
      callUrl(`${server.url}/adapters/${name}/cache`, { method: 'DELETE', token: server.issueToken(role) });
    assert.equal((await empty('viewer')).status, 403);
    assert.equal((await empty('admin', 'none')).status, 404);
    await query(server);
    assert.equal(queriesAt(server), before);
    const emptied = await empty('admin');
    assert.equal(emptied.status, 200, emptied.text);
    await query(server);
    assert.equal(queriesAt(server), before + 1);
  });

  it('is empty after a restart of the adapter', async () => {
    await query(server);
    const before = queriesAt(server);
    const restarted = await callUrl(`${server.url}/adapters/core1/restart`, {
      method: 'PUT',
      token: server.issueToken('admin'),
    });
    assert.equal(restarted.status, 200, restarted.text);
    await query(server);
    assert.equal(queriesAt(server), before + 1);
  });
});

describeWith(POSTGRES, 'the read caches of two call workers', function () {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      folder: temporaryFolder().path,
      arrange(folder) {
        arrangeCache(folder);
        const file = join(folder, 'gatehouse.yaml');
        writeFileSync(file, readFileSync(file, 'utf8').replace('server: {', 'server: { workers: 2,'));
      },
    });
  });
  after(() => server.close());

  it('forget what an action at the other worker changed, before it is answered', async () => {
    for (let round = 0; round < 4; round += 1) {
      for (let at = 0; at < 4; at += 1) assert.equal((await query(server)).status, 200);
      const before = queriesAt(server);
      await query(server);
      assert.equal(queriesAt(server), before, 'both workers have the reply');
      assert.ok((await act(server)).status < 300);
      for (let at = 0; at < 4; at += 1) await query(server);
      assert.equal(queriesAt(server), before + 2, 'each worker has asked once');
    }
  });

  it('are emptied by one operation', async () => {
    for (let at = 0; at < 4; at += 1) await query(server);
    const before = queriesAt(server);
    const token = server.issueToken('admin');
    const emptied = await callUrl(`${server.url}/adapters/core1/cache`, { method: 'DELETE', token });
    assert.equal(emptied.status, 200, emptied.text);
    for (let at = 0; at < 4; at += 1) await query(server);
    assert.equal(queriesAt(server), before + 2, 'each worker has asked once');
  });
});

describeWith(POSTGRES, 'the read caches of two nodes', function () {
  this.timeout(60_000);
  const nodes: TestServer[] = [];
  const opened = openedBySuite();
  before(async () => {
    const postgres = await opened(startPostgres());
    const url = await postgres.newUrl();
    for (let node = 0; node < 2; node += 1)
      nodes.push(
        await opened(
          startTestServer({
            folder: temporaryFolder().path,
            arrange(folder) {
              arrangeCache(folder);
              const file = join(folder, 'gatehouse.yaml');
              const text = readFileSync(file, 'utf8').replace(/^storage: .*$/m, `storage: { url: "${url}" }`);
              writeFileSync(file, text);
              const [one] = nodes;
              if (!one) return;
              copyFileSync(
                join(dirname(one.configPath), 'data', 'local-issuer.pem'),
                join(folder, 'data', 'local-issuer.pem'),
              );
            },
          }),
        ),
      );
  });
  it('forget what an action at the other node changed', async () => {
    const [one, other] = nodes as [TestServer, TestServer];
    // A node that begins to listen forgets its replies once.
    const isCached = async (): Promise<boolean> => {
      await query(other);
      const before = queriesAt(other);
      await query(other);
      return queriesAt(other) === before;
    };
    await eventually(async () => {
      assert.ok(await isCached());
    });
    const before = queriesAt(other);
    assert.ok((await act(one)).status < 300);
    await eventually(async () => {
      await query(other);
      assert.ok(queriesAt(other) > before);
    });
  });
});

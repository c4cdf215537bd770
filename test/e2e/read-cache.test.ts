import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { POSTGRES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { startPostgres } from '../support/postgres-server.js';
import { scrape } from '../support/scrape.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.js';
import { eventually } from '../support/until.js';

const PATH = '/restconf/data/ietf-interfaces:interfaces';
const MEDIA = 'application/yang-data+json';

/** Adds a cache to the adapter. The machine of a test may be busy, so that the overload is off. */
const startWithCache = (
  options: Pick<TestServerOptions, 'storageUrl' | 'nodeOf'> = {},
  server = 'overload: null',
): Promise<TestServer> =>
  startTestServer({
    ...options,
    main: { server },
    arrange(folder) {
      const rule = 'paths: ["/restconf/data/**"], ttlSeconds: 600, overridesReplies: true';
      appendFileSync(join(folder, 'adapters', 'core1.yaml'), `cache: { rules: [{ ${rule} }] }\n`);
    },
  });

const query = (server: TestServer) => server.query('core1', { headers: { connection: 'close' } });
const act = (server: TestServer) =>
  callUrl(`${server.url}/orchestrator_manager/restAction/core1`, {
    token: server.issueToken('admin'),
    headers: { connection: 'close' },
    body: { params: { method: 'patch', path: PATH, accept: MEDIA, contentType: MEDIA }, body: {} },
  });
/** Returns the number of queries that the orchestrator has seen. */
const queriesAt = ({ orchestrator }: TestServer): number =>
  orchestrator.requests.filter(({ method, path }) => method === 'GET' && path === PATH).length;

describe('the read cache of an adapter', () => {
  let server: TestServer;
  before(async () => {
    server = await startWithCache();
  });
  after(() => server.close());

  it('answers a repeated query, and says so to the caller, in the audit trail and in the metrics', async () => {
    const first = await query(server);
    assert.equal(first.status, 200, first.text);
    assert.equal(first.headers['cache-status'], 'gatehouse; fwd=uri-miss; stored');
    const second = await query(server);
    assert.equal(second.text, first.text);
    assert.match(String(second.headers['cache-status']), /^gatehouse; hit; ttl=(?:59\d|600)$/);
    assert.match(String(second.headers['age']), /^\d+$/);
    assert.equal(queriesAt(server), 1);
    const { text } = await server.call('GET /audit?limit=5');
    assert.match(text, /"outcome":"200 from cache"/);
    const { samples } = await scrape(server);
    assert.equal(samples.get('gatehouse_cache_requests_total{adapter="core1",result="hit"}'), 1);
    assert.equal(samples.get('gatehouse_cache_requests_total{adapter="core1",result="miss"}'), 1);
    assert.equal(samples.get('gatehouse_cache_entries{adapter="core1"}'), 1);
  });

  it('is empty after an action, also through /proxy', async () => {
    for (const change of [() => act(server), () => server.call(`PATCH /proxy/core1${PATH}`, { body: {} })]) {
      await query(server);
      const before = queriesAt(server);
      await change();
      await query(server);
      assert.equal(queriesAt(server), before + 1);
    }
  });

  it('is emptied by an operation, and by a restart of the adapter', async () => {
    assert.equal((await server.call('DELETE /adapters/none/cache')).status, 404);
    for (const [method, path] of [
      ['DELETE', '/adapters/core1/cache'],
      ['PUT', '/adapters/core1/restart'],
    ] as const) {
      await query(server);
      const before = queriesAt(server);
      await query(server);
      assert.equal(queriesAt(server), before);
      const emptied = await server.call(`${method} ${path}`);
      assert.equal(emptied.status, 200, emptied.text);
      await query(server);
      assert.equal(queriesAt(server), before + 1);
    }
  });
});

describeWith(POSTGRES, 'the read caches of two workers', () => {
  let server: TestServer;
  before(async () => {
    server = await startWithCache({}, 'overload: null, workers: 2');
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
});

describeWith(POSTGRES, 'the read caches of two nodes', () => {
  const nodes: TestServer[] = [];
  const opened = openedBySuite();
  before(async () => {
    const postgres = await opened(startPostgres());
    const storageUrl = await postgres.newUrl();
    for (let node = 0; node < 2; node += 1)
      nodes.push(await opened(startWithCache({ storageUrl, nodeOf: nodes[0] })));
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

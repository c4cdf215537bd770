import assert from 'node:assert/strict';
import { headerOf } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import {
  createRestconfDouble,
  type RestconfDouble,
  type RestconfDoubleOptions,
} from '../support/restconf-double.js';
import { until } from '../support/until.js';
import { clientOf, DATA, GIGABIT, LIST, YANG } from './restconf-client.js';
import { sendTo } from './send.js';

const start = Date.parse('2024-05-01T10:00:00Z');

describe('the RESTCONF double', () => {
  let double: RestconfDouble;
  let now = start;
  const options: RestconfDoubleOptions = { username: 'admin', password: 'admin', clock: { now: () => now } };

  beforeEach(async () => {
    now = start;
    double = await createRestconfDouble({ ...options, tls: false });
  });
  afterEach(() => double.close());

  const { call, get, errorOf } = clientOf(() => double);

  describe('resources', () => {
    it('returns its root in host-meta, without credentials (RFC 8040 section 3.1)', async () => {
      const reply = await call('GET /.well-known/host-meta', { login: '' });
      assert.equal(headerOf(reply.headers, 'content-type'), 'application/xrd+xml');
      assert.match(reply.body.toString(), /<Link rel='restconf' href='\/restconf'\/>/);
    });

    it('returns the API resource, its fields, and the operations (section 3.3)', async () => {
      const operations = { 'gatehouse-demo:restart-interface': [null] };
      assert.deepEqual(await get('/restconf'), {
        'ietf-restconf:restconf': { data: {}, operations, 'yang-library-version': '2019-01-04' },
      });
      assert.deepEqual(await get('/restconf/operations'), { 'ietf-restconf:operations': operations });
      assert.deepEqual(await get('/restconf/yang-library-version'), {
        'ietf-restconf:yang-library-version': '2019-01-04',
      });
    });

    it('returns the interfaces of a small router', async () => {
      const list = (await get(LIST, '/ietf-interfaces:interfaces/interface')) as { name: string }[];
      assert.deepEqual(
        list.map(({ name }) => name),
        ['eth0', 'eth1', 'GigabitEthernet0/1', 'lo0'],
      );
      assert.equal(
        await get(DATA, '/ietf-restconf:data/ietf-interfaces:interfaces/interface/0/name'),
        'eth0',
      );
    });

    it('returns list entries by percent-encoded key, and leaves (section 3.5.3)', async () => {
      assert.equal(await get(GIGABIT, '/ietf-interfaces:interface/0/name'), 'GigabitEthernet0/1');
      assert.deepEqual(await get(`${GIGABIT}/oper-status`), { 'ietf-interfaces:oper-status': 'down' });
      const address = `${LIST}/interface=eth0/ietf-ip:ipv4/address=198.51.100.2`;
      assert.deepEqual(await get(`${address}/prefix-length`), { 'ietf-ip:prefix-length': 24 });
    });

    it('answers 404 for a missing resource', async () => {
      const paths = [
        '/',
        '/restconfx',
        '/restconf/nothing',
        `${LIST}/interface=eth7`,
        `${LIST}/nothing`,
        `${DATA}/interfaces`,
      ];
      for (const path of [...paths, `${LIST}/interface=eth0/description/x`, '/restconf/operations/a:b'])
        assert.equal(await errorOf(`GET ${path}`), '404 invalid-value', path);
    });

    it('answers 400 for a malformed path', async () => {
      for (const path of [
        `${LIST}/interface=a,b`,
        `${LIST}/interface=%zz`,
        `${LIST}/interface/name`,
        `${LIST}=a`,
      ])
        assert.equal(await errorOf(`GET ${path}`), '400 malformed-message', path);
    });
  });

  describe('reading', () => {
    it('limits the depth (section 4.8.2)', async () => {
      assert.deepEqual(await get(`${LIST}?depth=1`), { 'ietf-interfaces:interfaces': {} });
      assert.deepEqual(await get(`${LIST}?depth=2`), {
        'ietf-interfaces:interfaces': { interface: [{}, {}, {}, {}] },
      });
      assert.equal(await get(`${LIST}?depth=3`, '/ietf-interfaces:interfaces/interface/0/name'), 'eth0');
    });

    it('separates configuration from state (section 4.8.1)', async () => {
      const members = async (content: string) =>
        Object.keys(
          (await get(`${GIGABIT}?content=${content}`, '/ietf-interfaces:interface/0')) as object,
        ).sort();
      assert.deepEqual(await members('config'), ['description', 'enabled', 'name', 'type']);
      const state = [
        'admin-status',
        'if-index',
        'last-change',
        'name',
        'oper-status',
        'phys-address',
        'speed',
        'statistics',
      ];
      assert.deepEqual(await members('nonconfig'), state);
      assert.equal((await members('all')).length, 11);
      assert.equal(await errorOf(`GET ${GIGABIT}/enabled?content=nonconfig`), '404 invalid-value');
    });

    it('refuses unknown and invalid query parameters (section 4.8)', async () => {
      for (const query of [
        'depth=0',
        'depth=x',
        'depth=65536',
        'content=x',
        'fields=name',
        'depth=1&depth=2',
      ])
        assert.equal(await errorOf(`GET ${LIST}?${query}`), '400 invalid-value', query);
      assert.equal(await errorOf(`DELETE ${GIGABIT}?depth=1`), '400 invalid-value');
    });

    it('answers HEAD like GET, without the body (section 4.2)', async () => {
      const [head, whole] = [await call(`HEAD ${GIGABIT}`), await call(`GET ${GIGABIT}`)];
      assert.equal(head.status, 200);
      assert.equal(head.body.length, 0);
      assert.equal(headerOf(head.headers, 'etag'), headerOf(whole.headers, 'etag'));
    });

    it('returns an entity tag and a time that change with the configuration (section 3.4.1)', async () => {
      const first = await call(`GET ${LIST}`);
      assert.equal(headerOf(first.headers, 'last-modified'), 'Wed, 01 May 2024 10:00:00 GMT');
      assert.equal(headerOf(first.headers, 'cache-control'), 'no-cache');
      const etag = headerOf(first.headers, 'etag') ?? '';
      assert.equal((await call(`GET ${LIST}`, { headers: { 'if-none-match': etag } })).status, 304);
      now += 60_000;
      assert.equal((await call(`DELETE ${GIGABIT}`, { headers: { 'if-match': etag } })).status, 204);
      const second = await call(`GET ${LIST}`, { headers: { 'if-none-match': etag } });
      assert.equal(second.status, 200);
      assert.equal(headerOf(second.headers, 'last-modified'), 'Wed, 01 May 2024 10:01:00 GMT');
      assert.equal(
        await errorOf(`DELETE ${LIST}`, { headers: { 'if-match': etag } }),
        '412 operation-failed',
      );
    });

    it('answers 406 if the client does not accept YANG JSON (section 5.2)', async () => {
      const accept = (accept: string) => call(`GET ${GIGABIT}`, { headers: { accept } });
      for (const type of ['application/json', 'application/yang-data+xml', `${YANG};q=0, text/plain`])
        assert.equal((await accept(type)).status, 406, type);
      for (const type of [YANG, '*/*', 'application/*;q=0.1', `text/plain, ${YANG};q=0.9`])
        assert.equal((await accept(type)).status, 200, type);
    });
  });

  describe('as a peer', () => {
    it('requires valid credentials (section 2.5), which a test can change', async () => {
      assert.equal(await errorOf(`GET ${LIST}`, { login: 'admin:wrong' }), '401 access-denied');
      double.setPassword('rotated');
      const refused = await call(`GET ${LIST}`);
      assert.equal(headerOf(refused.headers, 'www-authenticate'), 'Basic realm="restconf"');
      assert.equal((await call(`GET ${LIST}`, { login: 'admin:rotated' })).status, 200);
    });

    it('records its requests', async () => {
      await call(`PUT ${GIGABIT}/enabled`, {
        body: '{"ietf-interfaces:enabled": true}',
        headers: { 'x-id': '7' },
      });
      const [seen] = double.requests;
      assert.equal(seen?.method, 'PUT');
      assert.equal(seen.path, `${GIGABIT}/enabled`);
      assert.equal(seen.headers['x-id'], '7');
      assert.equal(seen.body, '{"ietf-interfaces:enabled": true}');
    });

    it('fails once on demand: with a status, with a delay, or with a reset', async () => {
      const unreachable = (error: unknown) =>
        error instanceof Problem && error.code === 'upstream_unreachable';
      double.failNext({ status: 503 });
      double.failNext({ status: 500, delayMs: 1 });
      double.failNext({ delayMs: 1 });
      double.failNext({ reset: true });
      assert.equal(await errorOf(`GET ${LIST}`), '503 operation-failed');
      assert.equal(await errorOf(`GET ${LIST}`), '500 operation-failed');
      assert.equal((await call(`GET ${LIST}`)).status, 200);
      await assert.rejects(call(`GET ${LIST}`), unreachable);
      assert.equal((await call(`GET ${LIST}`)).status, 200);
    });

    it('hangs, or delays a reply, until it is closed', async () => {
      double.failNext({ hang: true });
      double.failNext({ delayMs: 3_600_000 });
      const calls = [call(`GET ${LIST}`), call(`GET ${LIST}`)].map((reply) => assert.rejects(reply));
      await until(() => double.requests.length >= 2);
      await double.close();
      await Promise.all(calls);
    });

    it('serves TLS with a certificate that clients can verify', async () => {
      const secure = await createRestconfDouble(options);
      try {
        const request = { method: 'GET', path: `${DATA}?depth=1`, headers: {} };
        const signal = AbortSignal.timeout(10_000);
        assert.match(secure.url, /^https:/);
        assert.equal((await sendTo({ ...secure, login: 'admin:admin' })(request, signal)).status, 200);
        await assert.rejects(sendTo({ url: secure.url })(request, signal));
      } finally {
        await secure.close();
      }
    });
  });
});

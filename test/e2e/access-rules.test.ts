import assert from 'node:assert/strict';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { assertMembers } from '../support/members.js';
import { rawExchange } from '../support/raw-http.js';
import { callsTo, problemCodeOf, refusalOf, type Route } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const RULES = `access:
  - { adapters: ["nso*"], roles: [noc], operations: [orchestrator-manager.restQuery, proxy.passThrough], paths: ["/devices/**"] }
  - { tags: [lab], roles: [lab] }
roles:
  orchestrator-manager.restQuery: [admin, noc, lab]
  orchestrator-manager.restAction: [admin, noc, lab]
  proxy.passThrough: [admin, noc, lab]
  adapters.callAdapterMethod: [admin, noc, lab]
  adapters.getAdapters: [admin, noc, lab]
  adapters.getAdapter: [admin, noc, lab]
  adapters.getBrokerMap: [admin, noc, lab]
  adapters.testAdapterConnection: [admin, noc, lab]
  adapters.testSavedAdapterConnection: [admin, noc, lab]
`;

describe('access rules of the main configuration, with two processes', function () {
  let orchestrator: GuardedOrchestrator;
  let testServer: TestServer;
  before(async () => {
    orchestrator = await startGuardedOrchestrator();
    const adapter = (more = '') => `plugin: http-rest\nbaseUrl: ${orchestrator.url}\n${more}`;
    testServer = await startTestServer({
      adapters: {
        nso1: adapter('brokers: [device]\n'),
        lab1: adapter('tags: [lab]\naccess: [{ methods: [GET] }]\n'),
        open1: adapter(),
      },
      main: { server: 'workers: 2', more: RULES },
    });
  });
  after(async () => {
    await testServer.close();
    await orchestrator.close();
  });

  const { call, ask } = callsTo(() => testServer);
  const sent = (route: Route, body?: object) => (role: string) => call(route, { roles: [role], body });
  const rest = (operation: string, adapter: string, path: string) =>
    sent(`POST /orchestrator_manager/${operation}/${adapter}`, {
      params: { path, accept: 'application/json' },
      ...(operation === 'restAction' && { body: { a: 1 } }),
    });
  const query = rest('restQuery', 'nso1', '/devices/r1');

  for (const [title, send, served, refused] of [
    ['restQuery', query, ['noc'], ['admin', 'lab']],
    ['restQuery at another path', rest('restQuery', 'nso1', '/other'), [], ['noc', 'admin', 'lab']],
    ['restAction', rest('restAction', 'nso1', '/devices/r1'), [], ['noc', 'admin', 'lab']],
    ['restQuery at an alias', rest('restQuery', 'lab1', '/x'), ['lab'], ['noc', 'admin']],
    ['restAction that the rule of the adapter refuses', rest('restAction', 'lab1', '/x'), [], ['lab']],
    ['restAction without a rule', rest('restAction', 'open1', '/x'), ['noc', 'admin', 'lab'], []],
    ['the pass-through', sent('GET /proxy/nso1/devices/r1'), ['noc'], ['admin', 'lab']],
    ['the pass-through with an encoded path', sent('GET /proxy/nso1/%64evices/r1'), [], ['noc']],
    ['a method by name', sent('POST /adapters/nso1/call/getDevice', {}), [], ['noc', 'admin']],
  ] as const)
    it(`decide about ${title}`, async () => {
      for (const role of served) assert.equal((await send(role)).status, 200, role);
      const before = orchestrator.arrivals.length;
      for (const role of refused)
        assert.deepEqual(refusalOf(await send(role)), [403, 'adapter_forbidden'], role);
      assert.equal(orchestrator.arrivals.length, before);
    });

  it('decide about a WebSocket before the orchestrator sees it', async () => {
    const upgrade = (role: string, path: string): Promise<string> =>
      rawExchange(
        Number(new URL(testServer.url).port),
        `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${testServer.issueToken(role)}\r\n` +
          'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      );
    const before = orchestrator.arrivals.length;
    for (const [role, path] of [
      ['noc', '/proxy/nso1/other'],
      ['lab', '/proxy/nso1/devices/r1'],
      ['noc', '/proxy/lab1/devices/r1'],
    ] as const)
      assert.match(await upgrade(role, path), /^HTTP\/1\.1 403 [^]*adapter_forbidden/);
    assert.equal(orchestrator.arrivals.length, before);
  });

  it('finding N9: decide about connection tests, of an adapter and of a document that they select', async () => {
    const settings = { baseUrl: testServer.orchestrator.url, access: [{ roles: ['lab'] }] };
    const unsaved = (name: string, more: object = {}) =>
      sent('POST /adapters/connection-test', {
        properties: { name, model: 'http-rest', properties: { properties: settings, ...more } },
      });
    for (const [title, test, served, refused] of [
      ['nso1', sent('POST /adapters/nso1/connection-test'), 'noc', ['admin', 'lab']],
      ['lab1', sent('POST /adapters/lab1/connection-test'), 'lab', ['admin', 'noc']],
      ['open1', sent('POST /adapters/open1/connection-test'), 'admin', []],
      ['a document with a name', unsaved('nso7'), 'noc', ['admin', 'lab']],
      ['a document with a tag', unsaved('new1', { tags: ['lab'] }), 'lab', ['admin', 'noc']],
      // Its own rules are those of the sender.
      ['a document that no rule selects', unsaved('new2'), 'admin', []],
    ] as const) {
      const before = orchestrator.arrivals.length;
      for (const role of refused)
        assert.deepEqual(refusalOf(await test(role)), [403, 'adapter_forbidden'], `${title} ${role}`);
      assert.equal(orchestrator.arrivals.length, before, title);
      const { status, text } = await test(served);
      assert.equal(status, 200, `${title}: ${text}`);
    }
  });

  it('follow the active profile, which may replace them', async () => {
    const results = async () => [problemCodeOf(await query('lab')), problemCodeOf(await query('noc'))];
    const decided = async (role: string) => {
      const asked = `roles=${role}&operation=restQuery&adapter=nso1&path=/devices/r1` as const;
      return (await ask<{ result: string }>(`GET /access/decision?${asked}`)).result;
    };
    const access = [{ adapters: ['nso1'], roles: ['lab'] }];
    await ask('POST /profiles', { properties: { id: 'night', access } });
    await ask('PUT /profiles/night/active');
    assert.deepEqual(await results(), [undefined, 'adapter_forbidden']);
    assert.deepEqual([await decided('lab'), await decided('noc')], ['allowed', 'denied']);
    await ask('PUT /profiles/night', { properties: { access: null } });
    assert.deepEqual(await results(), ['adapter_forbidden', undefined]);
    const wrong = { properties: { access: [{ operations: ['restQuery'] }] } };
    const { status, text } = await call('PUT /profiles/night', { body: wrong });
    assert.equal(status, 400);
    assert.match(text, /did you mean/);
  });

  it('hide adapters from callers without a right, and not from readers', async () => {
    const listed = sent('GET /adapters?sort=name');
    for (const [role, names] of [
      ['noc', ['core1', 'nso1', 'open1']],
      ['lab', ['core1', 'lab1', 'open1']],
      ['admin', ['core1', 'lab1', 'nso1', 'open1']],
    ] as const)
      assertMembers((await listed(role)).json, { results: names.map((name) => ({ data: { name } })) }, role);
    assert.equal(problemCodeOf(await sent('GET /adapters/nso1')('lab')), 'adapter_not_found');
    assert.equal((await sent('GET /adapters/nso1')('noc')).status, 200);
    const mapping = sent('GET /adapters/brokers/mapping');
    assert.deepEqual((await mapping('lab')).json, {});
    assert.deepEqual((await mapping('noc')).json, { device: ['nso1'] });
  });

  it('answer questions as they decide', async () => {
    const decision = (asked: string) => sent(`GET /access/decision?${asked}`);
    const noc = 'roles=noc&operation=restQuery&adapter=nso1';
    for (const [asked, expected] of [
      [noc, { result: 'depends' }],
      [
        `${noc}&path=/devices/r1`,
        {
          result: 'allowed',
          steps: [{ check: 'operation' }, { check: 'global', rule: 0 }, { check: 'adapter' }],
        },
      ],
      [`${noc}&path=/other`, { result: 'denied' }],
      ['operation=restQuery', { detail: /subject is missing/ }],
      ['roles=a', { detail: /operation is missing/ }],
      ['roles=a&operation=restQurey', { detail: /did you mean "orchestrator-manager.restQuery"/ }],
      ['subject=nobody&operation=restQuery', { detail: /is no user, client or certificate/ }],
      ['roles=a&operation=restQuery&adapter=ns01', { detail: /no adapter "ns01"; did you mean "nso1"/ }],
    ] as const)
      assertMembers((await decision(asked)('admin')).json, expected, asked);
    assert.equal(problemCodeOf(await decision(noc)('viewer')), 'forbidden');
  });

  it('list what each role may do', async () => {
    const noc = {
      'orchestrator-manager.restAction': 'denied',
      'orchestrator-manager.restQuery': 'depends',
      'proxy.passThrough': 'depends',
      'adapters.callAdapterMethod': 'denied',
    };
    assertMembers(await ask('GET /access/adapters?equals=nso1'), { results: [{ results: { noc } }] });
    const name = 'orchestrator-manager.restQuery';
    assertMembers(await ask('GET /access/operations?contains=restQuery'), {
      results: [{ name, allowed: ['admin', 'noc', 'lab'], isConfigured: true, through: true }],
    });
  });
});

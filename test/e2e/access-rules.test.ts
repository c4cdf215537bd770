import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl, type CallResult } from '../support/call.js';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { rawExchange } from '../support/raw-http.js';
import { temporaryFolder } from '../support/temporary-folder.js';
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
`;

const adapterFile = (url: string, more = ''): string => `plugin: http-rest\nbaseUrl: ${url}\n${more}`;

for (const workers of [1, 2])
  describe(`access rules of the main configuration, with ${workers} processes`, function () {
    let orchestrator: GuardedOrchestrator;
    let testServer: TestServer;
    before(async () => {
      orchestrator = await startGuardedOrchestrator();
      testServer = await startTestServer({
        folder: temporaryFolder().path,
        arrange(folder) {
          const adapters = join(folder, 'adapters');
          writeFileSync(join(adapters, 'nso1.yaml'), adapterFile(orchestrator.url, 'brokers: [device]\n'));
          writeFileSync(
            join(adapters, 'lab1.yaml'),
            adapterFile(orchestrator.url, 'tags: [lab]\naccess: [{ methods: [GET] }]\n'),
          );
          writeFileSync(join(adapters, 'open1.yaml'), adapterFile(orchestrator.url));
          const config = join(folder, 'gatehouse.yaml');
          const text = readFileSync(config, 'utf8').replace('server: {', `server: { workers: ${workers},`);
          writeFileSync(config, text + RULES);
        },
      });
    });
    after(async () => {
      await testServer.close();
      await orchestrator.close();
    });

    const send = (path: string, roles: readonly string[], body?: object): Promise<CallResult> =>
      callUrl(testServer.url + path, {
        method: body ? 'POST' : 'GET',
        token: testServer.issueToken(...roles),
        ...(body && { body }),
      });
    const rest = (operation: string, adapter: string, path: string) => (role: string) =>
      send(`/orchestrator_manager/${operation}/${adapter}`, [role], {
        params: { path, accept: 'application/json' },
        ...(operation === 'restAction' && { body: { a: 1 } }),
      });
    const codeOf = ({ json }: CallResult) => (json as { code?: string } | null)?.code;

    for (const [title, call, served, refused] of [
      ['restQuery', rest('restQuery', 'nso1', '/devices/r1'), ['noc'], ['admin', 'lab']],
      ['restQuery at another path', rest('restQuery', 'nso1', '/other'), [], ['noc', 'admin', 'lab']],
      ['restAction', rest('restAction', 'nso1', '/devices/r1'), [], ['noc', 'admin', 'lab']],
      ['restQuery at an alias', rest('restQuery', 'lab1', '/x'), ['lab'], ['noc', 'admin']],
      ['restAction that the rule of the adapter refuses', rest('restAction', 'lab1', '/x'), [], ['lab']],
      ['restAction without a rule', rest('restAction', 'open1', '/x'), ['noc', 'admin', 'lab'], []],
      [
        'the pass-through',
        (role: string) => send('/proxy/nso1/devices/r1', [role]),
        ['noc'],
        ['admin', 'lab'],
      ],
      [
        'the pass-through with an encoded path',
        (role: string) => send('/proxy/nso1/%64evices/r1', [role]),
        [],
        ['noc'],
      ],
      [
        'a method by name',
        (role: string) => send('/adapters/nso1/call/getDevice', [role], {}),
        [],
        ['noc', 'admin'],
      ],
    ] as const)
      it(`decide about ${title}`, async () => {
        for (const role of served) {
          const result = await call(role);
          assert.equal(result.status, 200, `${role} ${JSON.stringify(result.json)}`);
        }
        const before = orchestrator.arrivals.length;
        for (const role of refused) {
          const result = await call(role);
          assert.deepEqual([result.status, codeOf(result)], [403, 'adapter_forbidden'], role);
        }
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

    it('follow the active profile, which may replace them', async () => {
      const ask = async (method: string, path: string, body?: object) => {
        const token = testServer.issueToken('admin');
        const { status, text } = await callUrl(testServer.url + path, {
          method,
          token,
          ...(body && { body }),
        });
        assert.equal(status, 200, text);
      };
      const query = rest('restQuery', 'nso1', '/devices/r1');
      const access = [{ adapters: ['nso1'], roles: ['lab'] }];
      await ask('POST', '/profiles', { properties: { id: 'night', access } });
      await ask('PUT', '/profiles/night/active');
      assert.deepEqual([(await query('lab')).status, codeOf(await query('noc'))], [200, 'adapter_forbidden']);
      const decided = async (role: string) => {
        const asked = `roles=${role}&operation=restQuery&adapter=nso1&path=/devices/r1`;
        const { json } = await send(`/access/decision?${asked}`, ['admin']);
        return (json as { result: string }).result;
      };
      assert.deepEqual([await decided('lab'), await decided('noc')], ['allowed', 'denied']);
      await ask('PUT', '/profiles/night', { properties: { access: null } });
      assert.deepEqual([codeOf(await query('lab')), (await query('noc')).status], ['adapter_forbidden', 200]);
      const wrong = { properties: { access: [{ operations: ['restQuery'] }] } };
      const { status, text } = await callUrl(`${testServer.url}/profiles/night`, {
        method: 'PUT',
        token: testServer.issueToken('admin'),
        body: wrong,
      });
      assert.equal(status, 400);
      assert.match(text, /did you mean/);
    });

    it('hide adapters from callers without a right, and not from readers', async () => {
      const namesFor = async (role: string) => {
        const { json } = await send('/adapters?sort=name', [role]);
        const { results } = json as { results: readonly { data: { name: string } }[] };
        return results.map(({ data }) => data.name);
      };
      assert.deepEqual(await namesFor('noc'), ['core1', 'nso1', 'open1']);
      assert.deepEqual(await namesFor('lab'), ['core1', 'lab1', 'open1']);
      assert.deepEqual(await namesFor('admin'), ['core1', 'lab1', 'nso1', 'open1']);
      assert.equal(codeOf(await send('/adapters/nso1', ['lab'])), 'adapter_not_found');
      assert.equal((await send('/adapters/nso1', ['noc'])).status, 200);
      assert.deepEqual((await send('/adapters/brokers/mapping', ['lab'])).json, {});
      assert.deepEqual((await send('/adapters/brokers/mapping', ['noc'])).json, { device: ['nso1'] });
    });

    it('answer questions as they decide', async () => {
      const decisionFor = async (query: string) =>
        (await send(`/access/decision?${query}`, ['admin'])).json as {
          result: string;
          steps: readonly { check: string; rule?: number }[];
        };
      const query = 'roles=noc&operation=restQuery&adapter=nso1';
      assert.equal((await decisionFor(query)).result, 'depends');
      const { result, steps } = await decisionFor(`${query}&path=/devices/r1`);
      assert.deepEqual([result, steps.map(({ check }) => check), steps[1]?.rule], ['allowed', ['operation', 'global', 'adapter'], 0]); // prettier-ignore
      assert.equal((await decisionFor(`${query}&path=/other`)).result, 'denied');
      assert.equal(codeOf(await send(`/access/decision?${query}`, ['viewer'])), 'forbidden');
      for (const [bad, message] of [
        ['operation=restQuery', /subject is missing/],
        ['roles=a', /operation is missing/],
        ['roles=a&operation=restQurey', /did you mean "orchestrator-manager.restQuery"/],
        ['subject=nobody&operation=restQuery', /is no user, client or certificate/],
        ['roles=a&operation=restQuery&adapter=ns01', /there is no adapter "ns01"; did you mean "nso1"/],
      ] as const) {
        const { json } = await send(`/access/decision?${bad}`, ['admin']);
        assert.match((json as { detail: string }).detail, message);
      }
    });

    it('list what each role may do', async () => {
      const { json } = await send('/access/adapters?equals=nso1', ['admin']);
      const [row] = (json as { results: readonly { results: Record<string, Record<string, string>> }[] })
        .results;
      assert.deepEqual(row?.results['noc'], {
        'orchestrator-manager.restAction': 'denied',
        'orchestrator-manager.restQuery': 'depends',
        'proxy.passThrough': 'depends',
        'adapters.callAdapterMethod': 'denied',
      });
      const operations = await send('/access/operations?contains=restQuery', ['admin']);
      assert.deepEqual((operations.json as { results: unknown }).results, [
        {
          name: 'orchestrator-manager.restQuery',
          allowed: ['admin', 'noc', 'lab'],
          isConfigured: true,
          through: true,
        },
      ]);
    });
  });

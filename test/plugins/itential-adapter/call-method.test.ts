import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl, type CallResult } from '../../support/call.js';
import { catalogueAdapterFile } from '../../support/catalogue-adapter.js';
import { createInventoryDouble, type InventoryDouble } from '../../support/inventory-double.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { eventually } from '../../support/until.js';

const PASSWORD = 'pw-20c6f1-of-the-inventory';

const adapterFile = (port: number, more?: string): string =>
  catalogueAdapterFile({ port, password: PASSWORD, ...(more !== undefined && { more }) });

const ACCESS = `access:
  - { roles: [engineering], methods: [CALL], paths: [/call/get*] }
  - { roles: [admin], methods: [GET, POST, DELETE] }`;

describe('a call of a method by its name', () => {
  let inventory: InventoryDouble;
  let testServer: TestServer;

  before(async () => {
    inventory = await createInventoryDouble({ password: PASSWORD });
    testServer = await startTestServer({
      arrange(folder) {
        const main = join(folder, 'gatehouse.yaml');
        const roles = 'roles: { adapters.callAdapterMethod: [admin, engineering] }\n';
        writeFileSync(main, readFileSync(main, 'utf8') + roles);
        writeFileSync(join(folder, 'adapters', 'inventory.yaml'), adapterFile(inventory.port));
        writeFileSync(join(folder, 'adapters', 'guarded.yaml'), adapterFile(inventory.port, ACCESS));
        rmSync(join(folder, 'adapters', 'core1.yaml'));
        const rest = `plugin: http-rest\nbaseUrl: http://127.0.0.1:${inventory.port}\n`;
        writeFileSync(join(folder, 'adapters', 'rest.yaml'), rest);
      },
    });
    for (const adapter of ['inventory', 'guarded'])
      await eventually(async () => {
        assert.match((await get(`/health/adapters/${adapter}`)).text, /"RUNNING"/);
      });
  });
  after(async () => {
    await testServer.close();
    await inventory.close();
  });

  const get = (path: string): Promise<CallResult> =>
    callUrl(`${testServer.url}${path}`, { method: 'GET', token: testServer.issueToken('admin') });
  /** Calls a method of an adapter, which is `inventory` without a slash in the text `adapter/method`. */
  const call = (target: string, body: object = {}, role = 'admin'): Promise<CallResult> => {
    const [method = '', adapter = 'inventory'] = target.split('/').reverse();
    return callUrl(`${testServer.url}/adapters/${adapter}/call/${method}`, {
      token: testServer.issueToken(role),
      body,
    });
  };
  const problem = ({ status, json }: CallResult) => {
    const { code, detail } = json as { code: string; detail: string };
    return { status, code, detail };
  };

  it('returns the result of the method, with arguments by name or in their order', async () => {
    for (const body of [{ name: 'r1', fields: 'a' }, { args: ['r1', 'a'] }]) {
      const { status, json } = await call('getDevice', body);
      assert.equal(status, 200);
      const { icode, response } = json as { icode: string; response: unknown };
      assert.deepEqual([icode, response], ['AD.200', { url: '/api/v1/devices/r1?fields=a' }]);
    }
  });

  it('returns what the orchestrator answers to a POST', async () => {
    const { status, json } = await call('createDevice', { device: { name: 'r 2' } });
    assert.equal(status, 200);
    assert.deepEqual((json as { response: unknown }).response, { url: '/api/v1/devices' });
    const sent = inventory.requests.filter(({ method, url }) => method === 'POST' && url !== '/login');
    assert.deepEqual(sent.at(-1), { method: 'POST', url: '/api/v1/devices', body: '{"name":"r 2"}' });
  });

  it('calls a method without parameters with an empty body, or with none', async () => {
    const url = `${testServer.url}/adapters/inventory/call/getText`;
    const bodiless = await callUrl(url, { token: testServer.issueToken('admin') });
    for (const { status, json } of [bodiless, await call('getText')])
      assert.deepEqual([status, (json as { response: unknown }).response], [200, 'be well']);
  });

  it('returns neither the credentials of the adapter nor a token', async () => {
    const { text } = await call('getDevice', { name: 'r1' });
    assert.ok(inventory.tokens.length > 0);
    for (const secret of [PASSWORD, ...inventory.tokens]) assert.ok(!text.includes(secret), text);
    assert.doesNotMatch(text, /reqHdr|set-cookie/i);
  });

  it('refuses arguments that the schema does not admit, before the adapter is called', async () => {
    const before = inventory.requests.length;
    const cases = [
      [{}, '/name is missing'],
      [{ name: 1 }, '/name must be string'],
      [{ name: 'r1', color: 'red' }, '/color is not known here'],
      [{ args: ['r1', 2] }, '/args/1 must be string'],
      [{ args: ['r1', 'a', 'b'] }, '/args/2 is one of 3 arguments'],
    ] as const;
    for (const [body, words] of cases) {
      const { status, code, detail } = problem(await call('getDevice', body));
      assert.deepEqual([status, code], [400, 'invalid_request'], JSON.stringify(body));
      assert.ok(detail.startsWith('the method "getDevice" cannot be called: '), detail);
      assert.ok(detail.includes(words), `${detail} lacks ${words}`);
    }
    assert.equal(inventory.requests.length, before);
  });

  it('reports an unknown method with the most similar name', async () => {
    const { status, code, detail } = problem(await call('getDevise', { name: 'r1' }));
    assert.deepEqual([status, code], [404, 'adapter_method_not_found']);
    assert.match(detail, /no method "getDevise" .*did you mean "getDevice"\?/);
  });

  it('does not call functions that pronghorn.json does not list, nor those of the lifecycle and administration', async () => {
    for (const method of [
      ...['genericAdapterRequest', 'emit', 'constructor', '__proto__', 'toString', 'requestHandler'],
      ...['connect', 'healthCheck', 'iapSuspendAdapter'],
    ])
      assert.equal(problem(await call(method)).code, 'adapter_method_not_found', method);
  });

  it('returns the words of the adapter and the reply of the orchestrator for an error', async () => {
    const result = await call('getRack', { id: 7 });
    assert.deepEqual(problem(result), {
      status: 404,
      code: 'upstream_rejected',
      detail: 'the adapter reports AD.500: The inventory answered 404',
    });
    assert.deepEqual((result.json as { upstream: unknown }).upstream, {
      status: 404,
      body: { error: 'no such thing', url: '/api/v1/racks/7' },
    });
  });

  it('reports a listed method that the adapter does not have', async () => {
    const { status, detail } = problem(await call('removedMethod'));
    assert.equal(status, 502);
    assert.match(
      detail,
      /pronghorn\.json names the method removedMethod, but the adapter has no such function/,
    );
  });

  it('names restQuery and restAction for an adapter of a plugin without methods', async () => {
    const result = await call('rest/getDevice');
    assert.deepEqual(problem(result), {
      status: 404,
      code: 'adapter_method_not_found',
      detail:
        'the adapter "rest" has no methods that can be called by name, because its plugin "http-rest" offers none',
    });
    assert.match((result.json as { recommendation: string }).recommendation, /restQuery or restAction/);
  });

  it('needs a role of the operation, and a rule with CALL for an adapter with access rules', async () => {
    const statusFor = async (method: string, body: object, role: string): Promise<number> =>
      (await call(`guarded/${method}`, body, role)).status;
    assert.equal(await statusFor('getDevice', { name: 'r1' }, 'engineering'), 200);
    assert.equal(await statusFor('createDevice', { device: {} }, 'engineering'), 403);
    // Rules for HTTP methods say nothing about methods of the adapter.
    assert.equal(await statusFor('createDevice', { device: {} }, 'admin'), 403);
    assert.equal(await statusFor('getDevice', { name: 'r1' }, 'guest'), 403);
  });

  it('writes an audit record with the adapter and the method, without the arguments', async () => {
    await call('getDevice', { name: 'audited-name' });
    await call('getRack', { id: 404 });
    const query = 'operation=adapters.callAdapterMethod&limit=100';
    const { text, json } = await get(`/audit?${query}`);
    const records = (json as { results: readonly { target: string; outcome: string; status: number }[] })
      .results;
    const recordOf = (target: string, status: number) =>
      records.find((record) => record.target === target && record.status === status);
    assert.equal(recordOf('/adapters/inventory/call/getDevice', 200)?.outcome, '200');
    assert.equal(recordOf('/adapters/inventory/call/getRack', 404)?.outcome, 'upstream_rejected');
    assert.ok(!text.includes('audited-name'));
  });

  it('is counted with the adapter', async () => {
    assert.match(
      (await get('/metrics')).text,
      /operation="adapters\.callAdapterMethod".*adapter="inventory"|adapter="inventory".*operation="adapters\.callAdapterMethod"/,
    );
  });

  it('lists the methods with the schemas of their arguments and results', async () => {
    const list = (adapter: string, query = '') => get(`/adapters/${adapter}/methods${query}`);
    const { results, total } = (await list('inventory', '?equals=getDevice')).json as {
      results: readonly unknown[];
      total: number;
    };
    assert.equal(total, 1);
    assert.deepEqual(results, [
      {
        name: 'getDevice',
        summary: 'Get a device by its name',
        description: 'Gets one device. The name is the one in the inventory.',
        input: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          additionalProperties: false,
          required: ['name'],
          properties: {
            name: { description: 'Name of the device', title: 'name', type: 'string' },
            fields: { description: 'Fields to return', title: 'fields', type: 'string' },
          },
        },
        output: {
          description: 'A JSON Object containing status, code and the result',
          title: 'result',
          type: 'object',
        },
      },
    ]);
    const { json } = await list('inventory');
    const names = (json as { results: readonly { name: string }[] }).results.map(({ name }) => name);
    assert.deepEqual(names, [
      ...['createDevice', 'getDevice', 'getRack', 'getText', 'removedMethod', 'waitForever'],
    ]);
    assert.deepEqual((await list('rest')).json, { results: [], total: 0 });
    assert.equal((await list('nobody')).status, 404);
  });
});

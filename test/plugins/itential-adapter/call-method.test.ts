import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl, type CallResult } from '../../support/call.js';
import { catalogueAdapterFile } from '../../support/catalogue-adapter.js';
import { column } from '../../support/columns.js';
import { createInventoryDouble, type InventoryDouble } from '../../support/inventory-double.js';
import { openedBySuite } from '../../support/opened.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { eventually } from '../../support/until.js';

const PASSWORD = 'pw-20c6f1-of-the-inventory';

describe('a call of a method by its name', () => {
  let inventory: InventoryDouble;
  let testServer: TestServer;
  const opened = openedBySuite();

  before(async () => {
    inventory = await opened(createInventoryDouble({ password: PASSWORD }));
    const { port } = inventory;
    testServer = await opened(
      startTestServer({
        arrange(folder) {
          const add = (name: string, text: string): void => {
            writeFileSync(join(folder, 'adapters', `${name}.yaml`), text);
          };
          rmSync(join(folder, 'adapters', 'core1.yaml'));
          add('inventory', catalogueAdapterFile({ port, password: PASSWORD }));
          add('rest', `plugin: http-rest\nbaseUrl: http://127.0.0.1:${port}\n`);
        },
      }),
    );
    await eventually(async () => {
      assert.match((await get('/health/adapters/inventory')).text, /"RUNNING"/);
    });
  });

  const get = (path: string): Promise<CallResult> =>
    callUrl(`${testServer.url}${path}`, { method: 'GET', token: testServer.issueToken('admin') });
  /** Calls a method of an adapter, which is `inventory` without a slash in the text `adapter/method`. */
  const call = (target: string, body: object | null = {}): Promise<CallResult> => {
    const [method = '', adapter = 'inventory'] = target.split('/').reverse();
    return callUrl(`${testServer.url}/adapters/${adapter}/call/${method}`, {
      token: testServer.issueToken('admin'),
      ...(body && { body }),
    });
  };
  const problem = ({ status, json }: CallResult) => {
    const { code, detail } = json as { code: string; detail: string };
    return { status, code, detail };
  };

  const DEVICE = { url: '/api/v1/devices/r1?fields=a' };
  for (const [title, method, body, response] of [
    ['arguments by name', 'getDevice', { name: 'r1', fields: 'a' }, DEVICE],
    ['arguments in their order', 'getDevice', { args: ['r1', 'a'] }, DEVICE],
    ['an empty body', 'getText', {}, 'be well'],
    ['no body', 'getText', null, 'be well'],
  ] as const)
    it(`returns the result of the method, with ${title}`, async () => {
      const reply = await call(method, body);
      const { icode, response: found } = reply.json as { icode: string; response: unknown };
      assert.deepEqual([reply.status, icode, found], [200, 'AD.200', response]);
      for (const secret of [PASSWORD, ...inventory.tokens]) assert.ok(!reply.text.includes(secret));
      assert.doesNotMatch(reply.text, /reqHdr|set-cookie/i);
      assert.ok(inventory.tokens.length > 0);
    });

  it('sends an object as the body of a POST, and returns the answer', async () => {
    const { json } = await call('createDevice', { device: { name: 'r 2' } });
    assert.deepEqual((json as { response: unknown }).response, { url: '/api/v1/devices' });
    const sent = inventory.requests.filter(({ method, url }) => method === 'POST' && url !== '/login');
    assert.deepEqual(sent, [{ method: 'POST', url: '/api/v1/devices', body: '{"name":"r 2"}' }]);
  });

  it('refuses arguments that the schema does not admit, before the adapter is called', async () => {
    const before = inventory.requests.length;
    for (const [body, words] of [
      [{ name: 'r1', color: 'red' }, '/color is not known here'],
      [{ args: ['r1', 2] }, '/args/1 must be string'],
      [{ args: ['r1', 'a', 'b'] }, '/args/2 is one of 3 arguments'],
    ] as const) {
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
    for (const method of 'genericAdapterRequest emit constructor __proto__ connect iapSuspendAdapter'.split(
      ' ',
    ))
      assert.equal(problem(await call(method)).code, 'adapter_method_not_found', method);
  });

  it('returns the words of the adapter and the reply of the orchestrator for an error', async () => {
    const result = await call('getRack', { id: 7 });
    const detail = 'the adapter reports AD.500: The inventory answered 404';
    assert.deepEqual(problem(result), { status: 404, code: 'upstream_rejected', detail });
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
    const detail =
      'the adapter "rest" has no methods that can be called by name, because its plugin "http-rest" offers none';
    assert.deepEqual(problem(result), { status: 404, code: 'adapter_method_not_found', detail });
    assert.match((result.json as { recommendation: string }).recommendation, /restQuery or restAction/);
  });

  it('writes an audit record with the adapter and the method, without the arguments', async () => {
    await call('getDevice', { name: 'audited-name' });
    await call('getRack', { id: 404 });
    const { text, json } = await get('/audit?operation=adapters.callAdapterMethod&limit=100');
    const { results } = json as { results: readonly { target: string; outcome: string; status: number }[] };
    const found = results.map(({ target, status, outcome }) => `${target} ${status} ${outcome}`);
    assert.ok(found.includes('/adapters/inventory/call/getDevice 200 200'), text);
    assert.ok(found.includes('/adapters/inventory/call/getRack 404 upstream_rejected'), text);
    assert.ok(!text.includes('audited-name'));
  });

  it('lists the methods', async () => {
    const list = async (adapter: string, query = '') =>
      (await get(`/adapters/${adapter}/methods${query}`)).json as { results: readonly { name: string }[] };
    const names = 'createDevice getDevice getRack getText removedMethod waitForever';
    assert.deepEqual(column((await list('inventory')).results, 'name'), names.split(' '));
    assert.deepEqual(column((await list('inventory', '?equals=getDevice')).results, 'name'), ['getDevice']);
    assert.deepEqual(await list('rest'), { results: [], total: 0 });
    assert.equal((await get('/adapters/nobody/methods')).status, 404);
  });
});

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallResult, callUrl } from '../../support/call.js';
import { CATALOGUE_ADAPTER, catalogueAdapterFile } from '../../support/catalogue-adapter.js';
import { COUNTERS, createInventoryDouble, type InventoryDouble } from '../../support/inventory-double.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { until } from '../../support/until.js';

const PASSWORD = 'pw-73ab90-of-the-inventory';

const adapterFile = (port: number, password: string, healthcheck = 'intermittent'): string =>
  catalogueAdapterFile({ port, password, healthcheck });

describe('a community adapter with the real adapter-utils', () => {
  let inventory: InventoryDouble;
  let testServer: TestServer;

  before(async () => {
    inventory = await createInventoryDouble({ password: PASSWORD });
    testServer = await startTestServer({
      arrange(folder, vault) {
        const main = join(folder, 'gatehouse.yaml');
        const written = readFileSync(main, 'utf8').replace('level: spam, ', '');
        writeFileSync(main, written.replace('log: {', 'log: { level: spam,'));
        rmSync(join(folder, 'adapters', 'core1.yaml'));
        vault.putSecret({ path: 'adapters/inventory' }, { password: PASSWORD });
        const file = adapterFile(inventory.port, '$VAULT_adapters/inventory#password');
        writeFileSync(join(folder, 'adapters', 'inventory.yaml'), file);
      },
    });
  });
  after(async () => {
    await testServer.close();
    await inventory.close();
  });

  const call = (operation: string, body: object, adapter = 'inventory'): Promise<CallResult> => {
    const url = `${testServer.url}/orchestrator_manager/${operation}/${adapter}`;
    return callUrl(url, { token: testServer.issueToken('admin'), body });
  };
  const query = (path: string, adapter?: string): Promise<CallResult> =>
    call('restQuery', { params: { path, accept: 'application/json' } }, adapter);
  const get = (path: string): Promise<CallResult> =>
    callUrl(`${testServer.url}${path}`, { method: 'GET', token: testServer.issueToken('admin') });
  /** Adds an adapter file, and reloads. */
  const add = async (name: string, text: string): Promise<void> => {
    writeFileSync(join(testServer.configPath, '..', 'adapters', `${name}.yaml`), text);
    await testServer.running.reload();
  };
  /** Waits for a line of the log with this text. */
  const logged = (text: string): Promise<void> =>
    until(() => testServer.logLines.some((line) => line.includes(text)));
  const action = (method: string, path: string, body: object): Promise<CallResult> => {
    const json = 'application/json';
    return call('restAction', { params: { method, path, accept: json, contentType: json }, body });
  };
  const detailOf = ({ json }: CallResult): string => (json as { detail: string }).detail;

  it('logs in with the password from Vault, and answers a query', async () => {
    const { status, text } = await query('/devices/r1?limit=10&tag=a&tag=b');
    assert.deepEqual([status, text], [200, '{"url":"/api/v1/devices/r1?limit=10&tag=a&tag=b"}']);
    assert.equal(inventory.requests.find(({ url }) => url === '/login')?.body.includes(PASSWORD), true);
  });

  it('sends an action, and returns the status', async () => {
    assert.deepEqual((await action('POST', '/devices', { name: 'r 2' })).json, [{ result: '200' }]);
    const sent = inventory.requests.filter(({ method, url }) => method === 'POST' && url !== '/login');
    assert.deepEqual(sent, [{ method: 'POST', url: '/api/v1/devices', body: '{"name":"r 2"}' }]);
    assert.deepEqual((await action('DELETE', '/devices/r%202', {})).json, [{ result: '204' }]);
    assert.ok(inventory.requests.some(({ url }) => url === '/api/v1/devices/r%202'));
  });

  it('returns the reply to an action with responseBody, and logs why an action was refused', async () => {
    const json = 'application/json';
    const act = (path: string, params: object = {}) =>
      call('restAction', {
        params: { path, accept: json, responseBody: true, ...params },
        body: { limit: 5 },
      });
    const [listed] = (await act('/devices')).json as readonly [{ result: string; body: unknown }];
    assert.deepEqual([listed.result, listed.body], ['200', { url: '/api/v1/devices' }]);
    const [taken] = (await act('/taken')).json as readonly [{ result: string; body: unknown }];
    assert.deepEqual([taken.result, taken.body], ['409', { message: 'the name is taken' }]);
    await logged('"reason":"the orchestrator answered 409: the name is taken"');
    const form = await act('/devices', { contentType: 'application/x-www-form-urlencoded' });
    assert.equal((form.json as { code: string }).code, 'invalid_request');
    assert.match(detailOf(form), /^\/params\/contentType must be a JSON type/);
  });

  it('returns JSON that the orchestrator broke off as text', async () => {
    assert.deepEqual((await query('/broken')).json, { result: ['{"name": '] });
  });

  it('refuses the pass-through, and names what to use instead', async () => {
    const { status, json } = await get('/proxy/inventory/devices');
    const { code, recommendation } = json as { code: string; recommendation: string };
    assert.deepEqual([status, code], [400, 'proxy_not_supported']);
    assert.match(recommendation, /restQuery .* restAction with "responseBody": true/);
  });

  it('returns plain text, and the error of the orchestrator', async () => {
    assert.deepEqual((await query('/motd')).json, { result: ['be well'] });
    const { status, json } = await query('/nothing');
    assert.equal(status, 404);
    assert.deepEqual((json as { upstream: unknown }).upstream, {
      status: 404,
      body: { error: 'no such thing', url: '/api/v1/nothing' },
    });
  });

  it('reports a broken connection', async () => {
    const { status, json } = await query('/reset');
    assert.deepEqual([status, (json as { code: string }).code], [502, 'upstream_unreachable']);
  });

  it('returns the JSON of the orchestrator byte for byte (bug: long integers were rounded)', async () => {
    const { status, text } = await query('/counters');
    assert.deepEqual([status, text], [200, COUNTERS]);
  });

  it('logs when the adapter goes offline and online', async () => {
    inventory.healthy = false;
    await logged('community adapter is offline');
    inventory.healthy = true;
    await logged('community adapter is online');
    assert.equal((await query('/devices')).status, 200);
  });

  it('logs neither the password nor a token, at any level', () => {
    const log = testServer.logLines.join('');
    // Lines that are not written at the default level.
    assert.match(log, /"level":"debug","message":"community adapter".*OPTIONS/);
    assert.ok(inventory.tokens.length > 0);
    for (const secret of [PASSWORD, Buffer.from(PASSWORD).toString('base64'), ...inventory.tokens])
      assert.ok(!log.includes(secret), secret);
  });

  it('explains a failed login', async () => {
    await add('locked', adapterFile(inventory.port, 'wrong-one', 'none'));
    const answer = await query('/devices', 'locked');
    assert.equal(answer.status, 502);
    assert.match(detailOf(answer), /AD\.402: Cannot get a token for gatehouse/);
  });

  it('is offline while calls fail, and online after a reply (bug: it stayed online)', async () => {
    const states = async (id: string): Promise<string> => {
      const { json } = await get(`/health/adapters?equals=${id}&equalsField=id`);
      const { results } = json as { results: { connection: { state: string } }[] };
      return results[0]?.connection.state ?? '';
    };
    await query('/reset');
    assert.equal(await states('inventory'), 'OFFLINE');
    await query('/devices');
    assert.equal(await states('inventory'), 'ONLINE');
    assert.equal(await states('locked'), 'LOGIN_REFUSED');
  });

  it('that is missing is unavailable, and names the missing file', async () => {
    await add('lost', adapterFile(inventory.port, 'x').replace(CATALOGUE_ADAPTER, './nowhere'));
    const answer = await query('/devices', 'lost');
    assert.equal(answer.status, 503);
    assert.match(detailOf(answer), /nowhere\/pronghorn\.json cannot be read; "folder" must be the folder/);
    assert.equal((await query('/devices')).status, 200);
  });
});

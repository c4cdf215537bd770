import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallResult, callUrl } from '../../support/call.js';
import { CATALOGUE_ADAPTER, catalogueAdapterFile } from '../../support/catalogue-adapter.js';
import { COUNTERS, createInventoryDouble, type InventoryDouble } from '../../support/inventory-double.js';
import { openedBySuite } from '../../support/opened.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { until } from '../../support/until.js';

const PASSWORD = 'pw-73ab90-of-the-inventory';

describe('a community adapter with the real adapter-utils', () => {
  let inventory: InventoryDouble;
  let testServer: TestServer;
  const opened = openedBySuite();

  before(async () => {
    inventory = await opened(createInventoryDouble({ password: PASSWORD }));
    testServer = await opened(
      startTestServer({
        arrange(folder, vault) {
          const main = join(folder, 'gatehouse.yaml');
          const written = readFileSync(main, 'utf8').replace('level: spam, ', '');
          writeFileSync(main, written.replace('log: {', 'log: { level: spam,'));
          rmSync(join(folder, 'adapters', 'core1.yaml'));
          vault.putSecret({ path: 'adapters/inventory' }, { password: PASSWORD });
          const password = '$VAULT_adapters/inventory#password';
          const file = catalogueAdapterFile({ port: inventory.port, password, healthcheck: 'intermittent' });
          writeFileSync(join(folder, 'adapters', 'inventory.yaml'), file);
        },
      }),
    );
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
  /** Sends an action with its method and path, for example `POST /devices`. */
  const action = (line: string, body: object, more: object = {}): Promise<CallResult> => {
    const [method, path] = line.split(' ');
    const json = 'application/json';
    return call('restAction', { params: { method, path, accept: json, contentType: json, ...more }, body });
  };
  const detailOf = ({ json }: CallResult): string => (json as { detail: string }).detail;

  it('logs in with the password from Vault, and answers a query', async () => {
    const { status, text } = await query('/devices/r1?limit=10&tag=a&tag=b');
    assert.deepEqual([status, text], [200, '{"url":"/api/v1/devices/r1?limit=10&tag=a&tag=b"}']);
    assert.equal(inventory.requests.find(({ url }) => url === '/login')?.body.includes(PASSWORD), true);
  });

  it('sends an action, and returns the status', async () => {
    assert.deepEqual((await action('POST /devices', { name: 'r 2' })).json, [{ result: '200' }]);
    const sent = inventory.requests.filter(({ method, url }) => method === 'POST' && url !== '/login');
    assert.deepEqual(sent, [{ method: 'POST', url: '/api/v1/devices', body: '{"name":"r 2"}' }]);
    assert.deepEqual((await action('DELETE /devices/r%202', {})).json, [{ result: '204' }]);
    assert.ok(inventory.requests.some(({ url }) => url === '/api/v1/devices/r%202'));
  });

  it('returns the reply to an action with responseBody, and logs why an action was refused', async () => {
    const act = async (path: string): Promise<unknown> => {
      const { json } = await action(`POST ${path}`, { limit: 5 }, { responseBody: true });
      const [{ result, body }] = json as readonly [{ result: string; body: unknown }];
      return [result, body];
    };
    assert.deepEqual(await act('/devices'), ['200', { url: '/api/v1/devices' }]);
    assert.deepEqual(await act('/taken'), ['409', { message: 'the name is taken' }]);
    await logged('"reason":"the orchestrator answered 409: the name is taken"');
  });

  it('returns plain text, JSON that was broken off, and the error of the orchestrator', async () => {
    assert.deepEqual((await query('/motd')).json, { result: ['be well'] });
    assert.deepEqual((await query('/broken')).json, { result: ['{"name": '] });
    const { status, json } = await query('/nothing');
    assert.equal(status, 404);
    const body = { error: 'no such thing', url: '/api/v1/nothing' };
    assert.deepEqual((json as { upstream: unknown }).upstream, { status: 404, body });
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
    await add('locked', catalogueAdapterFile({ port: inventory.port, password: 'wrong-one' }));
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
    const { status, json: failure } = await query('/reset');
    assert.deepEqual([status, (failure as { code: string }).code], [502, 'upstream_unreachable']);
    assert.equal(await states('inventory'), 'OFFLINE');
    await query('/devices');
    assert.equal(await states('inventory'), 'ONLINE');
    assert.equal(await states('locked'), 'LOGIN_REFUSED');
  });

  it('that is missing is unavailable, and names the missing file', async () => {
    const lost = catalogueAdapterFile({ port: inventory.port, password: 'x' });
    await add('lost', lost.replace(CATALOGUE_ADAPTER, './nowhere'));
    const answer = await query('/devices', 'lost');
    assert.equal(answer.status, 503);
    assert.match(detailOf(answer), /nowhere\/pronghorn\.json cannot be read; "folder" must be the folder/);
    assert.equal((await query('/devices')).status, 200);
  });
});

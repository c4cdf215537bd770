import assert from 'node:assert/strict';
import { callsTo } from '../support/server-calls.js';
import {
  startStreamOrchestrator,
  type StreamOrchestrator,
  valuesOf,
} from '../support/stream-orchestrator.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the secrets of adapters that are registered through the API', () => {
  let known: StreamOrchestrator;
  let foreign: StreamOrchestrator;
  let testServer: TestServer;

  before(async () => {
    known = await startStreamOrchestrator();
    foreign = await startStreamOrchestrator();
    testServer = await startTestServer({
      adapterScope: 'adapters/{name}',
      secrets: { 'adapters/core3': { password: 's3cret-of-core3' } },
    });
  });
  after(async () => {
    await testServer.close();
    await Promise.all([known.close(), foreign.close()]);
  });

  const { call } = callsTo(() => testServer);
  const settings = (baseUrl: string, password = '') => ({
    baseUrl,
    auth: { type: 'basic', username: 'u', password },
  });
  const adapter = (name: string, baseUrl: string, password: string) => ({
    properties: { name, model: 'http-rest', properties: { properties: settings(baseUrl, password) } },
  });
  const query = () => testServer.query('core3', { path: '/x' });

  it('finding F12: are not carried over to another target', async () => {
    const reference = '$VAULT_adapters/core3#password';
    const created = await call('POST /adapters', { body: adapter('core3', known.url, reference) });
    assert.equal(created.status, 200, created.text);
    const carried = { properties: settings(`${known.url}/deeper`) };
    assert.equal((await call('PUT /adapters/core3/properties', { body: carried })).status, 200);

    for (const [path, body] of [
      ['/adapters/core3/properties', { properties: settings(foreign.url) }],
      ['/adapters/core3', { properties: { properties: { properties: settings(foreign.url) } } }],
    ] as const) {
      const { status, json } = await call(`PUT ${path}`, { body });
      const { code, errors } = json as {
        code: string;
        errors: readonly { pointer: string; message: string }[];
      };
      const [error] = errors;
      assert.deepEqual([status, code], [400, 'invalid_request']);
      assert.equal(error?.pointer, '/properties/properties/properties/auth/password');
      assert.match(error.message, /must be given anew: .*baseUrl.* changed/);
    }
    await query();
    assert.deepEqual([known.arrivals.length, foreign.arrivals.length], [1, 0]);

    const anew = { properties: settings(foreign.url, reference) };
    assert.equal((await call('PUT /adapters/core3/properties', { body: anew })).status, 200);
    await query();
    assert.equal(valuesOf(foreign.arrivals[0]?.rawHeaders ?? [], 'authorization').length, 1);
  });

  it('finding F12: are not opened to other targets by a profile', async () => {
    const properties = { id: 'lab', egress: { adapters: ['0.0.0.0/0'] } };
    const { status, text } = await call('POST /profiles', { body: { properties } });
    assert.equal(status, 400, text);
    assert.match(text, /egress\/adapters/);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runAdapterContract } from 'gatehouse-plugin-kit/contract';
import { plugin } from './index.js';

const reply = (status, body) => ({ status, headers: {}, body: Buffer.from(JSON.stringify(body)) });

runAdapterContract(plugin, {
  folder: fileURLToPath(new URL('.', import.meta.url)),
  options: { apiVersion: '2026-01' },
  badOptions: [{ apiVersion: 'latest' }],
  replies: [reply(200, { data: [{ name: 'edge-1' }] }), reply(422, { error: 'a device has a name' })],
  runner: { describe, it },
});

describe('plugin-with-login', () => {
  const adapter = plugin.create({});
  const query = { kind: 'query', method: 'GET', path: '/api/devices', accept: 'application/json' };

  it('selects the version of the API', () => {
    const [request] = adapter.translate(query);
    assert.equal(request.headers['x-api-version'], '2026-01');
  });

  it('unwraps replies, and repeats the words of errors', () => {
    assert.deepEqual(adapter.shape(query, reply(200, { data: [1] })), [1]);
    assert.deepEqual(adapter.explain(reply(422, { error: 'a device has a name' })), {
      detail: 'a device has a name',
    });
  });
});

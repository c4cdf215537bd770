import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runAdapterContract } from 'gatehouse-plugin-kit/contract';
import { plugin } from './index.js';

const reply = (body: unknown) => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) });
const BERN = { name: 'edge-1', site: 'Bern' };
const OSLO = { name: 'edge-2', site: 'Oslo' };

runAdapterContract(plugin, {
  folder: fileURLToPath(new URL('..', import.meta.url)),
  options: { site: 'Bern' },
  badOptions: [{}, { site: '' }],
  replies: [reply({ data: [BERN, OSLO] })],
  runner: { describe, it },
});

describe('plugin-typescript', () => {
  it('shows the devices of its site', () => {
    const adapter = plugin.create({ site: 'Bern' }, undefined as never);
    const query = { kind: 'query', method: 'GET', path: '/api/devices', accept: 'application/json' } as const;
    assert.deepEqual(adapter.shape?.(query, reply({ data: [BERN, OSLO, null] })), [BERN]);
  });
});

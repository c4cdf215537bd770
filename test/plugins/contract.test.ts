import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import type { AdapterPlugin } from '../../src/core/adapter.js';
import { runAdapterContract } from '../../src/plugin-sdk/contract.js';
import { calls, replies } from '../contracts/adapter-samples.js';

const LOGIN = { username: 'u', password: 'p' };
const HOST_KEY = `SHA256:${'A'.repeat(43)}`;

// One row per folder of plugins/: valid options and invalid options.
const ROWS: Readonly<Record<string, { options: unknown; badOptions: readonly unknown[] }>> = {
  'http-rest': {
    options: {
      headers: { 'X-Tenant': 'blue', 'x-api-key': '$VAULT_adapters/a#key' },
      paging: { lists: [{ by: 'next', at: '/next', items: '/results' }], maxPages: 10 },
    },
    badOptions: [
      ...['bad name', '', ...'Authorization host COOKIE Connection Content-Length accept'.split(' ')].map(
        (name) => ({ headers: { [name]: 'x' } }),
      ),
      { paging: {} },
      { paging: { lists: [] } },
      ...[
        ...[{}, { by: 'guess' }, { by: 'next' }, { by: 'cursor', at: '/next' }],
        ...[
          { by: 'link', items: 'results' },
          { by: 'link', paths: ['results'] },
        ],
      ].map((rule) => ({ paging: { lists: [rule] } })),
      { paging: { lists: [{ by: 'link' }], maxPages: 0 } },
      { headers: { 'x-a': '' } },
      { headers: { 'x-a': 1 } },
      { headers: [] },
    ],
  },
  'itential-adapter': {
    options: { folder: 'nowhere', properties: { authentication: { password: '$VAULT_adapters/a#key' } } },
    badOptions: [
      {},
      { folder: 'a' },
      { folder: '', properties: {} },
      { folder: 'a', properties: [] },
      { folder: 'a', properties: {}, memoryMb: 1 },
      { folder: 'a', properties: {}, logLevel: 'loud' },
    ],
  },
  netconf: {
    options: {
      host: 'device.example',
      ssh: { username: 'gatehouse', password: '$VAULT_adapters/a#password', hostKeys: [HOST_KEY] },
    },
    badOptions: [
      {},
      { host: 'device.example' },
      { host: 'a b', tls: { caFile: 'ca.pem', certFile: 'cert.pem', key: '$VAULT_adapters/a#key' } },
      { host: 'a', ssh: LOGIN },
      { host: 'a', ssh: { username: 'u', hostKeys: [HOST_KEY] } },
      { host: 'a', ssh: { ...LOGIN, hostKeys: [] } },
      { host: 'a', ssh: { ...LOGIN, hostKeys: ['*'] } },
      { host: 'a', ssh: { ...LOGIN, hostKeys: [HOST_KEY], knownHosts: 'known_hosts' } },
      { host: 'a', ssh: { ...LOGIN, hostKeys: [HOST_KEY] }, sessions: 0 },
      { host: 'a', ssh: { ...LOGIN, hostKeys: [HOST_KEY] }, port: '830' },
    ],
  },
  restconf: {
    options: {},
    badOptions: ['', 'restconf', '//elsewhere', '/restconf/', '/a/../b', '/a?b', '/a b', '/a%2', 7].map(
      (root) => ({ root }),
    ),
  },
};

// Compiled tests are two folders below the output folder, which is in the checkout.
const folders = fileURLToPath(new URL('../../../plugins/', import.meta.url));
const types = readdirSync(folders, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe('the folders of plugins/', () => {
  it('match the rows of this file', () => {
    assert.deepEqual(Object.keys(ROWS).sort(), types.sort());
  });
});

const SAMPLES = { numRuns: 200, seed: 7 };

for (const type of types) {
  const row = ROWS[type];
  if (!row) continue;
  const module = (await import(`../../plugins/${type}/index.js`)) as { plugin: AdapterPlugin };
  runAdapterContract(module.plugin, {
    folder: `${folders}${type}`,
    calls: fc.sample(calls, SAMPLES),
    replies: fc.sample(replies, SAMPLES),
    ...row,
  });
}

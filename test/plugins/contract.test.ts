import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AdapterPlugin } from '../../src/domain/adapter.js';
import { adapterContract } from '../contracts/adapter-contract.js';

// One row per folder of plugins/: options that are valid, and options that are not.
const ROWS: Readonly<Record<string, { options: unknown; badOptions: readonly unknown[] }>> = {
  'http-rest': {
    options: { headers: { 'X-Tenant': 'blue', 'x-api-key': '$VAULT_adapters/a#key' } },
    badOptions: [
      ...['Authorization', 'host', 'COOKIE', 'Connection', 'Content-Length', 'accept', 'bad name', ''].map(
        (name) => ({ headers: { [name]: 'x' } }),
      ),
      { headers: { 'x-a': '' } },
      { headers: { 'x-a': 1 } },
      { headers: [] },
    ],
  },
  restconf: {
    options: {},
    badOptions: ['', 'restconf', '//elsewhere', '/restconf/', '/a/../b', '/a?b', '/a b', '/a%2', 7].map(
      (root) => ({ root }),
    ),
  },
};

// Compiled tests stand two folders below the folder that they are compiled into, which stands in the checkout.
const folders = fileURLToPath(new URL('../../../plugins/', import.meta.url));
const types = readdirSync(folders, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

describe('folders of plugins/', () => {
  it('all have a row in this file, and no row is without its folder', () => {
    assert.deepEqual(Object.keys(ROWS).sort(), types.sort());
  });
});

for (const type of types) {
  const row = ROWS[type];
  if (!row) continue;
  const module = (await import(`../../plugins/${type}/index.js`)) as { plugin: AdapterPlugin };
  adapterContract(module.plugin, { folder: `${folders}${type}`, ...row });
}

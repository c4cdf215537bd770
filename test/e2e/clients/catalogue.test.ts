import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { createInventoryDouble, type InventoryDouble } from '../../support/inventory-double.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type ClientCase, kinds, replay, senders } from './replay.js';

const { string, object, int, exactly, like, model, listOf, someOf } = kinds;
const { ipctl, ipsdk } = senders;

const PASSWORD = 'pw-0e93-of-the-inventory';
const MODEL = '@acme/adapter-inventory';
/** A package without a schema of its settings. */
const INCOMPLETE_PACKAGE = '@acme/adapter-spoilt';
const INCOMPLETE_PACKAGE_FILE = `plugin: itential-adapter
baseUrl: http://127.0.0.1:9
options: { folder: ../node_modules/${INCOMPLETE_PACKAGE}, properties: { token: pw-in-plain-text } }
`;

/**
 * Returns the adapter's settings as in a template of `ipctl create adapter` or in an export of the platform.
 */
const settings = (port: number | string, password = '$VAULT_adapters/inventory#password') => ({
  host: '127.0.0.1',
  port,
  protocol: 'http',
  base_path: '/api',
  version: 'v1',
  authentication: { auth_method: 'request_token', username: 'gatehouse', password, token_timeout: 600_000 },
  healthcheck: { type: 'startup' },
  request: { number_retries: 0, attempt_timeout: 1000 },
});

const record = (properties: object | null) => ({
  name: 'inventory',
  type: 'Adapter',
  model: MODEL,
  properties: { id: 'inventory', type: '', brokers: null, groups: null, properties },
  isEncrypted: false,
  loggerProps: null,
  virtual: false,
});

const data = model({
  model: exactly(MODEL),
  properties: model({
    id: exactly('inventory'),
    properties: model({
      host: exactly('127.0.0.1'),
      authentication: model({ password: exactly('$VAULT_adapters/inventory#password') }),
    }),
  }),
});
const done = model({ status: exactly('OK'), message: string });
const refusedAt = (pointer: string) =>
  model({
    message: string,
    errors: someOf(model({ pointer: exactly(`/properties/properties/properties${pointer}`) })),
  });
const get = (path: string) => ({ method: 'GET' as const, path, headers: ipctl });

const cases: readonly ClientCase[] = [
  {
    name: 'ipctl copy adapter: searches for the part of the model after the first "-"',
    request: get('/adapter-models/types'),
    shows: 'cookie',
    reply: model({ adapterModels: { type: 'array', contains: exactly('inventory') }, total: int }),
  },
  {
    name: 'a client reads the schema of the package before it creates an adapter',
    request: get(`/schema/adapters/${encodeURIComponent(MODEL)}`),
    reply: model({ schema: object, decorators: someOf(model({ pointer: like('^/') })) }),
  },
  {
    name: 'ipctl create adapter from a package that is not installed',
    request: { method: 'POST', path: '/adapters', headers: ipctl, body: { properties: { ...record(null), model: '@acme/adapter-none' } } }, // prettier-ignore
    shows: 'cookie',
    status: 400,
    type: 'application/problem+json',
    reply: model({ errors: someOf(model({ pointer: exactly('/properties/model'), message: like('install') })) }), // prettier-ignore
  },
  {
    name: 'ipctl create adapter from a package that does not declare its secrets',
    request: { method: 'POST', path: '/adapters', headers: ipctl, body: { properties: { ...record({ token: 'pw-in-plain-text' }), model: INCOMPLETE_PACKAGE } } }, // prettier-ignore
    shows: 'cookie',
    status: 400,
    type: 'application/problem+json',
    reply: model({ errors: someOf(model({ pointer: exactly('/properties/model'), message: like('cannot be used') })) }), // prettier-ignore
  },
  {
    name: 'ipctl describe adapter for such an adapter in a file (bug: its secrets were shown)',
    request: get('/adapters/spoilt'),
    shows: 'cookie',
    reply: model({
      data: model({ properties: model({ properties: exactly({ baseUrl: 'http://127.0.0.1:9' }) }) }),
    }),
  },
  {
    name: 'ipctl create adapter from a package of the catalog, without settings',
    request: { method: 'POST', path: '/adapters', headers: ipctl, body: { properties: record(null) } },
    shows: 'cookie',
    reply: model({ status: exactly('Created'), message: like('dead'), data: object }),
  },
  {
    name: 'builder-skills sends settings with a secret in plain text',
    request: { method: 'PUT', path: '/adapters/inventory/properties', headers: ipsdk, body: { properties: settings('{port}', 'pw-in-plain-text') } }, // prettier-ignore
    status: 400,
    type: 'application/problem+json',
    reply: refusedAt('/authentication/password'),
  },
  {
    name: '... and with an invalid value',
    request: { method: 'PUT', path: '/adapters/inventory/properties', headers: ipsdk, body: { properties: settings(70_000) } }, // prettier-ignore
    status: 400,
    type: 'application/problem+json',
    reply: refusedAt('/port'),
  },
  {
    name: '... and with valid values',
    request: { method: 'PUT', path: '/adapters/inventory/properties', headers: ipsdk, body: { properties: settings('{port}') } }, // prettier-ignore
    reply: done,
  },
  {
    name: 'ipctl describe adapter returns the settings, with the package as the model',
    request: get('/adapters/inventory'),
    shows: 'cookie',
    reply: model({ data }),
  },
  {
    name: 'a workflow sends a query to it',
    request: { method: 'POST', path: '/nso_manager/restQuery/inventory', headers: ipctl, body: { params: { path: '/devices/r1', accept: 'application/json' } } }, // prettier-ignore
    reply: model({ url: exactly('/api/v1/devices/r1') }),
  },
  {
    name: 'ipctl inspect adapters names its package',
    request: get('/health/adapters?equals=inventory&equalsField=id'),
    shows: 'cookie',
    reply: model({ total: exactly(1), results: someOf(model({ package_id: exactly(MODEL), state: exactly('RUNNING') })) }), // prettier-ignore
  },
  {
    name: 'the schema of the adapter is that of the package',
    request: get('/schema/adapters/inventory'),
    reply: model({
      schema: object,
      decorators: { ...listOf(object), contains: exactly({ type: 'encryption', pointer: '/authentication/password' }) }, // prettier-ignore
    }),
  },
  {
    name: 'the release notes are those of the package',
    request: get('/adapters/inventory/changelogs'),
    reply: exactly({ results: [{ version: '0.1.0', date: '2026-11-21', changes: ['First.'] }], total: 1 }),
  },
  {
    name: 'ipctl edit adapter sends back the complete adapter, with an empty string for the secret',
    request: { method: 'PUT', path: '/adapters/inventory', headers: ipctl, body: { properties: record(settings('{port}', '')) } }, // prettier-ignore
    shows: 'cookie',
    reply: model({ status: exactly('OK'), data }),
  },
  {
    name: 'ipctl delete adapter',
    request: { method: 'DELETE', path: '/adapters/inventory', headers: ipctl },
    shows: 'cookie',
    reply: done,
  },
  {
    name: 'a client reads the schema of a type of the list',
    request: get('/schema/adapters/inventory'),
    reply: model({
      schema: object,
      decorators: { ...listOf(object), contains: exactly({ type: 'encryption', pointer: '/authentication/password' }) }, // prettier-ignore
    }),
  },
  {
    name: '... and creates an adapter with the type as the model',
    request: { method: 'POST', path: '/adapters', headers: ipctl, body: { properties: { ...record(settings('{port}')), model: 'inventory' } } }, // prettier-ignore
    reply: model({ status: exactly('Created'), data }),
  },
];

/** Links the files of the adapter, so that Node.js finds its packages from the real path. */
function install(home: string): void {
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(CATALOGUE_ADAPTER))
    symlinkSync(join(CATALOGUE_ADAPTER, name), join(home, name));
  writeFileSync(join(home, 'CHANGELOG.md'), '## 0.1.0 (2026-11-21)\n\n- First.\n');
}

describe('clients that create adapters of the public catalog', () => {
  let inventory: InventoryDouble;
  let testServer: TestServer;

  before(async () => {
    inventory = await createInventoryDouble({ password: PASSWORD });
    testServer = await startTestServer({
      // The path of the configuration is relative by default: config/gatehouse.yaml.
      folder: relative(process.cwd(), join(temporaryFolder().path, 'net', 'edge')),
      arrange(folder, vault) {
        vault.putSecret({ path: 'adapters/inventory' }, { password: PASSWORD });
        install(join(folder, 'node_modules', MODEL));
        mkdirSync(join(folder, 'node_modules', INCOMPLETE_PACKAGE));
        writeFileSync(join(folder, 'node_modules', INCOMPLETE_PACKAGE, 'pronghorn.json'), '{}');
        writeFileSync(join(folder, 'adapters', 'spoilt.yaml'), INCOMPLETE_PACKAGE_FILE);
      },
    });
  });
  after(async () => {
    await testServer.close();
    await inventory.close();
  });

  replay(
    () => testServer,
    cases,
    () => ({ port: inventory.port }),
  );
});

import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CATALOGUE_ADAPTER } from '../../support/catalogue-adapter.js';
import { createInventoryDouble, type InventoryDouble } from '../../support/inventory-double.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type ClientCase, clientServer, ipctl, ipsdk } from './replay.js';

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

const record = (properties: object | null, model = MODEL) => ({
  properties: {
    name: 'inventory',
    type: 'Adapter',
    model,
    properties: { id: 'inventory', type: '', brokers: null, groups: null, properties },
    isEncrypted: false,
    loggerProps: null,
    virtual: false,
  },
});
const data = {
  model: MODEL,
  properties: {
    id: 'inventory',
    properties: { host: '127.0.0.1', authentication: { password: '$VAULT_adapters/inventory#password' } },
  },
};
const refusedAt = (pointer: string, message = /./) =>
  [{ errors: [{ pointer, message }] }, { status: 400 }] as const;
const setting = (pointer: string) => refusedAt(`/properties/properties/properties${pointer}`);
const withSettings = (properties: object) => ipsdk('PUT /adapters/inventory/properties', { properties });
const schemaCase = (name: string): ClientCase => [
  name,
  ipctl('GET /schema/adapters/inventory'),
  { decorators: { 3: { type: 'encryption', pointer: '/authentication/password' } } },
];

const cases: readonly ClientCase[] = [
  [
    'a client reads the schema of the package before it creates an adapter',
    ipctl(`GET /schema/adapters/${encodeURIComponent(MODEL)}`),
    { schema: {} },
  ],
  [
    'ipctl create adapter from a package that is not installed',
    ipctl('POST /adapters', record(null, '@acme/adapter-none')),
    ...refusedAt('/properties/model', /install/),
  ],
  [
    'ipctl create adapter from a package that does not declare its secrets',
    ipctl('POST /adapters', record({ token: 'pw-in-plain-text' }, INCOMPLETE_PACKAGE)),
    ...refusedAt('/properties/model', /cannot be used/),
  ],
  [
    'ipctl describe adapter for such an adapter in a file (bug: its secrets were shown)',
    ipctl('GET /adapters/spoilt'),
    { data: { properties: { properties: { baseUrl: 'http://127.0.0.1:9', options: undefined } } } },
  ],
  [
    'ipctl create adapter from a package of the catalog, without settings',
    ipctl('POST /adapters', record(null)),
    { status: 'Created', message: /dead/ },
  ],
  [
    'builder-skills sends settings with a secret in plain text',
    withSettings(settings('{port}', 'pw-in-plain-text')),
    ...setting('/authentication/password'),
  ],
  ['... and with valid values', withSettings(settings('{port}'))],
  [
    'a workflow sends a query to it',
    ipctl('POST /nso_manager/restQuery/inventory', {
      params: { path: '/devices/r1', accept: 'application/json' },
    }),
    { url: '/api/v1/devices/r1' },
  ],
  [
    'ipctl inspect adapters names its package',
    ipctl('GET /health/adapters?equals=inventory&equalsField=id'),
    { results: [{ package_id: MODEL, state: 'RUNNING' }] },
  ],
  schemaCase('the schema of the adapter is that of the package'),
  [
    'the release notes are those of the package',
    ipctl('GET /adapters/inventory/changelogs'),
    { results: [{ version: '0.1.0', date: '2026-11-21', changes: ['First.'] }], total: 1 },
  ],
  [
    'ipctl edit adapter sends back the complete adapter, with an empty string for the secret',
    ipctl('PUT /adapters/inventory', record(settings('{port}', ''))),
    { status: 'OK', data },
  ],
  ['ipctl delete adapter', ipctl('DELETE /adapters/inventory')],
  schemaCase('a client reads the schema of a type of the list'),
  [
    '... and creates an adapter with the type as the model',
    ipctl('POST /adapters', record(settings('{port}'), 'inventory')),
    { status: 'Created', data },
  ],
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
  before(async () => {
    inventory = await createInventoryDouble({ password: PASSWORD });
  });
  after(() => inventory.close());

  const { replay } = clientServer(
    {
      // The path of the configuration is relative by default: config/gatehouse.yaml.
      folder: relative(process.cwd(), join(temporaryFolder().path, 'net', 'edge')),
      arrange(folder, vault) {
        vault.putSecret({ path: 'adapters/inventory' }, { password: PASSWORD });
        install(join(folder, 'node_modules', MODEL));
        mkdirSync(join(folder, 'node_modules', INCOMPLETE_PACKAGE));
        writeFileSync(join(folder, 'node_modules', INCOMPLETE_PACKAGE, 'pronghorn.json'), '{}');
        writeFileSync(join(folder, 'adapters', 'spoilt.yaml'), INCOMPLETE_PACKAGE_FILE);
      },
    },
    () => ({ port: inventory.port }),
  );
  replay(cases);
});

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../../src/core/schema.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { callUrl } from '../../support/call.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';

interface SchemaReply {
  readonly schema: JsonSchema;
  readonly decorators: readonly { readonly type: string; readonly pointer: string }[];
}

const BROKEN = "throw new Error('hush: of its author');";
const COMPLETING = `export const plugin = {
  type: 'completing', apiVersion: 1, summary: 'Completes its schema.',
  options: { type: 'object', properties: { kind: { type: 'string' } } },
  optionsFor: async ({ kind }) => ({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $defs: { key: { type: 'string', 'x-secret': true } },
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: kind }, keys: { type: 'array', items: { $ref: '#/$defs/key' } } },
  }),
  create: () => ({ translate: ({ method, path }) => [{ method, path, headers: {} }] }),
};`;

/**
 * Installs two packages next to the configuration: a plugin that completes its schema, and a broken plugin.
 */
function install(folder: string): void {
  for (const [name, source] of [
    ['completing', COMPLETING],
    ['broken', BROKEN],
  ] as const) {
    // prettier-ignore
    const home = join(folder, 'node_modules', '@acme', name);
    mkdirSync(home, { recursive: true });
    const manifest = {
      name,
      version: '3.2.1',
      type: 'module',
      exports: './index.js',
      keywords: ['gatehouse-plugin'],
    };
    writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(home, 'index.js'), source);
  }
  const file =
    "plugin: '@acme/completing'\nbaseUrl: http://127.0.0.1:9\noptions: { kind: big }\nenabled: false\nlog: { level: warn }\n";
  writeFileSync(join(folder, 'adapters', 'complete1.yaml'), file);
}

describe('GET /schema', () => {
  let server: TestServer;

  before(async () => (server = await startTestServer({ folder: temporaryFolder().path, arrange: install })));

  after(() => server.close());

  const get = (path: string) =>
    callUrl(server.url + path, { method: 'GET', token: server.issueToken('admin') });

  async function describeSchema(path: string): Promise<SchemaReply> {
    const { status, json } = await get(path);
    assert.equal(status, 200);
    return json as SchemaReply;
  }

  it('returns an adapter schema that accepts the keys of its file and rejects unknown plugin options', async () => {
    const { schema } = await describeSchema('/schema/adapters/core1');
    const validate = compileSchema(schema);
    const good = { baseUrl: 'https://a.example', options: { root: '/restconf' } };
    assert.deepEqual(validate(good).violations, []);
    const bad = validate({ baseUrl: 'https://a.example', options: { colour: 'red' } });
    assert.deepEqual(bad.violations.map(({ pointer }) => pointer), ['/options/colour']); // prettier-ignore
  });

  it('reports the secret positions of an adapter', async () => {
    const { decorators } = await describeSchema('/schema/adapters/core1');
    assert.deepEqual(decorators[0], { type: 'encryption', pointer: '/auth/clientSecret' });
    assert.ok(decorators.some(({ pointer }) => pointer === '/auth/password'));
    assert.ok(!decorators.some(({ pointer }) => pointer.startsWith('/options')));
  });

  it('returns the schema of a plugin that no adapter uses', async () => {
    const { schema, decorators } = await describeSchema('/schema/adapters/http-rest');
    assert.ok(decorators.some(({ pointer }) => pointer === '/options/headers/*'));
    const { secrets } = compileSchema(schema)({
      baseUrl: 'https://a.example',
      options: { headers: { 'x-key': 'k' } },
    });
    assert.deepEqual(secrets, ['/options/headers/x-key']);
  });

  it('completes the schema of an adapter for its options, with references and draft', async () => {
    const { schema, decorators } = await describeSchema('/schema/adapters/complete1');
    assert.equal(schema['$schema'], 'http://json-schema.org/draft-07/schema#');
    assert.ok(decorators.some(({ pointer }) => pointer === '/options/keys/*'));
    const validation = compileSchema(schema)({
      baseUrl: 'https://a.example',
      options: { kind: 'small', keys: ['k'] },
    });
    assert.deepEqual(validation.violations.map(({ pointer }) => pointer), ['/options/kind']); // prettier-ignore
    assert.deepEqual(validation.secrets, ['/options/keys/0']);
    const plain = await describeSchema('/schema/adapters/%40acme%2Fcompleting');
    assert.ok(!plain.decorators.some(({ pointer }) => pointer.startsWith('/options')));
  });

  it('answers a broken plugin with a Problem that does not repeat the thrown text', async () => {
    const { status, text } = await get('/schema/adapters/%40acme%2Fbroken');
    assert.equal(status, 503);
    assert.match(text, /the plugin \\"@acme\/broken\\" cannot be used/);
    assert.doesNotMatch(text, /hush/);
  });

  it('returns the sections of the main file that concern an application', async () => {
    const forms = await describeSchema('/schema/applications/JsonForms');
    assert.ok(Object.keys(forms.schema['properties'] as object).includes('maxForms'));
    const none = await describeSchema('/schema/applications/OrchestratorManager');
    assert.deepEqual(none.schema['properties'], {});
  });

  it('returns a profile schema that requires an id', async () => {
    const { schema } = await describeSchema('/schema/profiles');
    assert.equal(compileSchema(schema)({}).violations.length, 1);
  });

  it('returns a profile schema that suggests the operations of roles', async () => {
    const { schema } = await describeSchema('/schema/profiles');
    const { roles } = schema['properties'] as {
      readonly roles: { readonly propertyNames: { readonly examples: readonly string[] } };
    };
    assert.ok(roles.propertyNames.examples.includes('orchestrator-manager.restQuery'));
    // A name that is not suggested is a matter of the server's own check.
    assert.equal(compileSchema(schema)({ id: 'a', roles: { own: ['admin'] } }).violations.length, 0);
  });

  for (const name of ['nobody', 'toString', '__proto__', '..%2Frestconf', 'express', 'Tools'])
    it(`answers 404 for an adapter called ${name}`, async () => {
      const { status, json } = await get(`/schema/adapters/${name}`);
      assert.deepEqual([status, (json as { code: string }).code], [404, 'adapter_not_found']);
    });

  for (const name of ['nobody', 'toString', 'core1'])
    it(`answers 404 for an application called ${name}`, async () => {
      const { status, json } = await get(`/schema/applications/${name}`);
      assert.deepEqual([status, (json as { code: string }).code], [404, 'application_not_found']);
    });

  it('lists the adapter types of the bundled plugins and of configured adapters', async () => {
    const { json } = await get('/adapter-models/types');
    const adapterModels = [
      '@acme/completing',
      'http',
      'http-rest',
      'itential',
      'itential-adapter',
      'netconf',
      'restconf',
    ];
    const aliases = { http: 'http-rest', itential: 'itential-adapter' };
    assert.deepEqual(json, { adapterModels, total: 7, aliases });
  });

  it('describes the same plugin version as GET /health/adapters, which also reports the log levels', async () => {
    const { json } = await get('/health/adapters/complete1');
    const { package_id: packageId, version, description, logger } = json as Record<string, unknown>;
    assert.deepEqual(
      [packageId, version, description],
      ['@acme/completing', '3.2.1', 'Completes its schema.'],
    );
    const { console, file, syslog } = logger as Record<string, string>;
    assert.deepEqual([console, file, syslog], ['warn', 'warn', 'none']);
  });
});

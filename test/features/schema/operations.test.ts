import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../../src/core/schema.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { valueAt } from '../../../src/json/pointer.js';
import { callUrl } from '../../support/call.js';
import { column } from '../../support/columns.js';
import { assertMembers } from '../../support/members.js';
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
  for (const [name, source] of Object.entries({ completing: COMPLETING, broken: BROKEN })) {
    const home = join(folder, 'node_modules', '@acme', name);
    mkdirSync(home, { recursive: true });
    const code = { type: 'module', exports: './index.js', keywords: ['gatehouse-plugin'] };
    const manifest = { name, version: '3.2.1', ...code };
    writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(home, 'index.js'), source);
  }
  const file =
    "plugin: '@acme/completing'\nbaseUrl: http://127.0.0.1:9\noptions: { kind: big }\nenabled: false\nlog: { level: warn }\n";
  writeFileSync(join(folder, 'adapters', 'complete1.yaml'), file);
}

describe('GET /schema', () => {
  let server: TestServer;

  before(async () => (server = await startTestServer({ arrange: install })));

  after(() => server.close());

  const get = (path: string) =>
    callUrl(server.url + path, { method: 'GET', token: server.issueToken('admin') });

  async function describeSchema(path: string) {
    const { status, json } = await get(path);
    assert.equal(status, 200);
    const { schema, decorators } = json as SchemaReply;
    const validate = (value: unknown) => compileSchema(schema)(value);
    const check = (options: object) => validate({ baseUrl: 'https://a.example', options });
    return { schema, decorators, secrets: column(decorators, 'pointer'), validate, check };
  }

  it('returns an adapter schema that accepts the keys of its file and rejects unknown plugin options, with its secret positions', async () => {
    const { check, decorators, secrets } = await describeSchema('/schema/adapters/core1');
    assert.deepEqual(check({ root: '/restconf' }).violations, []);
    assert.deepEqual(column(check({ colour: 'red' }).violations, 'pointer'), ['/options/colour']);
    assert.deepEqual(decorators[0], { type: 'encryption', pointer: '/auth/clientSecret' });
    assert.ok(secrets.includes('/auth/password') && !secrets.join(' ').includes('/options'));
  });

  it('returns the schema of a plugin that no adapter uses', async () => {
    const { secrets, check } = await describeSchema('/schema/adapters/http-rest');
    assert.ok(secrets.includes('/options/headers/*'));
    assert.deepEqual(check({ headers: { 'x-key': 'k' } }).secrets, ['/options/headers/x-key']);
  });

  it('completes the schema of an adapter for its options, with references and draft', async () => {
    const { schema, secrets, check } = await describeSchema('/schema/adapters/complete1');
    assert.equal(schema['$schema'], 'http://json-schema.org/draft-07/schema#');
    assert.ok(secrets.includes('/options/keys/*'));
    const validation = check({ kind: 'small', keys: ['k'] });
    assert.deepEqual(column(validation.violations, 'pointer'), ['/options/kind']);
    assert.deepEqual(validation.secrets, ['/options/keys/0']);
    const plain = await describeSchema('/schema/adapters/%40acme%2Fcompleting');
    assert.ok(!plain.secrets.join(' ').includes('/options'));
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

  it('returns a profile schema that requires an id, and suggests the operations of roles', async () => {
    const { schema, validate } = await describeSchema('/schema/profiles');
    assert.equal(validate({}).violations.length, 1);
    const examples = valueAt(schema, '/properties/roles/propertyNames/examples') as readonly string[];
    assert.ok(examples.includes('orchestrator-manager.restQuery'));
    // A name that is not suggested is a matter of the server's own check.
    assert.equal(validate({ id: 'a', roles: { own: ['admin'] } }).violations.length, 0);
  });

  for (const [kind, ...names] of [
    ['adapter', 'nobody', 'toString', '__proto__', '..%2Frestconf', 'express', 'Tools'],
    ['application', 'nobody', 'toString', 'core1'],
  ] as const)
    for (const name of names)
      it(`answers 404 for an ${kind} called ${name}`, async () => {
        const { status, json } = await get(`/schema/${kind}s/${name}`);
        assert.deepEqual([status, valueAt(json, '/code')], [404, `${kind}_not_found`]);
      });

  it('lists the adapter types of the bundled plugins and of configured adapters', async () => {
    const { json } = await get('/adapter-models/types');
    const bundled = ['http', 'http-rest', 'itential', 'itential-adapter', 'netconf', 'restconf'];
    const aliases = { http: 'http-rest', itential: 'itential-adapter' };
    const adapterModels = ['@acme/completing', ...bundled];
    assert.deepEqual(json, { adapterModels, total: 7, aliases });
  });

  it('describes the same plugin version as GET /health/adapters, which also reports the log levels', async () => {
    const { json } = await get('/health/adapters/complete1');
    assertMembers(json, {
      ...{ package_id: '@acme/completing', version: '3.2.1', description: 'Completes its schema.' },
      logger: { console: 'warn', file: 'warn', syslog: 'none' },
    });
  });
});

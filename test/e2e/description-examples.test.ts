import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OperationExample } from '../../src/core/operation.js';
import { exampleOf } from '../../src/features/docs/examples/index.js';
import { catalogueAdapterFile } from '../support/catalogue-adapter.js';
import { type ExampleCall, exampleCalls, type ExampleWorld } from '../support/example-calls.js';
import { exampleValue, shortened } from '../support/example-values.js';
import { formatText } from '../support/format.js';
import { createInventoryDouble, type InventoryDouble } from '../support/inventory-double.js';
import { extendMainFile } from '../support/main-file.js';
import { assertMembers } from '../support/members.js';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.js';
import { cheapHash } from '../support/password-hash.js';
import { callsTo, type Route } from '../support/server-calls.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

const FILE = new URL('../../../src/features/docs/examples/examples.json', import.meta.url);

/** Writes the examples into the sources. */
async function writeExamples(examples: ReadonlyMap<string, OperationExample>): Promise<void> {
  const byApplication: Record<string, Record<string, OperationExample>> = {};
  for (const [name, example] of examples) {
    const [application = '', id = ''] = name.split('.');
    (byApplication[application] ??= {})[id] = example;
  }
  writeFileSync(FILE, await formatText('examples.json', JSON.stringify(byApplication)));
}

/** Returns the sorted names of the members of an object; of a list, those of its first item. */
function memberNames(value: unknown): readonly string[] {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'object' && first !== null ? Object.keys(first).sort() : [];
}

describe('the examples of the API description', function () {
  this.timeout(120_000);
  let server: TestServer;
  let provider: OidcProvider;
  let inventory: InventoryDouble;
  let world: ExampleWorld;
  let calls: readonly ExampleCall[];

  before(async () => {
    const password = randomBytes(12).toString('hex');
    const { path: folder } = temporaryFolder();
    provider = await startOidcProvider({ client: { id: 'public', secret: '' } });
    inventory = await createInventoryDouble({ password });
    server = await startTestServer({
      folder,
      arrange() {
        const adapter = catalogueAdapterFile({ port: inventory.port, password });
        writeFileSync(join(folder, 'adapters', 'inventory.yaml'), adapter);
        // Nothing listens at this address, so that there is soon a problem to acknowledge.
        const broken =
          'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\ntags: [site:zurich]\nhealth: { intervalSeconds: 1 }\n';
        writeFileSync(join(folder, 'adapters', 'zrh1.yaml'), broken);
        const hash = cheapHash(password);
        const accounts = `users: [{ username: ada, passwordHash: '${hash}', roles: [admin] }], clients: [{ clientId: backup, clientSecretHash: '${hash}', roles: [engineering] }]`;
        const issuer = `{ issuer: "${provider.url}", audience: gatehouse, discovery: true, algorithms: [ES256], rolesClaim: /roles, roleMap: {}, signIn: { clientId: public } }`;
        const text = extendMainFile(folder, {
          server: 'publicUrl: "http://127.0.0.1:1"',
          auth: `issuers: [${issuer}]`,
          local: accounts,
          more: 'limits: { scripts: { operations: [orchestrator-manager.*], requests: 100, concurrent: 5 } }\n',
        });
        extendMainFile(folder, { more: receiverOf(text, password) });
      },
    });
    world = {
      password,
      folder,
      orchestratorUrl: server.orchestrator.url,
      inventoryUrl: server.inventoryUrl,
      token: server.issueToken('admin'),
      logoutToken: await provider.logoutToken({ sid: 's1' }),
    };
    calls = exampleCalls(world);
    await eventually(async () => {
      assertMembers(await ask('GET /health/adapters/inventory'), { state: 'RUNNING' });
    });
  });
  after(() => Promise.all([server.close(), provider.close(), inventory.close()]));

  const { call, ask } = callsTo(() => server);

  /** Makes the calls in their order, and returns each body and reply as an example. */
  async function callAll(): Promise<ReadonlyMap<string, OperationExample>> {
    const examples = new Map<string, OperationExample>();
    const kept: Record<string, string | number> = {};
    for (const example of calls) {
      const filled = (text: string) =>
        text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(kept[name] ?? ''));
      const { operation, keeps } = example;
      // The cause of a problem may change, and its id with it.
      if (operation === 'notifications.acknowledgeProblem') kept['problem'] = await problemId();
      const body: unknown =
        example.body &&
        JSON.parse(JSON.stringify(example.body), (_key, value: unknown) =>
          value === '{revision}' ? kept['revision'] : typeof value === 'string' ? filled(value) : value,
        );
      const reply = await call(filled(example.route) as Route, { body });
      assert.equal(reply.status, 200, `${operation}: ${reply.text}`);
      if (keeps !== undefined) kept[keeps] = keptValue(reply.json, keeps);
      examples.set(operation, {
        ...(body !== undefined && { body: exampleValue(body, world) }),
        ...(reply.json !== undefined && { reply: exampleValue(shortened(reply.json, example), world) }),
      });
    }
    return examples;
  }

  /** Returns the id of a current problem. */
  async function problemId(): Promise<string> {
    let id = '';
    await eventually(async () => {
      const { problems } = await ask<{ problems: readonly { id: string }[] }>('GET /console/overview');
      id = problems[0]?.id ?? '';
      assert.ok(id !== '', 'there is a problem');
    });
    return id;
  }

  it('are the bodies and the replies of real calls (UPDATE_GOLDEN=1 writes them)', async () => {
    const found = await callAll();
    if (process.env['UPDATE_GOLDEN'] === '1') return writeExamples(found);
    assert.equal(found.size, new Set(calls.map(({ operation }) => operation)).size);
    const exact = new Set(calls.filter(({ isExact }) => isExact).map(({ operation }) => operation));
    for (const [name, { body, reply }] of found) {
      const example = exampleOf(name);
      assert.deepEqual(example?.body, body, name);
      if (exact.has(name)) assert.deepEqual(example?.reply, reply, name);
      assert.deepEqual(memberNames(example?.reply), memberNames(reply), name);
    }
    return undefined;
  });
});

/** Returns the settings of a receiver of notifications: the server that restCall may reach. */
function receiverOf(mainFile: string, secret: string): string {
  const [, host = ''] = /egress: \{ allow: \["([^"]+)"/.exec(mainFile) ?? [];
  return `notifications:
  receivers:
    - { name: noc, webhook: { url: "http://${host}/devices/r1", secret: "${secret}" } }
`;
}

/** Returns a member of a reply; of a list, that of its first entry. */
function keptValue(reply: unknown, member: string): string | number {
  const { results, ...rest } = reply as { readonly results?: readonly unknown[] };
  const { data } = rest as { readonly data?: unknown };
  const holder = (results?.[0] ?? (member in rest ? rest : data)) as Readonly<Record<string, unknown>>;
  const value = holder[member];
  assert.ok(typeof value === 'string' || typeof value === 'number', member);
  return value;
}

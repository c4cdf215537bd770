import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { connectAgent, type ProposingAgent, restActionOf } from '../support/proposed-calls.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const DOCUMENT = `openapi: 3.0.3
info: { title: Things, version: '1' }
paths:
  /things/{id}:
    delete:
      operationId: delThing
      summary: Delete a thing
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: Done } }
`;

const PLUGIN = `export const plugin = {
  type: 'acme', apiVersion: 1, summary: 'Of a test.', options: { type: 'object' },
  create: () => ({ translate: ({ method, path }) => [{ method, path: '/v1' + path, headers: {} }] }),
};
`;

const PACKAGE = {
  ...{ name: 'acme', version: '1.0.0', type: 'module', exports: './index.js' },
  keywords: ['gatehouse-plugin'],
};

describe('the approval of a call', () => {
  const { path: folder } = temporaryFolder();
  const documentFile = join(folder, 'apis', 'things.yaml');
  const adapterFile = (id: string): string => join(folder, 'adapters', `${id}.yaml`);
  const pluginFile = join(folder, 'node_modules', 'acme', 'index.js');
  let first: GuardedOrchestrator;
  let second: GuardedOrchestrator;
  let server: TestServer;
  let agent: ProposingAgent;
  before(async () => {
    first = await startGuardedOrchestrator();
    second = await startGuardedOrchestrator();
    const base = `baseUrl: ${first.url}\nhealth: { type: none }\n`;
    const auth = 'auth: { type: basic, username: ada, password: $VAULT_adapters/prod1#password }\n';
    server = await startTestServer({
      folder,
      adapters: {
        prod1: `plugin: http-rest\n${base}${auth}openapi: { file: ../apis/things.yaml, methods: ["*"] }\n`,
        acme1: `plugin: acme\n${base}`,
      },
      secrets: { 'adapters/prod1': { password: 'the-first-password' } },
      main: {
        server: 'reloadPlugins: true',
        more: 'mcp: { enabled: true, operations: [orchestrator-manager.restAction], adapters: [prod1], actions: task }\n',
      },
      arrange() {
        mkdirSync(join(folder, 'apis'));
        writeFileSync(documentFile, DOCUMENT);
        mkdirSync(join(folder, 'node_modules', 'acme'), { recursive: true });
        writeFileSync(join(folder, 'node_modules', 'acme', 'package.json'), JSON.stringify(PACKAGE));
        writeFileSync(pluginFile, PLUGIN);
      },
    });
    agent = await connectAgent(server, 'admin');
  });
  after(async () => {
    await agent.close();
    await server.close();
    await first.close();
    await second.close();
  });

  /** Replaces a text in a file, applies the change, and restores the file. */
  const whileChanged = async (
    file: string,
    [from, to]: readonly [string, string],
    work: () => Promise<void>,
  ) => {
    const before = readFileSync(file, 'utf8');
    assert.ok(before.includes(from), from);
    const apply = async (text: string): Promise<void> => {
      writeFileSync(file, text);
      assert.deepEqual(await server.running.reload(), []);
    };
    await apply(before.replaceAll(from, to));
    await work();
    await apply(before);
  };
  const sentSoFar = () => first.done.length + second.done.length;

  for (const [title, tool, sent, file, change, reason] of [
    [
      'path and the summary of the method (bug: only arguments and input were sealed)',
      ...(['prod1__delThing', { id: 7 }, documentFile] as const),
      [
        '/things/{id}:\n    delete:\n      operationId: delThing\n      summary: Delete a thing',
        '/all/{id}:\n    delete:\n      operationId: delThing\n      summary: Wipe everything',
      ],
      /method of the adapter .*prod1.* has changed/,
    ],
    [
      'summary of the method',
      ...(['prod1__delThing', { id: 7 }, documentFile] as const),
      ['Delete a thing', 'Wipe everything'],
      /method of the adapter .*prod1.* has changed/,
    ],
    [
      'base URL of the adapter, for a method',
      ...(['prod1__delThing', { id: 7 }, adapterFile('prod1')] as const),
      'baseUrl',
      /adapter .*prod1.* has another target/,
    ],
    [
      'base URL of the adapter, for a request',
      ...(['restAction', restActionOf('prod1'), adapterFile('prod1')] as const),
      'baseUrl',
      /adapter .*prod1.* has another target/,
    ],
    [
      'account of the adapter',
      ...(['restAction', restActionOf('prod1'), adapterFile('prod1')] as const),
      ['username: ada', 'username: root'],
      /adapter .*prod1.* has another target/,
    ],
    [
      'code of the plugin',
      ...(['restAction', restActionOf('acme1'), pluginFile] as const),
      ["'/v1'", "'/v2/all'"],
      /adapter .*acme1.* has another target/,
    ],
  ] as const)
    it(`is void after a change of the ${title}`, async () => {
      const proposal = await agent.propose(tool, sent);
      assert.equal((await agent.approve(proposal, ['grace', 'admin'])).status, 200);
      const before = sentSoFar();
      const texts = change === 'baseUrl' ? ([first.url, second.url] as const) : change;
      await whileChanged(file, texts, async () => {
        const late = await agent.call(tool, { ...sent, approval: proposal.approval });
        assert.equal(late.isError, true);
        assert.match(late.texts[0] ?? '', /"code":"proposal_outdated"/);
        assert.match(late.texts[0] ?? '', reason);
        assert.match(late.texts[0] ?? '', /Call the tool again without an approval/);
        assert.equal(sentSoFar(), before);
      });
      // The approval was not used, and holds for what the person approved.
      const done = await agent.call(tool, { ...sent, approval: proposal.approval });
      assert.equal(done.isError, false, done.texts.join());
      assert.equal(sentSoFar(), before + 1);
    });

  it('holds after the rotation of a secret, and after a change of a time limit', async () => {
    const proposal = await agent.propose('prod1__delThing', { id: 7 });
    await agent.approve(proposal, ['grace', 'admin']);
    server.vault.putSecret({ path: 'adapters/prod1' }, { password: 'the-second-password' });
    assert.equal((await server.call('POST /admin/vault/refresh')).status, 200);
    await whileChanged(
      adapterFile('prod1'),
      ['health:', 'timeouts: { totalMs: 20001 }\nhealth:'],
      async () => {
        const before = sentSoFar();
        const done = await agent.call('prod1__delThing', { id: 7, approval: proposal.approval });
        assert.equal(done.isError, false, done.texts.join());
        assert.equal(sentSoFar(), before + 1);
      },
    );
  });
});

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
  const pluginFile = join(folder, 'node_modules', 'acme', 'index.js');
  let orchestrator: GuardedOrchestrator;
  let server: TestServer;
  let agent: ProposingAgent;
  before(async () => {
    orchestrator = await startGuardedOrchestrator();
    const base = `baseUrl: ${orchestrator.url}\nhealth: { type: none }\n`;
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
    await orchestrator.close();
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

  for (const [title, tool, sent, file, change, reason] of [
    [
      'path of the method (bug: only arguments and input were sealed)',
      ...(['prod1__delThing', { id: 7 }, documentFile] as const),
      ['/things/{id}:', '/all/{id}:'],
      /method of the adapter .*prod1.* has changed/,
    ],
    [
      'summary of the method',
      ...(['prod1__delThing', { id: 7 }, documentFile] as const),
      ['Delete a thing', 'Wipe everything'],
      /method of the adapter .*prod1.* has changed/,
    ],
    [
      'account of the adapter',
      ...(['restAction', restActionOf('prod1'), join(folder, 'adapters', 'prod1.yaml')] as const),
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
      const before = orchestrator.done.length;
      await whileChanged(file, change, async () => {
        const late = await agent.call(tool, { ...sent, approval: proposal.approval });
        assert.equal(late.isError, true);
        assert.match(late.texts[0] ?? '', /"code":"proposal_outdated"/);
        assert.match(late.texts[0] ?? '', reason);
        assert.match(late.texts[0] ?? '', /Call the tool again without an approval/);
        assert.equal(orchestrator.done.length, before);
      });
      // The approval was not used, and holds for what the person approved.
      const done = await agent.call(tool, { ...sent, approval: proposal.approval });
      assert.equal(done.isError, false, done.texts.join());
      assert.equal(orchestrator.done.length, before + 1);
    });
});

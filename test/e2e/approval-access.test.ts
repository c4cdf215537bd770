import assert from 'node:assert/strict';
import { type GuardedOrchestrator, startGuardedOrchestrator } from '../support/guarded-orchestrator.js';
import { methodPlugin, SERVICE_METHODS } from '../support/method-plugin.js';
import { connectAgent, type ProposingAgent, restActionOf } from '../support/proposed-calls.js';
import { refusalOf } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const RULES = `mcp: { enabled: true, operations: [orchestrator-manager.restAction], adapters: [nms], actions: task }
roles:
  adapters.callAdapterMethod: [admin, netops, reader]
access:
  - { adapters: [main1], roles: [agents, netops], methods: [DELETE] }
  - { adapters: [nms], roles: [agents, netops] }
  - { adapters: [nms], roles: [reader], methodEffects: [read] }
`;

describe('a person who approves the call of an agent', () => {
  const plugin = methodPlugin(SERVICE_METHODS);
  let orchestrator: GuardedOrchestrator;
  let server: TestServer;
  let agent: ProposingAgent;
  before(async () => {
    orchestrator = await startGuardedOrchestrator();
    const file = `plugin: restconf\nbaseUrl: ${orchestrator.url}\nhealth: { type: none }\n`;
    const own = `${file}access: [{ roles: [admin], paths: ["/things/**"] }, { roles: [engineering], methods: [GET] }]\n`;
    server = await startTestServer({
      pluginFolder: plugin.pluginFolder,
      adapters: { lab1: file, prod1: file, main1: file, own1: own, nms: plugin.file },
      main: { more: RULES },
    });
    agent = await connectAgent(server, 'admin', 'agents');
    await server.ask('PUT /access/rules/eng-lab', {
      properties: {
        adapters: ['lab1'],
        roles: ['engineering'],
        operations: ['orchestrator-manager.restAction'],
      },
      comment: 'the laboratory',
    });
  });
  after(async () => {
    await agent.close();
    await server.close();
    await orchestrator.close();
  });

  const act = (adapterId: string, person: readonly [string, ...string[]]) =>
    server.call(`POST /orchestrator_manager/restAction/${adapterId}`, {
      roles: person.slice(1),
      body: { params: restActionOf(adapterId).params, body: {} },
    });
  const deletions = () => orchestrator.done.filter((request) => request.startsWith('DELETE'));
  const scale = { service: { name: 'web' } };
  const codeOf = (text = ''): string | undefined => /"code":"(\w+)"/.exec(text)?.[1];

  it('needs a rule for the adapter, not only a role of the operation (bug: a stored rule for lab1 let approve at prod1)', async () => {
    const eve = ['eve', 'engineering'] as const;
    const direct = await act('prod1', eve);
    assert.deepEqual(refusalOf(direct), [403, 'adapter_forbidden']);
    const proposal = await agent.propose('restAction', restActionOf('prod1'));
    const refused = await agent.approve(proposal, eve);
    assert.deepEqual(refusalOf(refused), [403, 'adapter_forbidden']);
    const detailOf = ({ json }: typeof direct) => (json as { readonly detail: string }).detail;
    assert.equal(detailOf(refused), detailOf(direct));
    assert.match(detailOf(refused), /neither the main configuration nor a stored access rule.*DELETE/);

    const early = await agent.call('restAction', { ...restActionOf('prod1'), approval: proposal.approval });
    assert.match(early.texts[0] ?? '', /input_required/);
    assert.deepEqual(deletions(), []);

    const atLab = await agent.propose('restAction', restActionOf('lab1'));
    assert.equal((await agent.approve(atLab, eve)).status, 200);
    await agent.call('restAction', { ...restActionOf('lab1'), approval: atLab.approval });
    assert.deepEqual(deletions(), ['DELETE /things/7']);
  });

  for (const [title, adapterId, refused, admitted] of [
    ['of the main configuration', 'main1', ['grace', 'admin'], ['grace', 'admin', 'netops']],
    ['of the adapter', 'own1', ['eve', 'engineering', 'netops'], ['grace', 'admin']],
  ] as const)
    it(`needs the rules ${title}, also with a role of the operation`, async () => {
      const proposal = await agent.propose('restAction', restActionOf(adapterId));
      const { status, text } = await agent.approve(proposal, refused);
      assert.equal(status, 403, text);
      assert.equal(codeOf(text), 'adapter_forbidden');
      assert.equal((await agent.approve(proposal, admitted)).status, 200);
    });

  it('needs the rules for the method of an adapter', async () => {
    const proposal = await agent.propose('nms__scaleService', scale);
    const refused = await agent.approve(proposal, ['rita', 'reader', 'engineering']);
    assert.deepEqual(refusalOf(refused), [403, 'adapter_forbidden']);
    assert.equal((await agent.approve(proposal, ['ned', 'netops', 'engineering'])).status, 200);
    const { isError } = await agent.call('nms__scaleService', { ...scale, approval: proposal.approval });
    assert.equal(isError, false);
  });

  it('is not asked about a call that the rules refuse to the agent itself', async () => {
    const other = await connectAgent(server, 'admin');
    const main = await other.call('restAction', restActionOf('main1'));
    assert.equal(codeOf(main.texts[0]), 'adapter_forbidden');
    const method = await other.call('nms__scaleService', scale);
    assert.equal(codeOf(method.texts[0]), 'adapter_forbidden');
    await other.close();
  });
});

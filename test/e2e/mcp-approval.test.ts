import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { connectEarlier, connectLater, postMcp } from '../support/mcp-client.js';
import { connectAgent, type ProposingAgent, type Proposal, restActionOf } from '../support/proposed-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const ACTION = restActionOf('core1', 'patch', '/restconf/data/ietf-interfaces:interfaces');
const ADA = ['ada', 'engineering', 'netops'] as const;

describe('a tool call that a person approves', () => {
  let server: TestServer;
  let agent: ProposingAgent;
  before(async () => {
    server = await startTestServer({
      main: {
        more: `mcp: { enabled: true, operations: [orchestrator-manager.restAction], actions: task }
roles: { orchestrator-manager.restAction: [netops] }
`,
      },
    });
    agent = await connectAgent(server, 'netops');
  });
  after(async () => {
    await agent.close();
    await server.close();
  });

  const sentActions = (): number =>
    server.orchestrator.requests.filter(({ method }) => method === 'PATCH').length;
  const act = (approval?: string, { call }: Pick<ProposingAgent, 'call'> = agent) =>
    call('restAction', { ...ACTION, ...(approval !== undefined && { approval }) });
  const propose = (): Promise<Proposal> => agent.propose('restAction', ACTION);

  it('is sent once, after another person has approved it', async () => {
    const before = sentActions();
    const proposal = await propose();
    assert.equal(proposal.status, 'input_required');
    assert.ok(proposal.task.startsWith(`${server.url}/json-forms/task/`), proposal.task);
    const waiting = await act(proposal.approval);
    assert.match(waiting.texts[0] ?? '', /"status":"input_required"/);
    const { text } = await agent.ask(proposal, ADA);
    assert.match(text, /ietf-interfaces:interfaces/);
    assert.doesNotMatch(text, /"proposal"|"key"/);
    assert.equal(sentActions(), before);

    assert.equal((await agent.approve(proposal, ADA)).status, 200);
    const done = await act(proposal.approval);
    assert.match(done.texts[0] ?? '', /^\[{"result":"\d+"}\]$/);
    const replayed = await act(proposal.approval);
    assert.equal(replayed.isError, true);
    assert.match(replayed.texts[0] ?? '', /task_finished/);
    assert.equal(sentActions(), before + 1);
  });

  it('is sent once, if two clients redeem the approval at the same time', async () => {
    const proposal = await propose();
    await agent.approve(proposal, ADA);
    const before = sentActions();
    const second = await connectEarlier(server.url, server.issueTokenFor('agent', 'netops'));
    const results = await Promise.all([act(proposal.approval), act(proposal.approval, second)]);
    await second.close();
    assert.deepEqual(results.map(({ isError }) => isError).sort(), [false, true]);
    assert.equal(sentActions(), before + 1);
  });

  it('has no drafts, and is approved only as it is shown (bug: an agent redrew what a person approves)', async () => {
    const proposal = await propose();
    const url = proposal.task.replace('/task/RenderJsonSchema?task=', '/tasks/');
    const token = server.issueTokenFor('agent', 'engineering', 'netops');
    const formData = { operation: 'read the time', proposer: 'ada', arguments: '{ "path": "/time" }' };
    const drawn = await callUrl(`${url}/draft`, { method: 'PUT', token, body: { formData } });
    assert.deepEqual([drawn.status, (drawn.json as { code: string }).code], [409, 'proposal_fixed']);
    const approved = await agent.ask(proposal, ADA, { outcome: 'approved', formData });
    assert.deepEqual([approved.status, (approved.json as { code: string }).code], [409, 'proposal_fixed']);
    const { draft, status } = (await agent.ask(proposal, ADA)).json as { draft: unknown; status: string };
    assert.deepEqual([draft, status], [null, 'open']);
  });

  it('is refused if ten of the same agent wait, and not for other agents (bug: half of forms.tasks.maxTasks)', async () => {
    const other = await connectLater(server.url, server.issueTokenFor('busy agent', 'netops'));
    const outcomes: boolean[] = [];
    for (let time = 0; time < 11; time += 1) outcomes.push((await act(undefined, other)).isError);
    assert.deepEqual(outcomes, [...Array<boolean>(10).fill(false), true]);
    assert.match(
      (await act(undefined, other)).texts[0] ?? '',
      /More than 10 proposed calls of \\"busy agent\\"/,
    );
    await other.close();
    await propose();
  });

  it('cannot be approved by its proposer, or by an admin without a role of the operation, or seen without the role', async () => {
    const proposal = await propose();
    const own = await agent.approve(proposal, ['agent', 'engineering', 'netops']);
    assert.equal(own.status, 403);
    assert.match(own.text, /requester_excluded/);
    const admin = await agent.approve(proposal, ['boss', 'admin']);
    assert.equal(admin.status, 403);
    assert.match(admin.text, /needs one of these roles: netops/);
    assert.equal((await agent.ask(proposal, ['eve', 'engineering'])).status, 404);
  });

  it('shows the digits of a long number in the body (bug: the proposal failed with 500)', async () => {
    const sent = JSON.stringify({ ...ACTION, body: { id: 'BIG' } }).replace('"BIG"', '18446744073709551615');
    const { text } = await postMcp(server.url, {
      token: server.issueTokenFor('agent', 'netops'),
      text: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"restAction","arguments":${sent}}}`,
    });
    const [taskUrl = ''] = /http[^"\\]*task=[0-9a-f]{24}/.exec(text) ?? [];
    const task = await agent.ask({ status: '', approval: '', task: taskUrl }, ADA);
    assert.match(task.text, /18446744073709551615/);
    assert.match(task.text, /"size":"27 bytes"/);
  });

  it('is not sent after a rejection, whose reason the agent reads', async () => {
    const before = sentActions();
    const proposal = await propose();
    await agent.ask(proposal, ADA, { outcome: 'rejected', reason: 'not today' });
    const { texts } = await act(proposal.approval);
    assert.match(texts[0] ?? '', /"status":"rejected","reason":"not today"/);
    assert.equal(sentActions(), before);
  });

  it('is recorded with its task', async () => {
    const path = '/audit?subject=agent&operation=orchestrator-manager.restAction';
    const { json } = await server.call(`GET ${path}`);
    const { results } = json as { readonly results: readonly { readonly outcome: string }[] };
    const outcomes = results.map(({ outcome }) => outcome);
    assert.ok(outcomes.some((outcome) => /^proposed in task [0-9a-f]{24}$/.test(outcome)));
    assert.ok(outcomes.some((outcome) => /^\d+ approved in task [0-9a-f]{24}$/.test(outcome)));
    assert.ok(outcomes.some((outcome) => /^rejected in task [0-9a-f]{24}$/.test(outcome)));
  });
});

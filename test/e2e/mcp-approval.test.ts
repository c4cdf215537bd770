import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { connectEarlier, connectLater, type McpClient } from '../support/mcp-client.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const ACTION = {
  adapterId: 'core1',
  params: {
    path: '/restconf/data/ietf-interfaces:interfaces',
    accept: 'application/yang-data+json',
    method: 'patch',
  },
  body: {},
};

interface Answer {
  readonly status: string;
  readonly task: string;
  readonly approval: string;
  readonly reason?: string;
}

describe('a tool call that a person approves', () => {
  let server: TestServer;
  let agent: McpClient;
  before(async () => {
    server = await startTestServer({
      main: {
        more: `mcp: { enabled: true, operations: [orchestrator-manager.restAction], actions: task }
roles: { orchestrator-manager.restAction: [netops] }
`,
      },
    });
    agent = await connectLater(server.url, server.issueTokenFor('agent', 'netops'));
  });
  after(async () => {
    await agent.close();
    await server.close();
  });

  const sentActions = (): number =>
    server.orchestrator.requests.filter(({ method }) => method === 'PATCH').length;
  const act = (approval?: string, client = agent) =>
    client.call('restAction', { ...ACTION, ...(approval !== undefined && { approval }) });
  const propose = async (): Promise<Answer> => {
    const { isError, texts } = await act();
    assert.equal(isError, false, texts.join());
    return JSON.parse(texts[0] ?? '') as Answer;
  };
  const idOf = ({ task }: Answer): string => new URL(task).searchParams.get('task') ?? '';
  /** Sends a request about the task of a proposal, as a person with these roles. */
  const ask = (proposal: Answer, [subject, ...roles]: readonly [string, ...string[]], outcome?: object) =>
    callUrl(`${server.url}/json-forms/tasks/${idOf(proposal)}${outcome ? '/outcome' : ''}`, {
      token: server.issueTokenFor(subject, ...roles),
      ...(outcome ? { body: outcome } : { method: 'GET' }),
    });
  const ADA = ['ada', 'engineering', 'netops'] as const;
  const approve = async (proposal: Answer, who: readonly [string, ...string[]] = ADA) => {
    const { formData } = (await ask(proposal, who)).json as { readonly formData: unknown };
    return ask(proposal, who, { outcome: 'approved', formData });
  };

  it('is sent once, after another person has approved it', async () => {
    const before = sentActions();
    const proposal = await propose();
    assert.equal(proposal.status, 'input_required');
    assert.ok(proposal.task.startsWith(`${server.url}/json-forms/task/`), proposal.task);
    const waiting = await act(proposal.approval);
    assert.match(waiting.texts[0] ?? '', /"status":"input_required"/);
    assert.equal(sentActions(), before);

    assert.equal((await approve(proposal)).status, 200);
    const done = await act(proposal.approval);
    assert.match(done.texts[0] ?? '', /^\[{"result":"\d+"}\]$/);
    assert.equal(sentActions(), before + 1);

    const replayed = await act(proposal.approval);
    assert.equal(replayed.isError, true);
    assert.match(replayed.texts[0] ?? '', /task_finished/);
    assert.equal(sentActions(), before + 1);
  });

  it('is sent once, if two clients redeem the approval at the same time', async () => {
    const proposal = await propose();
    await approve(proposal);
    const before = sentActions();
    const second = await connectEarlier(server.url, server.issueTokenFor('agent', 'netops'));
    const results = await Promise.all([act(proposal.approval), act(proposal.approval, second)]);
    await second.close();
    assert.deepEqual(results.map(({ isError }) => isError).sort(), [false, true]);
    assert.equal(sentActions(), before + 1);
  });

  it('has no drafts, and is approved only as it is shown (bug: an agent redrew what a person approves)', async () => {
    const proposal = await propose();
    const url = `${server.url}/json-forms/tasks/${idOf(proposal)}`;
    const token = server.issueTokenFor('agent', 'engineering', 'netops');
    const formData = { operation: 'read the time', proposer: 'ada', arguments: '{ "path": "/time" }' };
    const drawn = await callUrl(`${url}/draft`, { method: 'PUT', token, body: { formData } });
    assert.deepEqual([drawn.status, (drawn.json as { code: string }).code], [409, 'proposal_fixed']);
    const approved = await ask(proposal, ADA, { outcome: 'approved', formData });
    assert.deepEqual([approved.status, (approved.json as { code: string }).code], [409, 'proposal_fixed']);
    const { draft, status } = (await ask(proposal, ADA)).json as { draft: unknown; status: string };
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
    const own = await approve(proposal, ['agent', 'engineering', 'netops']);
    assert.equal(own.status, 403);
    assert.match(own.text, /requester_excluded/);
    const admin = await approve(proposal, ['boss', 'admin']);
    assert.equal(admin.status, 403);
    assert.match(admin.text, /needs one of these roles: netops/);
    assert.equal((await ask(proposal, ['eve', 'engineering'])).status, 404);
  });

  it('shows the arguments, and not the key of the seal', async () => {
    const { text } = await ask(await propose(), ADA);
    assert.match(text, /ietf-interfaces:interfaces/);
    assert.doesNotMatch(text, /"proposal"|"key"/);
  });

  it('shows the digits of a long number in the body (bug: the proposal failed with 500)', async () => {
    const sent = JSON.stringify({ ...ACTION, body: { id: 'BIG' } }).replace('"BIG"', '18446744073709551615');
    const reply = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${server.issueTokenFor('agent', 'netops')}`,
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"restAction","arguments":${sent}}}`,
    });
    const text = await reply.text();
    assert.match(text, /input_required/);
    const [, id = ''] = /task=([0-9a-f]{24})/.exec(text) ?? [];
    const task = await callUrl(`${server.url}/json-forms/tasks/${id}`, {
      token: server.issueTokenFor(...ADA),
      method: 'GET',
    });
    assert.match(task.text, /18446744073709551615/);
    assert.match(task.text, /"size":"27 bytes"/);
  });

  it('is not sent for an approval with a text after its seal (bug: ignored after the third dot)', async () => {
    const proposal = await propose();
    await approve(proposal);
    const before = sentActions();
    for (const more of ['.', '.x', '.x.y'])
      assert.equal((await act(proposal.approval + more)).isError, true, more);
    assert.equal(sentActions(), before);
    assert.equal((await act(proposal.approval)).isError, false);
  });

  it('is not sent after a rejection, whose reason the agent reads', async () => {
    const before = sentActions();
    const proposal = await propose();
    await ask(proposal, ADA, { outcome: 'rejected', reason: 'not today' });
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

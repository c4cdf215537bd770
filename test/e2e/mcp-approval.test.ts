import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { connectEarlier, connectLater, type McpClient } from '../support/mcp-client.js';
import { temporaryFolder } from '../support/temporary-folder.js';
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
const OPERATIONS = 'operations: [orchestrator-manager.restQuery, orchestrator-manager.restAction]';

interface Answer {
  readonly status: string;
  readonly task: string;
  readonly approval: string;
  readonly reason?: string;
}

describe('a tool call that a person approves', function () {
  this.timeout(60_000);
  let server: TestServer;
  let agent: McpClient;
  before(async () => {
    server = await startTestServer({
      folder: temporaryFolder().path,
      arrange(folder) {
        const file = join(folder, 'gatehouse.yaml');
        const mcp = `mcp: { enabled: true, ${OPERATIONS}, actions: task }\n`;
        writeFileSync(file, readFileSync(file, 'utf8') + mcp);
      },
    });
    agent = await connectLater(server.url, server.issueTokenFor('agent', 'admin'));
  });
  after(async () => {
    await agent.close();
    await server.close();
  });

  const sentActions = (): number =>
    server.orchestrator.requests.filter(({ method }) => method === 'PATCH').length;
  const act = async (approval?: string, client = agent) => {
    const sent = approval === undefined ? ACTION : { ...ACTION, approval };
    return client.call('restAction', sent);
  };
  const propose = async (): Promise<Answer> => {
    const { isError, texts } = await act();
    assert.equal(isError, false, texts.join());
    return JSON.parse(texts[0] ?? '') as Answer;
  };
  const idOf = ({ task }: Answer): string => new URL(task).searchParams.get('task') ?? '';
  const read = async (proposal: Answer, subject = 'ada', role = 'admin') => {
    const token = server.issueTokenFor(subject, role);
    return callUrl(`${server.url}/json-forms/tasks/${idOf(proposal)}`, { method: 'GET', token });
  };
  const decide = async (proposal: Answer, outcome: 'approved' | 'rejected', subject = 'ada') => {
    const { json } = await read(proposal);
    const { formData } = json as { readonly formData: unknown };
    const body = outcome === 'approved' ? { outcome, formData } : { outcome, reason: 'not today' };
    const token = server.issueTokenFor(subject, 'admin');
    return callUrl(`${server.url}/json-forms/tasks/${idOf(proposal)}/outcome`, { token, body });
  };

  it('is sent once, after another person has approved it', async () => {
    const before = sentActions();
    const proposal = await propose();
    assert.equal(proposal.status, 'input_required');
    assert.ok(proposal.task.startsWith(`${server.url}/json-forms/task/`), proposal.task);
    const waiting = await act(proposal.approval);
    assert.match(waiting.texts[0] ?? '', /"status":"input_required"/);
    assert.equal(sentActions(), before);

    assert.equal((await decide(proposal, 'approved')).status, 200);
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
    await decide(proposal, 'approved');
    const before = sentActions();
    const second = await connectEarlier(server.url, server.issueTokenFor('agent', 'admin'));
    const results = await Promise.all([act(proposal.approval), act(proposal.approval, second)]);
    await second.close();
    assert.deepEqual(results.map(({ isError }) => isError).sort(), [false, true]);
    assert.equal(sentActions(), before + 1);
  });

  it('cannot be approved by its proposer, or seen by those without the role', async () => {
    const proposal = await propose();
    const { status, text } = await decide(proposal, 'approved', 'agent');
    assert.equal(status, 403, text);
    assert.match(text, /requester_excluded/);
    assert.equal((await read(proposal, 'eve', 'engineering')).status, 404);
  });

  it('shows the arguments, and not the key of the seal', async () => {
    const { text } = await read(await propose());
    assert.match(text, /ietf-interfaces:interfaces/);
    assert.doesNotMatch(text, /"proposal"|"key"/);
  });

  it('is not sent after a rejection, whose reason the agent reads', async () => {
    const before = sentActions();
    const proposal = await propose();
    await decide(proposal, 'rejected');
    const { texts } = await act(proposal.approval);
    assert.match(texts[0] ?? '', /"status":"rejected","reason":"not today"/);
    assert.equal(sentActions(), before);
  });

  it('is not sent for another caller, or with other arguments', async () => {
    const proposal = await propose();
    await decide(proposal, 'approved');
    const before = sentActions();
    const other = await connectLater(server.url, server.issueTokenFor('other', 'admin'));
    const stolen = await act(proposal.approval, other);
    await other.close();
    const changed = await agent.call('restAction', {
      ...ACTION,
      params: { ...ACTION.params, method: 'delete' },
      approval: proposal.approval,
    });
    for (const { isError, texts } of [stolen, changed]) {
      assert.equal(isError, true);
      assert.match(texts[0] ?? '', /\/approval is not an approval of this call/);
    }
    assert.equal(sentActions(), before);
  });

  it('has no argument by which a model could consent', async () => {
    const { isError, texts } = await agent.call('restAction', { ...ACTION, confirm: true });
    assert.equal(isError, true);
    assert.match(texts[0] ?? '', /\/confirm is not known here/);
  });

  it('is recorded with its task', async () => {
    const token = server.issueToken('admin');
    const { json } = await callUrl(
      `${server.url}/audit?subject=agent&operation=orchestrator-manager.restAction`,
      {
        method: 'GET',
        token,
      },
    );
    const { results } = json as { readonly results: readonly { readonly outcome: string }[] };
    const outcomes = results.map(({ outcome }) => outcome);
    assert.ok(outcomes.some((outcome) => /^proposed in task [0-9a-f]{24}$/.test(outcome)));
    assert.ok(outcomes.some((outcome) => /^\d+ approved in task [0-9a-f]{24}$/.test(outcome)));
    assert.ok(outcomes.some((outcome) => /^rejected in task [0-9a-f]{24}$/.test(outcome)));
  });
});

describe('the approval of a tool call by roles of the configuration', function () {
  this.timeout(60_000);
  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      folder: temporaryFolder().path,
      arrange(folder) {
        const file = join(folder, 'gatehouse.yaml');
        const roles = 'roles: { orchestrator-manager.restAction: [engineering] }\n';
        const mcp = `mcp: { enabled: true, ${OPERATIONS}, actions: task }\n`;
        writeFileSync(file, readFileSync(file, 'utf8') + mcp + roles);
      },
    });
  });
  after(() => server.close());

  it('needs a role of the operation, also from an admin', async () => {
    const agent = await connectLater(server.url, server.issueTokenFor('agent', 'engineering'));
    const { texts } = await agent.call('restAction', ACTION);
    await agent.close();
    const id = new URL((JSON.parse(texts[0] ?? '') as Answer).task).searchParams.get('task') ?? '';
    const url = `${server.url}/json-forms/tasks/${id}`;
    const approve = async (subject: string, ...roles: readonly string[]) => {
      const token = server.issueTokenFor(subject, ...roles);
      const { json } = await callUrl(url, { method: 'GET', token });
      const { formData } = json as { readonly formData: unknown };
      return callUrl(`${url}/outcome`, { token, body: { outcome: 'approved', formData } });
    };
    const refused = await approve('ada', 'admin');
    assert.equal(refused.status, 403);
    assert.match(refused.text, /needs one of these roles: engineering/);
    assert.equal((await approve('eve', 'engineering')).status, 200);
  });
});

import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { openEventStream } from '../support/event-stream.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { POSTGRES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { startStreamOrchestrator } from '../support/stream-orchestrator.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually, until } from '../support/until.js';

/** Members of the reply of `GET /console/requests/:id`. */
interface Trail {
  readonly request: { readonly node: string; readonly caller: string } | null;
  readonly silentNodes: number;
  readonly attempts: readonly { readonly secrets: unknown }[];
  readonly lines: readonly unknown[];
}

describeWith(POSTGRES, 'two instances on one database', () => {
  let server: PostgresServer;
  let url: string;
  const instances: TestServer[] = [];
  /** Clock of the other instance; it is stopped, so that all updates come from notifications. */
  const stoppedClock = createFakeScheduler();

  const opened = openedBySuite();
  before(async () => {
    // Its tests count or end the listeners of the whole server.
    server = await opened(startPostgres({ own: true }));
    url = await server.newUrl();
    const orchestrator = await opened(
      startStreamOrchestrator({
        events: (_req, res) => {
          res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        },
      }),
    );
    const streaming = `plugin: http-rest\nbaseUrl: ${orchestrator.url}\nhealth: { type: none }\n`;
    for (let node = 0; node < 2; node += 1)
      instances.push(
        await opened(
          startTestServer({
            storageUrl: url,
            adapters: { events1: streaming },
            nodeOf: instances[0],
            ...(node === 1 && { clock: { ...stoppedClock, now: Date.now } }),
          }),
        ),
      );
  });

  const appliedChanges = (): number =>
    instances[1]?.logLines.filter((line) => line.includes('changes of the API are live')).length ?? 0;

  async function ask(what: 'stop' | 'start'): Promise<void> {
    const [one] = instances as [TestServer];
    const reply = await one.call(`PUT /adapters/core1/${what}`);
    assert.equal(reply.status, 200, reply.text);
  }

  const trailAt = (node: TestServer) => node.call('GET /console/requests/at-one-node');

  it('find a call of the other instance by its request id, with the version of its secret', async () => {
    const [one, other] = instances as [TestServer, TestServer];
    const called = await one.query('core1', { headers: { 'x-request-id': 'at-one-node' } });
    assert.equal(called.status, 200, called.text);
    await eventually(async () => {
      assert.ok(((await trailAt(one)).json as Trail).lines.length > 0);
    });
    for (const node of [other, one]) {
      const reply = await trailAt(node);
      assert.equal(reply.status, 200, reply.text);
      const { request, attempts, lines, silentNodes } = reply.json as Trail;
      assert.deepEqual([request?.caller, silentNodes], ['ada', 0]);
      assert.match(request?.node ?? '', /^.+:0$/);
      assert.deepEqual(attempts[0]?.secrets, [{ path: 'adapters/core1', version: 1 }]);
      assert.ok(lines.length > 0);
      assert.ok(!reply.text.includes(node.password));
    }
  });

  it('apply a change of the other instance at once', async () => {
    const [, other] = instances as [TestServer, TestServer];
    await ask('stop');
    await until(() => appliedChanges() === 1);
    const health = await other.call('GET /health/adapters/core1');
    assert.equal(health.status, 200, health.text);
    assert.equal((health.json as { state: string }).state, 'STOPPED');
  });

  it('apply a change within a second while the notification connection is lost', async () => {
    const [, other] = instances as [TestServer, TestServer];
    const logged = (text: string): boolean => other.logLines.some((line) => line.includes(text));
    await server.run(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse-listener'",
    );
    await until(() => logged('notification connection lost'));
    await ask('start');
    assert.equal(appliedChanges(), 1);
    await stoppedClock.pass(1_000);
    await until(() => appliedChanges() === 2);
  });

  /** Waits until both instances answer a query of a role with a status. The other one asks for changes every second. */
  async function bothAnswer(status: number, roles: readonly string[] = ['admin']): Promise<void> {
    const body = {
      params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/json' },
    };
    for (const node of instances)
      await eventually(async () => {
        await stoppedClock.pass(1_000);
        const reply = await node.call('POST /orchestrator_manager/restQuery/core1', { roles, body });
        assert.equal(reply.status, status, reply.text);
      });
  }

  it('end the streams of a token that the other instance signs out', async () => {
    const [one, two] = instances as [TestServer, TestServer];
    const token = one.issueTokenFor('ada-of-streams', 'admin');
    const streams = await Promise.all(
      [one, two].map(({ url }) => openEventStream(`${url}/proxy/events1/events`, token)),
    );
    const headers = { 'x-gatehouse-csrf': '1' };
    const { status } = await callUrl(`${one.url}/console/session`, { method: 'DELETE', token, headers });
    assert.equal(status, 200);
    for (const stream of streams) await assert.rejects(stream.ended());
  });

  it('hold a stored access rule and a stored limit of the other instance', async () => {
    const [one] = instances as [TestServer];
    const put = async (path: string, properties: object) => {
      const reply = await one.call(`PUT /${path}`, { body: { properties } });
      assert.equal(reply.status, 200, reply.text);
    };
    await bothAnswer(403, ['noc']);
    await put('access/rules/noc-core1', { roles: ['noc'], adapters: ['core1'] });
    await bothAnswer(200, ['noc']);
    await put('limits/noc', { roles: ['noc'], requests: 1, periodSeconds: 86_400 });
    await bothAnswer(429, ['noc']);
    await bothAnswer(200);
  });
});

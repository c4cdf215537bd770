import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallResult } from '../support/call.js';
import { makeCertificate } from '../support/certificates.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import type { OrchestratorDefinition } from '../support/orchestrators/definition.js';
import { exampleNames, ORCHESTRATORS, pointedAt, readExample, secretOf } from '../support/orchestrators/examples.js'; // prettier-ignore
import { type Simulator, startSimulator } from '../support/orchestrators/simulator.js';
import { callsTo, refusalOf } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';
import type { VaultDouble } from '../support/vault-double.js';

/**
 * Exceeds the age at which a refusal other than 401 renews a session, and two intervals of the probe: the first probe after
 * a call is left out.
 */
const RENEWABLE_MS = 70_000;

/**
 * The first, second and third reply with which an orchestrator ends a session; each lists the orchestrators
 * that have this reply.
 */
const SESSION_ENDINGS = ['first', 'second', 'third'].map((name, at) => ({
  name,
  orchestrators: ORCHESTRATORS.flatMap(({ example, path, login, health, endings }) => {
    const ending = login.length > 0 ? endings[at] : undefined;
    return ending ? [{ example, path, health, ending }] : [];
  }),
}));

describe('the examples for real orchestrators', () => {
  let clock: FakeScheduler;
  const simulators = new Map<string, Simulator>();
  let testServer: TestServer;

  before(async () => {
    // Starts ahead of the machine's clock, which issues the tokens of the test.
    clock = createFakeScheduler(Date.now() + 60_000);
    const certificate = await makeCertificate({ ip: '127.0.0.1' });
    for (const one of ORCHESTRATORS) simulators.set(one.example, await startSimulator(one, certificate));
    const arrange = (folder: string, vault: VaultDouble): void => {
      writeFileSync(join(folder, 'simulators-ca.pem'), certificate.cert);
      for (const one of ORCHESTRATORS) arrangeExample(one, { folder, vault });
    };
    testServer = await startTestServer({ clock, arrange });
  });
  after(async () => {
    await testServer.close();
    await Promise.all([...simulators.values()].map((one) => one.close()));
  });

  /** Prepares the example as committed, and again with a wrong secret. */
  function arrangeExample(
    { example, secret }: OrchestratorDefinition,
    { folder, vault }: { readonly folder: string; readonly vault: VaultDouble },
  ): void {
    const { url } = simulators.get(example)!;
    const text = pointedAt(readExample(example), { url, caFile: '../simulators-ca.pem' });
    const { path, field } = secretOf(text);
    vault.putSecret({ path }, { [field]: secret });
    vault.putSecret({ path: `${path}-wrong` }, { [field]: 'wr0ng' });
    writeFileSync(join(folder, 'adapters', `${example}.yaml`), text);
    writeFileSync(join(folder, 'adapters', `${example}-wrong.yaml`), text.replace(path, `${path}-wrong`));
  }

  const { call: send } = callsTo(() => testServer);
  const call = (operation: string, adapter: string, path: string): Promise<CallResult> =>
    send(`POST /orchestrator_manager/${operation}/${adapter}`, {
      body: {
        params: { path, accept: 'application/json' },
        ...(operation === 'restAction' && { body: { a: 1 } }),
      },
    });

  it('are all tested', () => {
    assert.deepEqual(ORCHESTRATORS.map(({ example }) => example).sort(), [...exampleNames()].sort());
  });

  for (const definition of ORCHESTRATORS) {
    const { example, path, target = path, login, health } = definition;
    const simulator = (): Simulator => simulators.get(example)!;

    describe(example, () => {
      it('answers a query and an action after one login', async () => {
        const query = await call('restQuery', example, path);
        assert.deepEqual([query.status, query.json], [200, { request: `GET ${target}` }], query.text);
        const action = await call('restAction', example, path);
        assert.deepEqual(action.json, [{ result: '200' }], action.text);
        assert.ok(simulator().done.includes(`POST ${target}`));
        assert.equal(simulator().logins(), Math.min(1, login.length));
      });

      if (health !== undefined)
        it('probes its health path with the login', () =>
          until(() => simulator().done.includes(`GET ${health}`)));

      it('reports wrong credentials, and does not retry them at each call', async () => {
        const before = simulator().refusedLogins();
        for (let time = 0; time < 3; time += 1)
          assert.deepEqual(refusalOf(await call('restQuery', `${example}-wrong`, path)), [
            502,
            'upstream_auth',
          ]);
        assert.ok(simulator().refusedLogins() <= before + 1);
      });

      it('logs no secret and no token', () => {
        const lines = testServer.logLines.join('\n');
        for (const secret of [definition.secret, 'wr0ng', ...simulator().issued])
          assert.ok(!lines.includes(secret), secret);
      });
    });
  }

  for (const { name, orchestrators } of SESSION_ENDINGS) {
    /** Ends all sessions while no request is pending: a probe would renew a session before the test does. */
    const endSessions = async (): Promise<void> => {
      const probes = orchestrators.map(({ example, health }) => {
        const { done } = simulators.get(example)!;
        const count = () => done.filter((one) => one === `GET ${health ?? ''}`).length;
        return { count, before: count(), isAwaited: health !== undefined };
      });
      await clock.pass(RENEWABLE_MS);
      await until(() => probes.every(({ count, before, isAwaited }) => !isAwaited || count() > before));
      // The replies of these queries arrive after the replies of the probes.
      await Promise.all(orchestrators.map(({ example, path }) => call('restQuery', example, path)));
      for (const { example, ending } of orchestrators) simulators.get(example)!.endSessions(ending);
    };

    describe(`with a session that ended in the ${name} form`, () => {
      before(endSessions);
      for (const { example, path, ending } of orchestrators)
        it(`retries a query: ${example}, status ${ending.status}`, async () => {
          const before = simulators.get(example)!.logins();
          const { status, text } = await call('restQuery', example, path);
          assert.equal(status, 200, text);
          assert.equal(simulators.get(example)!.logins(), before + 1);
        });
    });

    describe(`with a session that ended again in the ${name} form`, () => {
      before(endSessions);
      for (const { example, path, ending } of orchestrators)
        it(`reports the real outcome of an action: ${example}, status ${ending.status}`, async () => {
          const { status, json } = await call('restAction', example, path);
          if (ending.status < 400) assert.equal(status, 502);
          else assert.deepEqual(json, [{ result: ending.status === 401 ? '200' : String(ending.status) }]);
          assert.deepEqual((await call('restAction', example, path)).json, [{ result: '200' }]);
        });
    });
  }
});

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CallResult, callUrl } from '../support/call.js';
import { openEventStream } from '../support/event-stream.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { IS_LEAK_SCAN } from '../support/leak-scan.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually, until } from '../support/until.js';
import { startTestServer, SECRET, type TestServer } from '../support/test-server.js';

const PASSWORD = 'pw-77aa01-of-the-console-test';
const PATH = '/restconf/data/ietf-interfaces:interfaces';

/** Members of the replies that the tests use. */
interface Overview {
  readonly server: { activeProfile: string | null; ready: boolean; traffic: { perMinute: number } };
  readonly adapters: readonly {
    name: string;
    state: string;
    connection: string;
    cause: string | null;
    baseUrls: readonly { origin: string; breaker: string | null }[];
    origin: { kind: string };
    traffic: { calls: number; errors: number; perMinute: number; p50Ms: number | null };
  }[];
  readonly callers: readonly { name: string; perMinute: number }[];
  readonly problems: readonly {
    severity: string;
    title: string;
    cause: string;
    about: { kind: string; name: string };
  }[];
}

interface Traffic {
  readonly cellSeconds: number;
  readonly isComplete: boolean;
  readonly cells: readonly { readonly calls: number; readonly clientErrors: number }[];
  readonly latencies: readonly unknown[];
  readonly columnSeconds: number;
  readonly adapters: readonly { readonly name: string; readonly calls: number }[];
  readonly adaptersLeft: number;
  readonly flows: readonly unknown[];
  readonly marks: readonly { readonly adapter: string | null; readonly kind: string }[];
}

describe('the console API', () => {
  let testServer: TestServer;
  let clock: FakeScheduler;

  const open = async (folder = temporaryFolder().path, now = Date.now()): Promise<void> => {
    clock = createFakeScheduler(now);
    testServer = await startTestServer({
      folder,
      clock,
      password: PASSWORD,
      vaultLines: '  request: { attempts: 1 }\n',
    });
  };

  const ask = (method: string, path: string, body?: unknown): Promise<CallResult> =>
    callUrl(testServer.url + path, {
      method,
      token: testServer.issueToken('admin'),
      ...(body !== undefined && { body }),
    });
  const look = async <T>(path: string): Promise<T> => {
    const reply = await ask('GET', `/console${path}`);
    assert.equal(reply.status, 200, reply.text);
    assert.ok(!reply.text.includes(PASSWORD));
    return reply.json as T;
  };
  const query = async (path = PATH): Promise<number> => {
    const body = { params: { path, accept: 'application/yang-data+json' } };
    return (await ask('POST', '/orchestrator_manager/restQuery/core1', body)).status;
  };

  /** Sends a call that fails, and advances the clock until its retries are over. */
  const failingQuery = async (): Promise<number> => {
    const statuses: number[] = [];
    const asking = query().then((status) => statuses.push(status));
    while (statuses.length === 0) await clock.pass(100);
    await asking;
    return statuses[0] ?? 0;
  };

  // These tests count all calls since the start, or change the server permanently.
  describe('of a new server', () => {
    beforeEach(() => open());
    afterEach(() => testServer.close());

    it('returns callers, adapters and latencies', async () => {
      assert.equal(await query(), 200);
      assert.equal(await query(), 200);
      const { server, adapters, callers, problems } = await look<Overview>('/overview');
      assert.deepEqual([server.ready, server.activeProfile, server.traffic.perMinute], [true, null, 2]);
      const [core1] = adapters;
      assert.deepEqual(
        [core1?.name, core1?.state, core1?.connection, core1?.cause, core1?.origin.kind],
        ['core1', 'RUNNING', 'ONLINE', null, 'file'],
      );
      assert.deepEqual(core1?.baseUrls, [{ origin: testServer.orchestrator.url, breaker: 'closed' }]);
      assert.deepEqual(core1.traffic, {
        calls: 2,
        errors: 0,
        clientErrors: 0,
        perMinute: 2,
        errorsPerMinute: 0,
        p50Ms: 0,
        p95Ms: 0,
      });
      assert.deepEqual(callers, [
        { name: 'ada', calls: 2, errors: 0, clientErrors: 0, perMinute: 2, errorsPerMinute: 0 },
      ]);
      assert.deepEqual(problems, []);
    });

    it('reports problems, and forgets calls after five minutes', async () => {
      await testServer.orchestrator.close();
      assert.equal(await failingQuery(), 502);
      const broken = await look<Overview>('/overview');
      assert.equal(broken.adapters[0]?.connection, 'OFFLINE');
      assert.deepEqual(
        broken.problems.map(({ severity, title, about }) => [severity, title, about.name]),
        [['danger', 'core1 is unreachable', 'core1']],
      );
      const one = await look<Overview>('/overview?adapter=core1');
      assert.deepEqual([one.adapters.map(({ name }) => name), one.problems], [['core1'], broken.problems]);
      const none = await look<Overview>('/overview?adapter=unknown');
      assert.deepEqual([none.adapters, none.problems], [[], []]);
      const { calls, errors } = broken.adapters[0].traffic;
      assert.ok(errors > 0 && errors === calls);
      await clock.pass(301_000);
      const later = await look<Overview>('/overview');
      assert.equal(later.adapters[0]?.traffic.perMinute, 0);
    });

    it('returns the traffic of the hour in intervals of a minute, with adapter events', async () => {
      assert.equal(await query(), 200);
      await clock.pass(301_000);
      assert.equal(await query('/restconf/data/nothing-here:at-all'), 404);
      assert.equal((await ask('PUT', '/adapters/core1/restart')).status, 200);
      const traffic = await look<Traffic>('/traffic?adapter=core1');
      assert.deepEqual(
        [
          traffic.cellSeconds,
          traffic.isComplete,
          traffic.cells.map((cell) => [cell.calls, cell.clientErrors]),
        ],
        [
          60,
          true,
          [
            [1, 0],
            [1, 1],
          ],
        ],
      );
      assert.deepEqual(traffic.latencies, [{ toMs: 1, calls: 2 }]);
      assert.deepEqual(traffic.flows, [
        { caller: 'ada', adapter: 'core1', calls: 2, errors: 0, clientErrors: 1 },
      ]);
      assert.deepEqual(
        traffic.marks.map(({ adapter, kind }) => [adapter, kind]),
        [
          [null, 'started'],
          ['core1', 'restarted'],
        ],
      );
      const all = await look<Traffic>('/traffic?span=24h');
      assert.deepEqual(
        [all.cellSeconds, all.columnSeconds, all.adapters.map(({ name, calls }) => [name, calls])],
        [300, 3_600, [['core1', 2]]],
      );
      assert.deepEqual((await look<Traffic>('/traffic?limit=0')).adapters, []);
      assert.equal((await look<Traffic>('/traffic?limit=0')).adaptersLeft, 1);
      assert.equal((await look<Traffic>('/traffic?limit=0&adapters=core1,core2')).adapters.length, 1);
    });

    it('keeps the numbers of calls over a restart', async () => {
      assert.equal(await query(), 200);
      await clock.pass(120_000);
      assert.equal(await query(), 200);
      await testServer.close();
      await open(dirname(testServer.configPath), clock.now());
      const traffic = await look<Traffic>('/traffic?span=7d');
      assert.deepEqual(
        [traffic.cellSeconds, traffic.cells.reduce((sum, { calls }) => sum + calls, 0)],
        [3_600, 2],
      );
      assert.equal(await query(), 200);
      const { cells } = await look<Traffic>('/traffic');
      assert.equal(
        cells.reduce((sum, { calls }) => sum + calls, 0),
        3,
      );
    });

    it('keeps the callers of deprecated operations over a restart', async () => {
      const callers = async (): Promise<readonly (readonly [caller: string, calls: number])[]> => {
        const { results } = (await ask('GET', '/deprecations')).json as {
          results: readonly { callers: readonly { caller: string; calls: number }[] }[];
        };
        return results.flatMap((row) => row.callers.map(({ caller, calls }) => [caller, calls] as const));
      };
      await ask('GET', '/config/services');
      await testServer.close();
      await open(dirname(testServer.configPath), clock.now());
      assert.deepEqual(await callers(), [['ada', 1]]);
      await ask('GET', '/config/services');
      assert.deepEqual(await callers(), [['ada', 2]]);
    });

    it('lists the latest calls without their queries', async () => {
      assert.equal(await query(`${PATH}?depth=1`), 200);
      await callUrl(`${testServer.url}/proxy/core1/restconf/data?depth=1`, {
        method: 'GET',
        token: testServer.issueToken('admin'),
      });
      await until(() => testServer.logLines.join('').includes('"operation":"proxy.passThrough"'));
      const { calls } = await look<{ calls: readonly Readonly<Record<string, unknown>>[] }>(
        '/calls?adapter=core1',
      );
      assert.deepEqual(
        calls
          .map(({ operation, method, path, about, status, caller, outcome }) =>
            [operation, method, path, about, status, caller, outcome].join(' '),
          )
          .sort(),
        [
          `orchestrator-manager.restQuery POST /orchestrator_manager/restQuery/core1 GET ${PATH} 200 ada ok`,
          'proxy.passThrough GET /proxy/core1/restconf/data GET 200 ada ok',
        ],
      );
      assert.deepEqual((await look<{ calls: readonly unknown[] }>('/calls?adapter=another')).calls, []);
    });

    it('returns the log, also of one adapter, and reports levels that are not written', async () => {
      await testServer.orchestrator.close();
      assert.equal(await failingQuery(), 502);
      interface Lines {
        lines: readonly { message: string; level: string; fields: { adapter?: string } }[];
        next: number;
        hint: string | null;
        writtenLevel: string;
      }
      const own = await look<Lines>('/log?adapter=core1&level=debug');
      assert.ok(own.lines.some(({ message }) => message === 'orchestrator cannot be used'));
      assert.ok(own.lines.every(({ fields }) => fields.adapter === 'core1'));
      if (own.writtenLevel === 'info') assert.match(own.hint ?? '', /the level in use is info/);
      const all = await look<Lines>('/log?limit=2000');
      assert.ok(all.lines.some(({ message }) => message === 'request'));
      const news = await look<Lines>(`/log?after=${all.next}`);
      assert.ok(news.lines.length < all.lines.length);
      assert.equal((await ask('GET', '/console/log?level=loud')).status, 400);
    });

    it('returns the state of the secrets, and tests a reference', async () => {
      const reference = `$VAULT_${SECRET.path}#${SECRET.field}`;
      interface Secrets {
        vault: { state: string; authMethod: string; addresses: readonly string[] };
        references: readonly { resolves: boolean; rotation: string; cause: string | null }[];
        encLeft: number;
      }
      const before = await look<Secrets>('/secrets');
      assert.deepEqual([before.vault.state, before.vault.authMethod, before.encLeft], ['ok', 'approle', 0]);
      assert.deepEqual(before.references, [
        {
          reference,
          usedBy: [{ kind: 'adapter', name: 'core1', pointer: '/auth/password' }],
          resolves: true,
          cause: null,
          fix: null,
          fetchedAt: clock.now(),
          version: 1,
          leaseSeconds: null,
          renewable: null,
          rotation: 'current',
          isTooOld: false,
          rotated: null,
        },
      ]);
      const test = (text: string) => ask('POST', '/console/secrets/test', { reference: text });
      assert.deepEqual((await test(reference)).json, { ok: true, cause: null, fix: null });
      assert.equal((await test(reference)).status, 429);
      assert.equal((await test('$VAULT_adapters/another#password')).status, 400);
      testServer.vault.seal();
      await clock.pass(1_000);
      const failed = (await test(reference)).json as { ok: boolean; cause: string };
      assert.equal(failed.ok, false);
      assert.match(failed.cause, /\w/);
      const after = await look<Secrets>('/secrets');
      assert.deepEqual(
        [after.vault.state, after.references[0]?.resolves, after.references[0]?.rotation],
        ['degraded', true, 'stale'],
      );
      const { problems } = await look<Overview>('/overview');
      const sentence = /^Vault is sealed\. 1 secret runs on a cached value until \d\d:\d\d UTC\.$/;
      assert.equal(problems.length, 1);
      assert.match(problems[0]?.title ?? '', sentence);
      const { vault } = await look<{ vault: { condition: string; cachedUntil: number } }>('/secrets');
      assert.equal(vault.condition, 'sealed');
      assert.ok(vault.cachedUntil > clock.now());
      const health = (await ask('GET', '/health/status')).json as {
        services: readonly { service: string; status: string; reason?: string }[];
      };
      const service = health.services.find((one) => one.service === 'vault');
      assert.equal(service?.status, 'failed');
      assert.match(service.reason ?? '', sentence);
    });

    it('predicts the effects of a profile, and changes nothing', async () => {
      const profile = {
        id: 'quiet',
        services: ['JsonForms'],
        egress: { allow: ['192.0.2.1:443'] },
        log: { level: 'warn' },
      };
      assert.equal((await ask('POST', '/profiles', { properties: profile })).status, 200);
      const impact = await look<object>('/profiles/quiet/impact');
      assert.deepEqual(impact, {
        profile: 'quiet',
        starts: [],
        stops: ['core1'],
        restarts: [],
        unchanged: 0,
        faults: [],
        settings: ['egress', 'log'],
        level: { from: IS_LEAK_SCAN ? 'spam' : 'info', to: 'warn' },
      });
      assert.equal(await query(), 200);
      assert.equal((await ask('PUT', '/profiles/quiet/active')).status, 200);
      const again = await look<{ stops: readonly string[]; unchanged: number }>('/profiles/quiet/impact');
      assert.deepEqual([again.stops, again.unchanged], [[], 1]);
      assert.equal((await ask('GET', '/console/profiles/nobody/impact')).status, 404);
    });

    it('streams changes and traffic as events', async () => {
      const events = await openEventStream(
        `${testServer.url}/console/events`,
        testServer.issueToken('admin'),
      );
      assert.deepEqual([events.status, events.contentType], [200, 'text/event-stream']);
      assert.equal((await ask('POST', '/profiles', { properties: { id: 'another' } })).status, 200);
      await clock.pass(500);
      assert.deepEqual(await events.next('change'), { topics: ['profiles'] });
      assert.equal(await query(), 200);
      await clock.pass(2_000);
      const traffic = (await events.next('traffic')) as { perMinute: number; adapters: object };
      assert.deepEqual([traffic.perMinute, Object.keys(traffic.adapters)], [1, ['core1']]);
      const ended = events.ended();
      await testServer.running.close();
      assert.match(await ended, /^retry: 3000\n\n/);
    });

    it('excludes calls of unauthorized callers, which could displace all others', async () => {
      assert.equal(await query(), 200);
      const strangers = Array.from({ length: 110 }, () =>
        callUrl(`${testServer.url}/orchestrator_manager/restQuery/core1`, { method: 'POST', body: {} }),
      );
      for (const { status } of await Promise.all(strangers)) assert.equal(status, 401);
      const { status } = await callUrl(`${testServer.url}/proxy/core1/restconf/data`, { method: 'GET' });
      assert.equal(status, 401);
      const { calls } = await look<{ calls: readonly { caller: string }[] }>('/calls');
      assert.deepEqual(
        calls.map(({ caller }) => caller),
        ['ada'],
      );
      const { server, callers } = await look<Overview>('/overview');
      assert.equal(server.traffic.perMinute, 1);
      assert.deepEqual(
        callers.map(({ name }) => name),
        ['ada'],
      );
    });
  });

  describe('of a shared server', () => {
    before(() => open());
    afterEach(async () => {
      rmSync(join(dirname(testServer.configPath), 'adapters', 'core2.yaml'), { force: true });
      assert.deepEqual(await testServer.running.reload(), []);
    });
    after(() => testServer.close());

    it('reports a refused configuration, and counts the remaining encrypted values', async () => {
      const encrypted = '$ENC0123456789abcdef';
      const file = join(dirname(testServer.configPath), 'adapters', 'core2.yaml');
      writeFileSync(
        file,
        `plugin: restconf\nbaseUrl: ${testServer.orchestrator.url}\nauth: { type: bearer, token: ${encrypted} }\n`,
      );
      assert.equal((await testServer.running.reload()).length, 1);
      const { problems, server } = await look<Overview & { server: { configurationUpToDate: boolean } }>(
        '/overview',
      );
      assert.equal(server.configurationUpToDate, false);
      assert.deepEqual(
        problems.map(({ title, about }) => [title, about.kind]),
        [['The configuration on disk was refused', 'configuration']],
      );
      assert.ok(!JSON.stringify(problems).includes(encrypted.slice(4)));
      assert.equal((await look<{ encLeft: number }>('/secrets')).encLeft, 1);
      rmSync(file);
      assert.deepEqual(await testServer.running.reload(), []);
      assert.equal((await look<{ encLeft: number }>('/secrets')).encLeft, 0);
    });

    it('refuses a time that makes no sense', async () => {
      const wrong = [
        ['span=25h', 'span'],
        ['from=2026-11-25T06:00:00Z', 'to'],
        ['from=yesterday&to=2026-11-25T06:00:00Z', 'from'],
        ['from=2026-11-25T07:00:00Z&to=2026-11-25T06:00:00Z', 'to'],
        ['limit=201', 'limit'],
      ] as const;
      for (const [parameters, name] of wrong) {
        const { status, json } = await ask('GET', `/console/traffic?${parameters}`);
        const { errors } = json as { errors: readonly { pointer: string }[] };
        assert.deepEqual([status, errors.map(({ pointer }) => pointer)], [400, [`/query/${name}`]]);
      }
    });

    it('ends an event stream when its token expires', async () => {
      const keyFile = join(dirname(testServer.configPath), 'data', 'local-issuer.pem');
      const issueToken = await openTokenSigner(keyFile, { clock, tokenTtlSeconds: 60 });
      const token = issueToken({ subject: 'ada', roles: ['admin'] });
      const events = await openEventStream(`${testServer.url}/console/events`, token);
      await clock.pass(61_000);
      assert.match(await events.ended(), /^retry: 3000\n\n/);
    });

    it('accepts 100 event streams, and another stream when one ends', async () => {
      const token = testServer.issueToken('admin');
      const listen = () => openEventStream(`${testServer.url}/console/events`, token);
      const all = await Promise.all(Array.from({ length: 100 }, listen));
      const refused = await ask('GET', '/console/events');
      assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '10']);
      all[0]?.leave();
      let next = await listen();
      await eventually(async () => {
        if (next.status === 503) next = await listen();
        assert.notEqual(next.status, 503);
      });
      assert.equal(next.status, 200);
      for (const one of [...all, next]) one.leave();
    });

    it('sends a problem to all event streams, even if another request has already detected it', async () => {
      const events = await openEventStream(
        `${testServer.url}/console/events`,
        testServer.issueToken('admin'),
      );
      writeFileSync(join(dirname(testServer.configPath), 'adapters', 'core2.yaml'), 'plugin: nobody\n');
      assert.notDeepEqual(await testServer.running.reload(), []);
      assert.equal((await look<Overview>('/overview')).problems.length, 1);
      await clock.pass(6_000);
      for (let time = 0; time < 3; time += 1) await events.next('traffic');
      events.leave();
      assert.match(await events.ended(), /event: change\ndata: {"topics":\["adapters"/);
    });
  });
});

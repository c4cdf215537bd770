import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callUrl } from '../support/call.js';
import { type EventStream, openEventStream } from '../support/event-stream.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { IS_LEAK_SCAN } from '../support/leak-scan.js';
import { assertMembers } from '../support/members.js';
import { callsTo } from '../support/server-calls.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, SECRET, type TestServer } from '../support/test-server.js';
import { openTokenSigner } from '../support/token-issuer.js';
import { until } from '../support/until.js';

interface Lines {
  lines: readonly { message: string; fields: { adapter?: string } }[];
  next: number;
  hint: string | null;
  writtenLevel: string;
}

const PASSWORD = 'pw-77aa01-of-the-console-test';
const PATH = '/restconf/data/ietf-interfaces:interfaces';

let testServer: TestServer;
let clock: FakeScheduler;

async function open(folder = temporaryFolder().path, now = Date.now()): Promise<void> {
  clock = createFakeScheduler(now);
  const vaultLines = '  request: { attempts: 1 }\n';
  testServer = await startTestServer({ folder, clock, password: PASSWORD, vaultLines });
}

async function restart(): Promise<void> {
  await testServer.close();
  await open(dirname(testServer.configPath), clock.now());
}

const { call, ask } = callsTo(() => testServer);
const look = async <T = unknown>(path: string): Promise<T> => {
  const reply = await call(`GET /console${path}`);
  assert.equal(reply.status, 200, reply.text);
  assert.ok(!reply.text.includes(PASSWORD));
  return reply.json as T;
};
const query = async (path = PATH): Promise<number> => {
  const body = { params: { path, accept: 'application/yang-data+json' } };
  return (await call('POST /orchestrator_manager/restQuery/core1', { body })).status;
};
const listen = (token = testServer.issueToken('admin')): Promise<EventStream> =>
  openEventStream(`${testServer.url}/console/events`, token);

// Each test counts on the calls of those before.
describe('the console API', () => {
  before(() => open());
  after(() => testServer.close());

  it('returns callers, adapters and latencies', async () => {
    assert.equal(await query(), 200);
    assert.equal(await query(), 200);
    const numbers = { calls: 2, errors: 0, clientErrors: 0, perMinute: 2, errorsPerMinute: 0 };
    assertMembers(await look('/overview'), {
      server: { ready: true, activeProfile: null, traffic: { perMinute: 2 } },
      adapters: [
        {
          name: 'core1',
          state: 'RUNNING',
          connection: 'ONLINE',
          cause: null,
          origin: { kind: 'file' },
          baseUrls: [{ origin: testServer.orchestrator.url, breaker: 'closed' }],
          traffic: { ...numbers, p50Ms: 0, p95Ms: 0 },
        },
      ],
      callers: [{ name: 'ada', ...numbers }],
      problems: [],
    });
  });

  it('lists the latest calls without their queries', async () => {
    assert.equal(await query(`${PATH}?depth=1`), 200);
    await call('GET /proxy/core1/restconf/data?depth=1');
    await until(() => testServer.logLines.join('').includes('"operation":"proxy.passThrough"'));
    const { calls } = await look<{ calls: readonly Readonly<Record<string, unknown>>[] }>(
      '/calls?adapter=core1',
    );
    const lines = calls.map(({ operation, method, path, about, status, caller, outcome }) =>
      [operation, method, path, about, status, caller, outcome].join(' '),
    );
    const line = `orchestrator-manager.restQuery POST /orchestrator_manager/restQuery/core1 GET ${PATH} 200 ada ok`;
    assert.deepEqual(lines.sort(), [
      ...[line, line, line],
      'proxy.passThrough GET /proxy/core1/restconf/data GET 200 ada ok',
    ]);
    assertMembers(await look('/calls?adapter=another'), { calls: [] });
  });

  it('excludes calls of unauthorized callers, which could displace all others', async () => {
    const url = `${testServer.url}/orchestrator_manager/restQuery/core1`;
    const strangers = Array.from({ length: 110 }, () => callUrl(url, { body: {} }));
    for (const { status } of await Promise.all(strangers)) assert.equal(status, 401);
    const { status } = await callUrl(`${testServer.url}/proxy/core1/restconf/data`, { method: 'GET' });
    assert.equal(status, 401);
    const { calls } = await look<{ calls: readonly object[] }>('/calls');
    assert.equal(calls.length, 4);
    assertMembers(await look('/overview'), {
      server: { traffic: { perMinute: 4 } },
      callers: [{ name: 'ada' }],
    });
  });

  it('returns the traffic of the hour in intervals of a minute, with adapter events', async () => {
    await clock.pass(301_000);
    assert.equal(await query('/restconf/data/nothing-here:at-all'), 404);
    await ask('PUT /adapters/core1/restart');
    assertMembers(await look('/traffic?adapter=core1'), {
      cellSeconds: 60,
      isComplete: true,
      cells: [
        { calls: 4, clientErrors: 0 },
        { calls: 1, clientErrors: 1 },
      ],
      latencies: [{ toMs: 1, calls: 5 }],
      flows: [{ caller: 'ada', adapter: 'core1', calls: 5, errors: 0, clientErrors: 1 }],
      marks: [
        { adapter: null, kind: 'started' },
        { adapter: 'core1', kind: 'restarted' },
      ],
    });
    const adapters = [{ name: 'core1', calls: 5 }];
    assertMembers(await look('/traffic?span=24h'), { cellSeconds: 300, columnSeconds: 3_600, adapters });
    assertMembers(await look('/traffic?limit=0'), { adapters: [], adaptersLeft: 1 });
    assertMembers(await look('/traffic?limit=0&adapters=core1,core2'), { adapters });
  });

  it('returns which calls of the last hour would have failed without adapters, and changes nothing', async () => {
    const impact = {
      ...{ isComplete: true, calls: 5, errors: 0, clientErrors: 1 },
      callers: [{ caller: 'ada', calls: 5, errors: 0, clientErrors: 1 }],
      others: { calls: 0, errors: 0, clientErrors: 0 },
    };
    assertMembers(await look('/adapters/impact?adapters=core1'), impact);
    assertMembers(await look('/adapters/impact?adapters=core1,core2'), impact);
    assertMembers(await look('/adapters/impact?adapters=core2'), { calls: 0, callers: [] });
    for (const names of ['', `?adapters=${Array.from({ length: 201 }, (_, at) => `a${at}`).join(',')}`])
      assert.equal((await call(`GET /console/adapters/impact${names}`)).status, 400);
    assert.equal(await query(), 200);
  });

  it('refuses a time that makes no sense', async () => {
    for (const [parameters, name] of [
      ['span=25h', 'span'],
      ['from=2026-11-25T06:00:00Z', 'to'],
      ['from=2026-11-25T07:00:00Z&to=2026-11-25T06:00:00Z', 'to'],
    ] as const) {
      const { json } = await call(`GET /console/traffic?${parameters}`);
      assertMembers(json, { status: 400, errors: [{ pointer: `/query/${name}` }] });
    }
  });

  it('predicts the effects of a profile, and changes nothing', async () => {
    const egress = { allow: ['192.0.2.1:443'] };
    const profile = { id: 'quiet', services: ['JsonForms'], egress, log: { level: 'warn' } };
    await ask('POST /profiles', { properties: profile });
    assertMembers(await look('/profiles/quiet/impact'), {
      stops: ['core1'],
      settings: ['egress', 'log'],
      level: { from: IS_LEAK_SCAN ? 'spam' : 'info', to: 'warn' },
    });
    assert.equal(await query(), 200);
    assert.equal((await call('GET /console/profiles/nobody/impact')).status, 404);
  });

  it('reports a refused configuration, and counts the remaining encrypted values', async () => {
    const encrypted = '$ENC0123456789abcdef';
    const file = join(dirname(testServer.configPath), 'adapters', 'core2.yaml');
    writeFileSync(file, `plugin: restconf\nbaseUrl: http://a\nauth: { type: bearer, token: ${encrypted} }\n`);
    assert.equal((await testServer.running.reload()).length, 1);
    const overview = await look('/overview');
    assertMembers(overview, {
      server: { configurationUpToDate: false },
      problems: [{ title: 'The configuration on disk was refused', about: { kind: 'configuration' } }],
    });
    assert.ok(!JSON.stringify(overview).includes(encrypted.slice(4)));
    assertMembers(await look('/secrets'), { encLeft: 1 });
    rmSync(file);
    assert.deepEqual(await testServer.running.reload(), []);
    assertMembers(await look('/secrets'), { encLeft: 0 });
  });

  it('ends an event stream when its token expires', async () => {
    const keyFile = join(dirname(testServer.configPath), 'data', 'local-issuer.pem');
    const issueToken = await openTokenSigner(keyFile, { clock, tokenTtlSeconds: 60 });
    const events = await listen(issueToken({ subject: 'ada', roles: ['admin'] }));
    await clock.pass(61_000);
    assert.match(await events.ended(), /^retry: 3000\n\n/);
  });

  it('streams problems and traffic as events until the server stops, also a problem that another request has detected', async () => {
    const events = await listen();
    const file = join(dirname(testServer.configPath), 'adapters', 'core2.yaml');
    writeFileSync(file, 'plugin: nobody\n');
    assert.notDeepEqual(await testServer.running.reload(), []);
    assertMembers(await look('/overview'), { problems: [{}] });
    await clock.pass(6_000);
    await events.nextData(/"topics":\["adapters"/);
    rmSync(file);
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal(await query(), 200);
    await clock.pass(2_000);
    const traffic = (await events.next('traffic')) as { adapters: object };
    assert.deepEqual(Object.keys(traffic.adapters), ['core1']);
    const ended = events.ended();
    await testServer.running.close();
    assert.match(await ended, /^retry: 3000\n\n/);
  });
});

describe('the console API of a new server', () => {
  beforeEach(() => open());
  afterEach(() => testServer.close());

  it('reports an orchestrator that is away, with its log lines, and forgets calls after five minutes', async () => {
    await testServer.orchestrator.close();
    const statuses: number[] = [];
    const asking = query().then((status) => statuses.push(status));
    // The retries of the call end.
    while (statuses.length === 0) await clock.pass(100);
    await asking;
    assert.deepEqual(statuses, [502]);
    const problems = [{ severity: 'danger', title: 'core1 is unreachable', about: { name: 'core1' } }];
    for (const filter of ['', '?adapter=core1'])
      assertMembers(await look(`/overview${filter}`), {
        adapters: [{ name: 'core1', connection: 'OFFLINE', traffic: { calls: 1, errors: 1 } }],
        problems,
      });
    assertMembers(await look('/overview?adapter=unknown'), { adapters: [], problems: [] });
    const own = await look<Lines>('/log?adapter=core1&level=debug');
    assert.ok(own.lines.some(({ message }) => message === 'orchestrator cannot be used'));
    assert.ok(own.lines.every(({ fields }) => fields.adapter === 'core1'));
    if (own.writtenLevel === 'info') assert.match(own.hint ?? '', /the level in use is info/);
    const all = await look<Lines>('/log?limit=2000');
    assert.ok(all.lines.some(({ message }) => message === 'request'));
    assert.ok((await look<Lines>(`/log?after=${all.next}`)).lines.length < all.lines.length);
    assert.equal((await call('GET /console/log?level=loud')).status, 400);
    await clock.pass(301_000);
    assertMembers(await look('/overview'), { adapters: [{ traffic: { perMinute: 0 } }] });
  });

  it('keeps the numbers of calls, and the callers of deprecated operations, over a restart', async () => {
    const assertCallers = async (calls: number): Promise<void> => {
      const { results } = await ask<{ results: readonly { callers: readonly object[] }[] }>(
        'GET /deprecations',
      );
      assertMembers(
        results.flatMap(({ callers }) => callers),
        [{ caller: 'ada', calls }],
      );
    };
    assert.equal(await query(), 200);
    await clock.pass(120_000);
    assert.equal(await query(), 200);
    await call('GET /config/services');
    await restart();
    await assertCallers(1);
    await call('GET /config/services');
    await assertCallers(2);
    assertMembers(await look('/traffic?span=7d'), { cellSeconds: 3_600, adapters: [{ calls: 2 }] });
    assert.equal(await query(), 200);
    assertMembers(await look('/traffic'), { adapters: [{ calls: 3 }] });
  });

  it('returns the state of the secrets, and tests a reference', async () => {
    const reference = `$VAULT_${SECRET.path}#${SECRET.field}`;
    assertMembers(await look('/secrets'), {
      vault: { state: 'ok', authMethod: 'approle' },
      encLeft: 0,
      references: [
        {
          reference,
          usedBy: [{ kind: 'adapter', name: 'core1', pointer: '/auth/password', proof: null }],
          resolves: true,
          cause: null,
          fetchedAt: clock.now(),
          version: 1,
          rotation: 'current',
        },
      ],
    });
    const test = (text: string) => call('POST /console/secrets/test', { body: { reference: text } });
    assert.deepEqual((await test(reference)).json, { ok: true, cause: null, fix: null });
    assert.equal((await test(reference)).status, 429);
    assert.equal((await test('$VAULT_adapters/another#password')).status, 400);
    testServer.vault.seal();
    await clock.pass(1_000);
    assertMembers((await test(reference)).json, { ok: false, cause: /\w/ });
    const { vault } = await look<{ vault: { cachedUntil: number } }>('/secrets');
    assert.ok(vault.cachedUntil > clock.now());
    assertMembers(await look('/secrets'), {
      vault: { state: 'degraded', condition: 'sealed' },
      references: [{ resolves: true, rotation: 'stale' }],
    });
    const sentence =
      /^Vault is sealed\. 1 secret runs on a cached value until (?:[\d-]{10} )?\d\d:\d\d UTC\.$/;
    assertMembers(await look('/overview'), { problems: [{ title: sentence }] });
    const { services } = await ask<{ services: { service: string }[] }>('GET /health/status');
    const service = services.find((one) => one.service === 'vault');
    assertMembers(service, { status: 'failed', reason: sentence });
  });
});

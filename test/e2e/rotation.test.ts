import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { recordingPlugin } from '../support/recording-plugin.js';
import { startTestServer, SECRET, type TestServer, type TestServerOptions } from '../support/test-server.js';
import { eventually, until } from '../support/until.js';

/** Refresh interval plus its jitter, in milliseconds. */
const INTERVAL_MS = 330_000;
/** Time in which changes are collected, in milliseconds. */
const COLLECT_MS = 2_000;

describe('a rotated secret', () => {
  let testServer: TestServer;
  let clock: FakeScheduler;

  const open = async (options: TestServerOptions = {}): Promise<void> => {
    clock = createFakeScheduler(Date.now());
    testServer = await startTestServer({ vaultLines: '  request: { attempts: 1 }\n', ...options, clock });
  };
  /** Starts a server whose adapter sends a request before it starts, so that it fails with a wrong password. */
  const openWithCheck = (): Promise<void> => {
    const { pluginFolder } = recordingPlugin();
    return open({
      pluginFolder,
      arrange: (folder) => {
        const file = join(folder, 'adapters', 'core1.yaml');
        const written = readFileSync(file, 'utf8').replace('plugin: restconf', 'plugin: recording');
        writeFileSync(file, `${written}options: { check: /restconf/data/ietf-interfaces:interfaces }\n`);
      },
    });
  };
  const query = () => testServer.query();
  const rotate = (password: string): void => {
    testServer.vault.putSecret({ path: SECRET.path }, { [SECRET.field]: password });
  };
  /** Lines of the log when the test began. */
  let logged = 0;
  const logContains = (text: string) =>
    until(() => testServer.logLines.slice(logged).join('').includes(text));
  /** Runs the next check of the secrets and the resulting changes. */
  const passRefreshInterval = async (): Promise<void> => {
    const reads = testServer.vault.log.length;
    await clock.pass(INTERVAL_MS);
    await until(() => testServer.vault.log.length > reads);
    await clock.pass(COLLECT_MS);
  };
  const get = (path: string) =>
    callUrl(testServer.url + path, { method: 'GET', token: testServer.issueToken() });
  const health = async () => (await get('/health/status')).json as { adapters: string; services: object[] };

  describe('with a server of its own', () => {
    afterEach(() => testServer.close());

    it('S-05, vault review F4: that the orchestrator accepts later keeps the old adapter, and is applied with the first refused call', async () => {
      await openWithCheck();
      rotate('the-next-password');
      await passRefreshInterval();
      await logContains('adapter not replaced');
      assert.equal((await query()).status, 200);
      assert.equal((await health()).adapters, 'degraded');
      testServer.orchestrator.setPassword('the-next-password');
      assert.equal((await query()).status, 200);
    });

    it('S-08 that does not go live soon delays no refused call and no shutdown (bug: 30 s each)', async () => {
      await openWithCheck();
      rotate('the-next-password');
      testServer.orchestrator.setPassword('the-next-password');
      testServer.orchestrator.failNext({ status: 401 });
      testServer.orchestrator.failNext({ hang: true });
      const before = testServer.orchestrator.requests.length;
      const refused = query();
      await until(() => testServer.orchestrator.requests.length === before + 2);
      await clock.pass(5_000);
      assert.equal((await refused).status, 502);
      await testServer.close();
    }).timeout(8_000);
  });

  describe('of an adapter that starts without a request', () => {
    before(() => open());
    after(() => testServer.close());
    // Between two reads of a secret on request is a pause.
    beforeEach(async () => {
      logged = testServer.logLines.length;
      await clock.pass(60_000);
    });

    const refresh = () => testServer.call('POST /admin/vault/refresh');
    const reads = (): number => testServer.vault.log.filter(({ path }) => path.endsWith(SECRET.path)).length;

    it('vault review F4: that a refresh read is live when the refresh has ended, also after a wrong value', async () => {
      rotate('a-wrong-password');
      assert.equal((await refresh()).status, 200);
      assert.equal((await query()).status, 502);
      rotate('the-next-password');
      testServer.orchestrator.setPassword('the-next-password');
      await clock.pass(10_000);
      assert.equal((await refresh()).status, 200);
      assert.equal((await query()).status, 200);
    });

    it('S-06 that violates the schema keeps the old adapter, and a valid secret is applied later', async () => {
      rotate('a newline at its end\n');
      await passRefreshInterval();
      await logContains('adapter not replaced');
      assert.match(testServer.logLines.join(''), /schema at \/auth\/password/);
      assert.equal((await query()).status, 200);
      rotate('password-s06');
      testServer.orchestrator.setPassword('password-s06');
      await passRefreshInterval();
      await logContains('rotated secrets are live');
      assert.equal((await query()).status, 200);
    });

    it('S-08 that the orchestrator already requires is read after the first refused call, and no call fails', async () => {
      rotate('password-s08');
      testServer.orchestrator.setPassword('password-s08');
      const before = reads();
      const replies = await Promise.all(Array.from({ length: 20 }, () => query()));
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      assert.equal(reads(), before + 1);
    });

    it('S-09 is read on request of an administrator, with a rate limit', async () => {
      rotate('password-s09');
      const done = await refresh();
      assert.deepEqual([done.status, done.json], [200, { vault: 'ok' }]);
      const again = await refresh();
      assert.deepEqual([again.status, again.headers['retry-after']], [429, '10']);
      testServer.orchestrator.setPassword('password-s09');
      await clock.pass(10_000);
      await logContains('rotated secrets are live');
      assert.equal((await refresh()).status, 200);
      assert.equal((await query()).status, 200);
    });

    it('S-15 loses no call under load', async () => {
      const statuses: number[] = [];
      let isBusy = true;
      const caller = async (): Promise<void> => {
        while (isBusy) statuses.push((await query()).status);
      };
      const callers = Array.from({ length: 8 }, caller);
      for (const password of ['password-s15', 'password-s15-2']) {
        const before = statuses.length;
        rotate(password);
        testServer.orchestrator.setPassword(password);
        await until(() => statuses.length > before + 20);
        await clock.pass(30_000);
      }
      isBusy = false;
      await Promise.all(callers);
      assert.deepEqual([...new Set(statuses)], [200]);
    });
  });
});

describe('leased credentials', () => {
  it('S-10 stop their adapter when they expire without a replacement, and start it again', async () => {
    const clock = createFakeScheduler(Date.now());
    const testServer = await startTestServer({
      clock,
      vaultLines: '  kvVersion: auto\n  request: { attempts: 1 }\n',
      adapters: {
        lent: `plugin: http-rest
baseUrl: http://127.0.0.1:9
retry: { attempts: 1 }
auth: { type: basic, username: $VAULT_/database/creds/core1#username, password: $VAULT_/database/creds/core1#password }
`,
      },
      arrange: (_folder, vault) => {
        vault.mountDatabase('database');
        vault.createDatabaseRole('core1', { ttl: 60, maxTtl: 60 });
        vault.putPolicy('gatehouse', {
          'secret/data/adapters/*': ['read'],
          'database/creds/*': ['read'],
          'sys/leases/revoke': ['update'],
        });
      },
    });
    try {
      const ask = async (): Promise<string> => {
        const { json } = await testServer.query('lent');
        return (json as { code: string }).code;
      };
      assert.equal(await ask(), 'upstream_unreachable');
      const comes = async (code: string): Promise<void> => {
        for (let step = 0; step < 40 && (await ask()) !== code; step += 1) await clock.pass(2_000);
        assert.equal(await ask(), code);
      };
      testServer.vault.seal();
      await comes('adapter_secret_unavailable');
      testServer.vault.unseal();
      await comes('upstream_unreachable');
    } finally {
      await testServer.close();
    }
  });
});

describe('a rotated secret is tried once at its orchestrator (bug: a wrong password stayed green)', () => {
  let testServer: TestServer;
  let clock: FakeScheduler;
  afterEach(() => testServer.close());

  const open = async (secretRotation: string): Promise<void> => {
    clock = createFakeScheduler(Date.now());
    testServer = await startTestServer({
      clock,
      arrange: (folder) => {
        appendFileSync(join(folder, 'adapters', 'core1.yaml'), `secretRotation: ${secretRotation}\n`);
      },
    });
  };
  const get = async (path: `/${string}`) =>
    (await testServer.call(`GET ${path}`)).json as Readonly<Record<string, unknown>>;
  const core1 = async () => {
    const { connection, rotatedSecret, outdated } = await get('/health/adapters/core1');
    return { state: (connection as { state: string }).state, rotatedSecret, outdated } as const;
  };
  const rotateTo = async (password: string): Promise<void> => {
    await clock.pass(10_000);
    testServer.vault.putSecret({ path: SECRET.path }, { [SECRET.field]: password });
    assert.equal((await testServer.call('POST /admin/vault/refresh')).status, 200);
  };
  const resultIs = async (expected: string): Promise<void> => {
    await eventually(async () => {
      assert.equal((await core1()).rotatedSecret, expected);
    });
  };
  const proofOf = async () => {
    const { references } = (await get('/console/secrets')) as unknown as {
      references: readonly {
        usedBy: readonly { proof: { verdict: string; versions: number[]; isInUse: boolean } }[];
      }[];
    };
    const { verdict, versions, isInUse } = references[0]?.usedBy[0]?.proof ?? assert.fail('no proof');
    return [verdict, versions, isInUse];
  };
  /** Counts the requests of tests; a start of the plugin looks for the root. */
  const requests = (): number =>
    testServer.orchestrator.requests.filter(({ path }) => !path.startsWith('/.well-known')).length;

  it('and the result is in the health, in the list of secrets and on the timeline', async () => {
    await open('switch');
    const before = requests();
    await rotateTo('a-wrong-password');
    await resultIs('refused with version 2');
    assert.equal((await core1()).state, 'LOGIN_REFUSED');
    assert.deepEqual(await proofOf(), ['refused', [2], true]);
    assert.equal(requests(), before + 1);
    testServer.orchestrator.setPassword('the-next-password');
    await rotateTo('the-next-password');
    await resultIs('accepted with version 3');
    assert.equal((await core1()).state, 'ONLINE');
    const { marks } = (await get('/console/traffic?span=1h&adapters=core1')) as unknown as {
      marks: readonly { kind: string; text: string }[];
    };
    const told = marks.filter(({ kind }) => kind.startsWith('secret-')).map(({ text }) => text);
    assert.match(told[0] ?? '', /^Login refused with version 2: /);
    assert.equal(told[1], 'Login accepted with version 3');
  });

  it('before it is used with test-first: a wrong value keeps the former one, and is not tried again', async () => {
    await open('test-first');
    const before = requests();
    await rotateTo('the-next-password');
    await resultIs('refused with version 2; the former value stays in use');
    const { state, outdated } = await core1();
    assert.notEqual(state, 'LOGIN_REFUSED');
    assert.match(String(outdated), /refused version 2, so the former value stays in use/);
    for (let retries = 0; retries < 4; retries += 1) await clock.pass(60_000);
    assert.deepEqual([requests() - before, await proofOf()], [1, ['refused', [2], false]]);
    assert.equal((await testServer.query()).status, 200);
    testServer.orchestrator.setPassword('the-next-password');
    assert.equal((await testServer.query()).status, 200, 'no call is lost when the orchestrator follows');
    await resultIs('accepted with version 2');
  });
});

describe('an outage of Vault', () => {
  let testServer: TestServer;
  afterEach(() => testServer.close());

  it('V-05 V-06 appears in the probes, fails readiness after the maximum age of values, and stops no adapter', async () => {
    const clock = createFakeScheduler(Date.now());
    testServer = await startTestServer({
      clock,
      vaultLines: '  request: { attempts: 1 }\n  refresh: { maxStaleSeconds: 600 }\n',
    });
    const get = (path: `/${string}`) => testServer.call(`GET ${path}`);
    const look = async (ms: number): Promise<void> => {
      const asked = testServer.vault.log.length;
      await clock.pass(ms);
      await until(() => testServer.vault.log.length > asked);
      await until(() => clock.next() !== undefined);
    };
    assert.deepEqual((await get('/readyz')).json, { ready: true, vault: 'ok' });

    testServer.vault.seal();
    await look(INTERVAL_MS);
    await until(() => testServer.logLines.join('').includes('VAULT_SEALED'));
    assert.deepEqual((await get('/readyz')).json, { ready: true, vault: 'degraded' });
    await clock.pass(600_000);
    const failing = await get('/readyz');
    assert.deepEqual([failing.status, (failing.json as { code: string }).code], [503, 'not_ready']);
    const reply = await testServer.query();
    assert.notEqual(reply.status, 503);

    testServer.vault.unseal();
    for (let ready = false; !ready; ready = (await get('/readyz')).status === 200) await clock.pass(33_000);
    assert.deepEqual((await get('/readyz')).json, { ready: true, vault: 'ok' });
  });
});

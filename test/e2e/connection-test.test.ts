import assert from 'node:assert/strict';
import type { ConnectionStep } from '../../src/core/connection-test.js';
import type { ConnectionTest } from '../../src/features/adapters/deps.js';
import type { CallResult } from '../support/call.js';
import { freePort } from '../support/free-port.js';
import { assertMembers } from '../support/members.js';
import { openLoginPageServer, openSilentServer } from '../support/odd-orchestrators.js';
import { callsTo, refusalOf } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually, until } from '../support/until.js';

const BASIC = { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' };
const WRONG = { ...BASIC, password: '$VAULT_adapters/wrong#password' };
const ALL_OK = 'name ok, tcp ok, tls ok, login ok, read ok';

describe('the connection test', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({
      adapters: { stub1: 'plugin: http-rest\nbaseUrl: https://nso.example\nstub: true\n' },
      secrets: {
        'adapters/wrong': { password: 'not-the-password' },
        'adapters/files': { path: '/etc/hostname' },
      },
    });
  });
  after(() => testServer.close());

  const { call, ask } = callsTo(() => testServer);
  // Each test has a name of its own, because an adapter is tested at most once every two seconds.
  let count = 0;
  const nextName = (): string => `nso${(count += 1)}.example.com`;
  const bodyOf = (settings: object, model = 'restconf', name = nextName()): object => ({
    properties: { name, model, properties: { properties: settings } },
  });
  const unsaved = (...document: Parameters<typeof bodyOf>): Promise<CallResult> =>
    call('POST /adapters/connection-test', { body: bodyOf(...document) });
  /** Sends a test whose caller may leave. */
  const unsavedUntil = (signal: AbortSignal, ...document: Parameters<typeof bodyOf>): Promise<Response> =>
    fetch(`${testServer.url}/adapters/connection-test`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${testServer.issueToken('admin')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(bodyOf(...document)),
      signal,
    });
  const latestRecord = async (): Promise<Readonly<Record<string, string>>> => {
    const filter = 'limit=1&operation=adapters.testAdapterConnection';
    const { results } = await ask<{ results: Readonly<Record<string, string>>[] }>(`GET /audit?${filter}`);
    return results[0] ?? {};
  };
  const good = (more: object = {}): object => ({
    baseUrl: testServer.orchestrator.url,
    auth: BASIC,
    tls: { caFile: '../orchestrator-ca.pem' },
    health: { path: '/restconf/yang-library-version' },
    ...more,
  });
  const testOf = (result: CallResult): ConnectionTest => {
    assert.equal(result.status, 200, result.text);
    return result.json as ConnectionTest;
  };
  const stepsOf = (result: CallResult): readonly ConnectionStep[] => testOf(result).targets[0]?.steps ?? [];
  const verdicts = (result: CallResult): string =>
    stepsOf(result)
      .map(({ step, verdict }) => `${step} ${verdict}`)
      .join(', ');
  const assertFailed = (result: CallResult, expected: object): void => {
    assertMembers(
      stepsOf(result).find(({ verdict }) => verdict === 'failed'),
      expected,
      verdicts(result),
    );
  };
  const withSilentServer = async (
    work: (url: string, connections: () => number) => Promise<void>,
  ): Promise<void> => {
    const silent = await openSilentServer();
    try {
      await work(`https://127.0.0.1:${silent.port}`, silent.connections);
    } finally {
      await silent.close();
    }
  };

  it('passes five steps for a right document, stores nothing, and closes its connections', async () => {
    const before = testServer.orchestrator.connections();
    const result = await unsaved(good());
    assert.equal(verdicts(result), ALL_OK);
    assert.equal(testOf(result).ok, true);
    const tls = stepsOf(result)[2];
    assert.equal(tls?.message, 'TLSv1.3. The certificate is valid.');
    assert.ok((tls.certificate?.notAfter ?? 0) > Date.now());
    assert.equal((await call(`GET /adapters/nso${count}.example.com`)).status, 404);
    await until(() => testServer.orchestrator.connections() <= before);
    assert.ok(!result.text.includes(testServer.password));
  });

  it('tests an adapter of a file by its name, and leaves the running adapter as it is', async () => {
    assert.equal(verdicts(await call('POST /adapters/core1/connection-test')), ALL_OK);
    assert.equal((await call('POST /adapters/absent/connection-test')).status, 404);
  });

  for (const [title, settings, expected] of [
    [
      'names the refused credentials, and not the read',
      () => ({ auth: WRONG }),
      { step: 'login', message: /^The orchestrator refused the credentials: (?!.*not-the-password)/ },
    ],
    [
      'shows the certificate that is not trusted',
      () => ({ tls: {} }),
      {
        step: 'tls',
        message: /self-signed and not trusted/,
        fix: /^Set tls\.caFile /,
        certificate: { subject: /CN=/ },
      },
    ],
    [
      'says that a port is closed',
      async () => ({ baseUrl: `https://127.0.0.1:${await freePort()}` }),
      { step: 'tcp', message: 'The target refuses connections on this port.' },
    ],
    [
      'says that a name is not known',
      () => ({ baseUrl: 'https://nso1.invalid' }),
      {
        step: 'name',
        message: /^(?:The host name is not known|The name server does not answer): nso1\.invalid\.$/,
      },
    ],
    [
      'refuses the targets that a registered adapter must not reach, without a connection',
      () => ({ baseUrl: testServer.url }),
      { step: 'name', message: /must not connect to "127\.0\.0\.1"/ },
    ],
    [
      'tests the network although the secret is missing, and names the secret',
      () => ({ auth: { ...BASIC, password: '$VAULT_adapters/absent#password' } }),
      { step: 'login', message: /^\/auth\/password: /, fix: /./ },
    ],
  ] as const)
    it(title, async () => {
      assertFailed(await unsaved(good(await settings())), expected);
    });

  it('ends the test of a server that accepts connections and never answers TLS', () =>
    withSilentServer(async (baseUrl, connections) => {
      const result = await unsaved(good({ baseUrl, timeouts: { connectMs: 300 } }));
      assertFailed(result, { step: 'tls', message: /did not answer the TLS handshake in time/ });
      await until(() => connections() === 0);
    }));

  it('names a login that is answered with a web page, and a read that is', async () => {
    const page = await openLoginPageServer();
    try {
      const baseUrl = `http://127.0.0.1:${page.port}`;
      const request = { path: '/login', body: { password: BASIC.password } };
      const steps = [{ request, take: { token: '/token' } }];
      const auth = { type: 'login', steps, apply: { header: 'X-Auth-Token: {token}' } };
      assertFailed(await unsaved({ baseUrl, auth }, 'http-rest'), { step: 'login' });
      const read = await unsaved({ baseUrl, auth: BASIC, health: { path: '/api' } }, 'http-rest');
      assert.equal(verdicts(read), 'name ok, tcp ok, tls warning, login ok, read warning');
      assert.match(stepsOf(read)[4]?.message ?? '', /a web page instead of data/);
      await until(() => page.connections() === 0);
    } finally {
      await page.close();
    }
  });

  it('skips every step of an adapter that answers from recordings', async () => {
    const result = await call('POST /adapters/stub1/connection-test');
    assert.equal(testOf(result).ok, true);
    assert.match(stepsOf(result)[0]?.message ?? '', /answers from recordings/);
  });

  it('refuses what saving or starting the adapter would refuse', async () => {
    for (const [settings, message] of [
      [good({ baseURL: 'https://nso1.example.com' }), /baseURL/],
      [{}, /must have settings/],
      [good({ baseUrl: 'http://169.254.169.254' }), /its address is metadata/],
    ] as const) {
      const { status, text } = await unsaved(settings);
      assert.equal(status, 400);
      assert.match(text, message);
    }
    // The file is outside of the folder of the configuration.
    const outside = await unsaved(good({ tls: { caFile: '$VAULT_adapters/files#path' } }));
    assert.deepEqual(refusalOf(outside), [503, 'adapter_unavailable']);
    // The secrets of an adapter of a file are sent nowhere else.
    assert.deepEqual(refusalOf(await unsaved(good(), 'restconf', 'core1')), [409, 'adapter_in_file']);
  });

  it('leaves an audit record with the failed step', async () => {
    const name = nextName();
    await unsaved(good({ auth: WRONG }), 'restconf', name);
    assertMembers(await latestRecord(), {
      operation: 'adapters.testAdapterConnection',
      target: `/adapters/connection-test ${name} ${testServer.orchestrator.url}`,
      outcome: `failed: login at ${testServer.orchestrator.url}`,
      after: /./,
    });
  });

  it('records the token URL, the proxy and the digest, also if the caller leaves before the end (S2-1: it had neither)', () =>
    withSilentServer(async (url, connections) => {
      const clientSecret = BASIC.password;
      const auth = { type: 'oauth2', tokenUrl: `${url}/token`, clientId: 'gatehouse', clientSecret };
      const name = nextName();
      const leave = new AbortController();
      const sent = unsavedUntil(leave.signal, good({ auth }), 'restconf', name);
      await until(() => connections() > 0);
      leave.abort();
      await assert.rejects(sent);
      const target = `/adapters/connection-test ${name} ${url} ${testServer.orchestrator.url}`;
      await eventually(async () => {
        assertMembers(await latestRecord(), { outcome: 'caller_gone', target, after: /./ });
      });
    }));

  it('tests an adapter once every two seconds, because refused logins may lock the account', async () => {
    const name = nextName();
    assert.equal((await unsaved(good(), 'restconf', name)).status, 200);
    const refused = await unsaved(good(), 'restconf', name);
    assert.deepEqual(refusalOf(refused), [429, 'too_many_requests']);
    assert.equal(refused.headers['retry-after'], '2');
  });

  it('runs two tests of one caller at a time, so that other callers find a slot', () =>
    withSilentServer(async (baseUrl, connections) => {
      const leave = new AbortController();
      const slow = [0, 1].map(() => unsavedUntil(leave.signal, good({ baseUrl })).catch(() => undefined));
      try {
        // Each test has ended its TCP step, and waits for the TLS handshake.
        await until(() => connections() >= 2);
        const { status, text } = await unsaved(good());
        assert.equal(status, 429, text);
        assert.match(text, /2 connection tests of yours are running/);
      } finally {
        leave.abort();
      }
      await Promise.all(slow);
      await eventually(async () => {
        assert.equal((await unsaved(good())).status, 200);
      });
    }));

  it('does not send credentials that one base URL refused to the next', async () => {
    const { url } = testServer.orchestrator;
    const { targets } = testOf(
      await unsaved(good({ baseUrl: undefined, baseUrls: [url, `${url}/other`], auth: WRONG })),
    );
    assert.deepEqual(
      targets.map(({ steps }) => steps.map(({ verdict }) => verdict).join(' ')),
      ['ok ok ok failed skipped', 'ok ok ok skipped skipped'],
    );
    assert.match(targets[1]?.steps[3]?.message ?? '', /another base URL refused the login/);
  });
});

import { omit } from '../../src/core/lib/omit.js';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectionStep, ConnectionTest } from '../../src/core/connection-test.js';
import { callUrl, type CallResult } from '../support/call.js';
import { freePort } from '../support/free-port.js';
import { openLoginPageServer, openSilentServer } from '../support/odd-orchestrators.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually, until } from '../support/until.js';

const BASIC = { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' };

describe('the connection test', () => {
  let testServer: TestServer;

  before(async () => {
    testServer = await startTestServer({
      folder: temporaryFolder().path,
      arrange: (folder, vault) => {
        writeFileSync(
          join(folder, 'adapters', 'stub1.yaml'),
          'plugin: http-rest\nbaseUrl: https://nso.example\nstub: true\n',
        );
        vault.putSecret({ path: 'adapters/wrong' }, { password: 'not-the-password' });
        vault.putSecret({ path: 'adapters/files' }, { path: '/etc/hostname' });
      },
    });
  });
  after(() => testServer.close());

  const post = (path: string, body?: unknown, role = 'admin'): Promise<CallResult> =>
    callUrl(testServer.url + path, { method: 'POST', token: testServer.issueToken(role), body });
  // Each test has a name of its own, because an adapter is tested at most once every two seconds.
  let count = 0;
  const nextName = (): string => `nso${(count += 1)}.example.com`;
  const bodyOf = (settings: object, model = 'restconf', name = nextName()): object => ({
    properties: { name, model, properties: { properties: settings } },
  });
  const unsaved = (...document: Parameters<typeof bodyOf>): Promise<CallResult> =>
    post('/adapters/connection-test', bodyOf(...document));
  const latestRecord = async (): Promise<Readonly<Record<string, string>>> => {
    const token = testServer.issueToken('admin');
    const { json } = await callUrl(
      `${testServer.url}/audit?limit=1&operation=adapters.testAdapterConnection`,
      { method: 'GET', token },
    );
    return (json as { results: Readonly<Record<string, string>>[] }).results[0] ?? {};
  };
  const good = (): object => ({
    baseUrl: testServer.orchestrator.url,
    auth: BASIC,
    tls: { caFile: '../orchestrator-ca.pem' },
    health: { path: '/restconf/yang-library-version' },
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
  const failed = (result: CallResult): ConnectionStep => {
    const step = stepsOf(result).find(({ verdict }) => verdict === 'failed');
    assert.ok(step, verdicts(result));
    return step;
  };

  it('passes five steps for a right document, stores nothing, and closes its connections', async () => {
    const before = testServer.orchestrator.connections();
    const result = await unsaved(good());
    assert.equal(verdicts(result), 'name ok, tcp ok, tls ok, login ok, read ok');
    assert.equal(testOf(result).ok, true);
    const tls = stepsOf(result)[2];
    assert.match(tls?.message ?? '', /^TLSv1\.3\. The certificate is valid\.$/);
    assert.ok((tls?.certificate?.notAfter ?? 0) > Date.now());
    const found = await callUrl(`${testServer.url}/adapters/nso${count}.example.com`, {
      method: 'GET',
      token: testServer.issueToken('admin'),
    });
    assert.equal(found.status, 404);
    await until(() => testServer.orchestrator.connections() <= before);
    assert.ok(!result.text.includes(testServer.password));
  });

  it('tests an adapter of a file by its name, and leaves the running adapter as it is', async () => {
    const result = await post('/adapters/core1/connection-test');
    assert.equal(verdicts(result), 'name ok, tcp ok, tls ok, login ok, read ok');
    assert.equal((await post('/adapters/absent/connection-test')).status, 404);
  });

  it('names the refused credentials, and not the read', async () => {
    const auth = { ...BASIC, password: '$VAULT_adapters/wrong#password' };
    const result = await unsaved({ ...good(), auth });
    assert.equal(verdicts(result), 'name ok, tcp ok, tls ok, login failed, read skipped');
    assert.match(failed(result).message, /^The orchestrator refused the credentials: /);
    assert.ok(!result.text.includes('not-the-password'));
  });

  it('shows the certificate that is not trusted', async () => {
    const settings = omit({ tls: {}, ...good() }, 'tls');
    const step = failed(await unsaved(settings));
    assert.equal(step.step, 'tls');
    assert.match(step.message, /self-signed and not trusted/);
    assert.match(step.fix ?? '', /^Set tls\.caFile /);
    assert.match(step.certificate?.subject ?? '', /CN=/);
  });

  it('says that a port is closed, and that a name is not known', async () => {
    const closed = failed(await unsaved({ ...good(), baseUrl: `https://127.0.0.1:${await freePort()}` }));
    assert.deepEqual([closed.step, closed.message], ['tcp', 'The target refuses connections on this port.']);
    const unknown = failed(await unsaved({ ...good(), baseUrl: 'https://nso1.invalid' }));
    assert.equal(unknown.step, 'name');
    assert.match(unknown.message, /^(?:The name nso1\.invalid is not known|The name server did not answer)/);
  });

  it('refuses the targets that a registered adapter must not reach, without a connection', async () => {
    const { port } = new URL(testServer.url);
    const result = await unsaved({ ...good(), baseUrl: `https://127.0.0.1:${port}` });
    const step = failed(result);
    assert.equal(step.step, 'name');
    assert.match(step.message, /must not connect to "127\.0\.0\.1"/);
    const metadata = await unsaved({ ...good(), baseUrl: 'http://169.254.169.254' });
    assert.equal(metadata.status, 400, metadata.text);
    assert.match(metadata.text, /its address is metadata/);
  });

  it('tests the network although the secret is missing, and names the secret', async () => {
    const auth = { ...BASIC, password: '$VAULT_adapters/absent#password' };
    const step = failed(await unsaved({ ...good(), auth }));
    assert.equal(step.step, 'login');
    assert.match(step.message, /^\/auth\/password: /);
    assert.notEqual(step.fix, null);
  });

  it('ends the test of a server that accepts connections and never answers TLS', async () => {
    const silent = await openSilentServer();
    try {
      const settings = {
        ...good(),
        baseUrl: `https://127.0.0.1:${silent.port}`,
        timeouts: { connectMs: 300 },
      };
      const step = failed(await unsaved(settings));
      assert.equal(step.step, 'tls');
      assert.match(step.message, /did not answer the TLS handshake in time/);
      await until(() => silent.connections() === 0);
    } finally {
      await silent.close();
    }
  });

  it('names a login that is answered with a web page, and a read that is', async () => {
    const page = await openLoginPageServer();
    try {
      const baseUrl = `http://127.0.0.1:${page.port}`;
      const step = {
        request: { path: '/login', body: { password: BASIC.password } },
        take: { token: '/token' },
      };
      const auth = { type: 'login', steps: [step], apply: { header: 'X-Auth-Token: {token}' } };
      const login = failed(await unsaved({ baseUrl, auth }, 'http-rest'));
      assert.equal(login.step, 'login');
      const read = await unsaved({ baseUrl, auth: BASIC, health: { path: '/api' } }, 'http-rest');
      assert.equal(verdicts(read), 'name ok, tcp ok, tls warning, login ok, read warning');
      assert.match(stepsOf(read)[4]?.message ?? '', /a web page instead of data/);
      await until(() => page.connections() === 0);
    } finally {
      await page.close();
    }
  });

  it('skips every step of an adapter that answers from recordings', async () => {
    const result = await post('/adapters/stub1/connection-test');
    assert.equal(testOf(result).ok, true);
    assert.match(stepsOf(result)[0]?.message ?? '', /answers from recordings/);
  });

  it('refuses an invalid document with the faults that saving it would have', async () => {
    const result = await unsaved({ ...good(), baseURL: 'https://nso1.example.com' });
    assert.equal(result.status, 400);
    assert.match(result.text, /baseURL/);
    assert.equal((await unsaved({})).status, 400);
  });

  it('reads no file outside of the folder of the configuration, as the start does not', async () => {
    const { status, json, text } = await unsaved({
      ...good(),
      tls: { caFile: '$VAULT_adapters/files#path' },
    });
    assert.deepEqual([status, (json as { code: string }).code], [503, 'adapter_unavailable'], text);
  });

  it('sends the secrets of an adapter of a file nowhere else', async () => {
    const { status, json } = await post('/adapters/connection-test', {
      properties: { name: 'core1', model: 'restconf', properties: { properties: good() } },
    });
    assert.deepEqual([status, (json as { code: string }).code], [409, 'adapter_in_file']);
  });

  it('is open to administrators alone, and leaves an audit record with the failed step', async () => {
    const name = nextName();
    assert.equal(
      (await post('/adapters/connection-test', bodyOf(good(), 'restconf', name), 'engineering')).status,
      403,
    );
    await unsaved(good(), 'restconf', name);
    const { operation, target, outcome, after } = await latestRecord();
    assert.equal(operation, 'adapters.testAdapterConnection');
    assert.equal(target, `/adapters/connection-test ${name} ${testServer.orchestrator.url}`);
    assert.equal(outcome, `ok at ${testServer.orchestrator.url}`);
    assert.notEqual(after, '');
  });

  it('records the token URL, the proxy and the digest, also if the caller leaves before the end (S2-1: it had neither)', async () => {
    const silent = await openSilentServer();
    try {
      const tokenUrl = `https://127.0.0.1:${silent.port}/token`;
      const auth = { type: 'oauth2', tokenUrl, clientId: 'gatehouse', clientSecret: BASIC.password };
      const name = nextName();
      const leave = new AbortController();
      const sent = fetch(`${testServer.url}/adapters/connection-test`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${testServer.issueToken('admin')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(bodyOf({ ...good(), auth }, 'restconf', name)),
        signal: leave.signal,
      });
      await until(() => silent.connections() > 0);
      leave.abort();
      await assert.rejects(sent);
      await eventually(async () => {
        assert.equal((await latestRecord())['outcome'], 'caller_gone');
      });
      const { target, after } = await latestRecord();
      assert.equal(
        target,
        `/adapters/connection-test ${name} https://127.0.0.1:${silent.port} ${testServer.orchestrator.url}`,
      );
      assert.notEqual(after, '');
    } finally {
      await silent.close();
    }
  });

  it('tests an adapter once every two seconds, because refused logins may lock the account', async () => {
    const name = nextName();
    assert.equal((await unsaved(good(), 'restconf', name)).status, 200);
    const { status, headers, json } = await unsaved(good(), 'restconf', name);
    assert.deepEqual([status, (json as { code: string }).code], [429, 'too_many_requests']);
    assert.equal(headers['retry-after'], '2');
  });

  it('runs two tests of one caller at a time, so that other callers find a slot', async () => {
    const silent = await openSilentServer();
    const leave = new AbortController();
    try {
      const token = testServer.issueToken('admin');
      const baseUrl = `https://127.0.0.1:${silent.port}`;
      const slow = [0, 1].map(() =>
        fetch(`${testServer.url}/adapters/connection-test`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(bodyOf({ ...good(), baseUrl })),
          signal: leave.signal,
        }).catch(() => undefined),
      );
      // Each test has ended its TCP step, and waits for the TLS handshake.
      await until(() => silent.connections() >= 2);
      const { status, text } = await unsaved(good());
      assert.equal(status, 429, text);
      assert.match(text, /2 connection tests of yours are running/);
      leave.abort();
      await Promise.all(slow);
      await eventually(async () => {
        assert.equal((await unsaved(good())).status, 200);
      });
    } finally {
      leave.abort();
      await silent.close();
    }
  });

  it('does not send credentials that one base URL refused to the next', async () => {
    const settings = {
      ...omit({ baseUrl: '', ...good() }, 'baseUrl'),
      baseUrls: [testServer.orchestrator.url, `${testServer.orchestrator.url}/other`],
      auth: { ...BASIC, password: '$VAULT_adapters/wrong#password' },
    };
    const { targets } = testOf(await unsaved(settings));
    assert.deepEqual(
      targets.map(({ steps }) => steps.map(({ verdict }) => verdict).join(' ')),
      ['ok ok ok failed skipped', 'ok ok ok skipped skipped'],
    );
    assert.match(targets[1]?.steps[3]?.message ?? '', /another base URL refused the login/);
  });
});

import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodeOf } from '../../src/cli/check.js';
import { EXIT } from '../../src/cli/command.js';
import { ConfigError } from '../../src/core/fault.js';
import { callUrl } from '../support/call.js';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { recordingPlugin } from '../support/recording-plugin.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import type { VaultDouble } from '../support/vault-double.js';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.js';

const ONE_ATTEMPT = '  request: { attempts: 1 }\n';

/** Starts the server with a Vault double; `failure` resolves to the faults of a refused start. */
function startWithVault(options: Omit<TestServerOptions, 'folder' | 'clock'>) {
  const clock = createFakeScheduler(Date.now());
  const folder = temporaryFolder().path;
  let vault: VaultDouble | undefined;
  const starting = startTestServer({
    vaultLines: ONE_ATTEMPT,
    ...options,
    folder,
    clock,
    arrange: (path, double) => {
      vault = double;
      options.arrange?.(path, double);
    },
  });
  const failure = async () => {
    const error: unknown = await starting.then(
      (testServer) => testServer.close(),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ConfigError, String(error));
    return error.faults;
  };
  starting.catch(() => undefined);
  return { starting, failure, clock, vault: () => vault ?? assert.fail('not there yet') };
}

/** Waits until the start has set a timer, then advances the clock. */
async function whenWaiting(clock: FakeScheduler, ms: number): Promise<void> {
  await until(() => clock.next() !== undefined);
  await clock.pass(ms);
}

describe('a start during a Vault outage', () => {
  let testServer: TestServer | undefined;
  afterEach(async () => {
    await testServer?.close();
    testServer = undefined;
  });

  it('V-01 waits, and continues when Vault is unsealed after 20 s', async () => {
    const { starting, clock, vault } = startWithVault({
      arrange: (_folder, double) => {
        double.seal();
      },
    });
    await whenWaiting(clock, 10_000);
    await until(() => clock.next() !== undefined);
    vault().unseal();
    await clock.pass(10_000);
    testServer = await starting;
    assert.match(testServer.logLines.join(''), /waiting for Vault.*VAULT_SEALED/);
    const { json } = await callUrl(`${testServer.url}/health/status`, { method: 'GET' });
    assert.equal((json as { adapters: string }).adapters, 'running');
  });

  it('V-02 fails after 60 s with the exit code for unavailability', async () => {
    const { failure, clock } = startWithVault({
      arrange: (_folder, double) => {
        double.seal();
      },
    });
    for (let waits = 0; waits < 6; waits += 1) await whenWaiting(clock, 10_000);
    const faults = await failure();
    assert.deepEqual(faults.map(({ code, pointer }) => `${code} ${pointer}`), ['VAULT_SEALED /auth/password']); // prettier-ignore
    assert.equal(exitCodeOf(faults), EXIT.unavailable);
  });

  it('V-08 sends requests at most every 10 s, also after a reply with 501', async () => {
    const { failure, clock, vault } = startWithVault({
      arrange: (_folder, double) => {
        double.faults.next({ status: 501, times: 1000 });
      },
    });
    await until(() => clock.next() !== undefined);
    const before = vault().log.length;
    assert.equal(clock.next(), 10_000);
    await clock.pass(9_999);
    assert.equal(vault().log.length, before);
    for (let waits = 0; waits < 6; waits += 1) await whenWaiting(clock, 10_000);
    assert.equal(exitCodeOf(await failure()), EXIT.unavailable);
  });

  it('stops at once when it is aborted', async () => {
    const clock = createFakeScheduler(Date.now());
    const aborting = new AbortController();
    const starting = startTestServer({
      folder: temporaryFolder().path,
      clock,
      signal: aborting.signal,
      vaultLines: ONE_ATTEMPT,
      arrange: (_folder, double) => {
        double.seal();
      },
    });
    await until(() => clock.next() !== undefined);
    aborting.abort();
    await assert.rejects(starting, /stopped while waiting for Vault/);
  });
});

describe('a start that Vault refuses', () => {
  const STRICT = `${ONE_ATTEMPT}  boot: { requireAll: true }\n`;

  it('V-03 fails with the exit code for a denial when the policy denies the read', async () => {
    const { failure } = startWithVault({
      vaultLines: STRICT,
      arrange: (_folder, double) => {
        double.putPolicy('gatehouse', {});
      },
    });
    const faults = await failure();
    assert.deepEqual(faults.map(({ code }) => code), ['VAULT_DENIED']); // prettier-ignore
    assert.equal(exitCodeOf(faults), EXIT.denied);
  });

  it('V-03 fails with the exit code for a denial when a second login is refused', async () => {
    const { failure, clock, vault } = startWithVault({
      arrange: (folder) => {
        writeFileSync(join(folder, 'vault', 'secret_id'), '00000000-0000-0000-0000-000000000000');
      },
    });
    await whenWaiting(clock, 5_000);
    const faults = await failure();
    assert.equal(exitCodeOf(faults), EXIT.denied);
    assert.equal(vault().log.filter(({ path }) => path.endsWith('/auth/approle/login')).length, 2);
  });

  it('V-03 fails with the exit code for a bad configuration when secrets are missing, and reports all of them', async () => {
    const { failure } = startWithVault({
      vaultLines: STRICT,
      arrange: (folder) => {
        for (const id of ['one', 'two'])
          appendFileSync(
            join(folder, 'adapters', `${id}.yaml`),
            `plugin: http-rest\nbaseUrl: http://127.0.0.1:9\nauth: { type: bearer, token: $VAULT_adapters/${id}#token }\n`,
          );
      },
    });
    const faults = await failure();
    assert.deepEqual(faults.map(({ code }) => code), ['VAULT_NOT_FOUND', 'VAULT_NOT_FOUND']); // prettier-ignore
    assert.match(faults.map(({ file }) => file).join(' '), /one\.yaml .*two\.yaml/);
    assert.equal(exitCodeOf(faults), EXIT.config);
  });

  it('R-17 names keyword and pointer of a resolved value that violates a schema, but not the value', async () => {
    const { failure } = startWithVault({
      vaultLines: STRICT,
      arrange: (folder, double) => {
        double.putSecret({ path: 'adapters/odd' }, { timeout: 'canary-that-is-no-number' });
        appendFileSync(
          join(folder, 'adapters', 'odd.yaml'),
          'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\ntimeouts: { totalMs: $VAULT_adapters/odd#timeout }\n',
        );
      },
    });
    const [fault] = await failure();
    assert.deepEqual([fault?.code, fault?.pointer], ['schema', '/timeouts/totalMs']);
    assert.match(fault?.message ?? '', /\(type, after its secrets were resolved\)/);
    assert.ok(!JSON.stringify(fault).includes('canary'));
  });
});

describe('a start with references', () => {
  it('V-04 creates no adapter before every reference is resolved', async () => {
    const { pluginFolder, created } = recordingPlugin();
    const { starting, clock, vault } = startWithVault({
      pluginFolder,
      arrange: (folder, double) => {
        double.seal();
        writeFileSync(
          join(folder, 'adapters', 'core1.yaml'),
          'plugin: recording\nbaseUrl: http://127.0.0.1:9\nauth: { type: bearer, token: $VAULT_adapters/core1#password }\n',
        );
        writeFileSync(
          join(folder, 'adapters', 'free.yaml'),
          'plugin: recording\nbaseUrl: http://127.0.0.1:9\n',
        );
      },
    });
    await until(() => clock.next() !== undefined);
    assert.deepEqual(created(), []);
    vault().unseal();
    await clock.pass(10_000);
    const testServer = await starting;
    assert.deepEqual(created(), ['core1', 'free']);
    await testServer.close();
  });
});

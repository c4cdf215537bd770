import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretMount, type SecretMount } from '../support/secret-mount.js';
import { callsTo } from '../support/server-calls.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

const CALLERS = 8;

describe('secrets in files', () => {
  let testServer: TestServer;
  let mount: SecretMount;
  let folder: string;
  before(async () => {
    folder = temporaryFolder().path;
    testServer = await startTestServer({
      folder,
      password: 'c4n4ry-first',
      main: { more: 'secrets: { files: { root: secrets } }\n' },
      arrange: (config) => {
        mount = createSecretMount(join(config, 'secrets', 'adapters', 'core1'), {
          password: 'c4n4ry-first\n',
        });
        const adapter = join(config, 'adapters', 'core1.yaml');
        const text = readFileSync(adapter, 'utf8').replace(/\$VAULT_[^ ]+/, '$FILE_adapters/core1/password');
        writeFileSync(adapter, text);
      },
    });
  });
  after(() => testServer.close());

  const { call } = callsTo(() => testServer);
  const query = () => testServer.query();

  it('rotate while calls run, without a lost call', async () => {
    const failures: number[] = [];
    let [answered, isBusy] = [0, true];
    const call = async (): Promise<void> => {
      while (isBusy) {
        const { status } = await query();
        answered += 1;
        if (status !== 200) failures.push(status);
      }
    };
    const callers = Array.from({ length: CALLERS }, call);
    for (const password of ['c4n4ry-second', 'c4n4ry-third']) {
      const before = answered;
      await until(() => answered >= before + CALLERS);
      mount.replace({ password: `${password}\n` });
      testServer.orchestrator.setPassword(password);
      const after = answered;
      await until(() => answered >= after + 2 * CALLERS);
    }
    isBusy = false;
    await Promise.all(callers);
    assert.deepEqual(failures, []);
  });

  it('are listed with their state, and tested, without their values', async () => {
    const { json, text } = await call('GET /console/secrets');
    const { files, references } = json as {
      files: { state: string; root: string };
      references: { reference: string; resolves: boolean }[];
    };
    assert.equal(files.state, 'ok');
    assert.equal(files.root, join(folder, 'secrets'));
    assert.deepEqual(
      references.map(({ reference, resolves }) => [reference, resolves]),
      [['$FILE_adapters/core1/password', true]],
    );
    assert.ok(!text.includes('c4n4ry'));
    const tested = await call('POST /console/secrets/test', {
      body: { reference: '$FILE_adapters/core1/password' },
    });
    assert.deepEqual(tested.json, { ok: true, cause: null, fix: null });
  });

  it('name their file in the log, and never their value', () => {
    const log = testServer.logLines.join('');
    assert.ok(log.includes('adapters/core1/password'));
    assert.ok(!log.includes('c4n4ry'));
  });
});

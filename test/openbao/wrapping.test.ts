import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOpenBao, OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import {
  basicAdapter,
  type Configuration,
  type Orchestrator,
  runWith,
  startGatehouse,
  startOrchestrator,
  writeConfiguration,
} from './gatehouse.js';

const PASSWORD = 'pw-of-the-wrapped-role';
const ROLE = 'auth/approle/role/gatehouse';

describeWith(OPENBAO, 'vault review F2: a wrapped credential, on a real OpenBao', () => {
  let bao: OpenBao;
  let orchestrator: Orchestrator;
  let folder: string;
  before(async () => {
    bao = await startOpenBao();
    orchestrator = await startOrchestrator((_, password) => password === PASSWORD);
    await bao.ask('POST', 'secret/data/adapters/nso1', { body: { data: { password: PASSWORD } } });
    await bao.ask('POST', 'sys/auth/approle', { body: { type: 'approle' } });
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', {
      body: {
        policy: `path "secret/data/adapters/*" { capabilities = ["read"] }
path "secret/subkeys/adapters/*" { capabilities = ["read"] }`,
      },
    });
    await bao.ask('POST', ROLE, { body: { token_policies: 'gatehouse' } });
  });
  after(async () => {
    await orchestrator.close();
    await bao.close();
  });
  beforeEach(async () => {
    folder = temporaryFolder().path;
    const { data } = await bao.ask('GET', `${ROLE}/role-id`);
    writeFileSync(join(folder, 'role_id'), String(data['role_id']));
  });

  const configuration = (auth: string): Configuration => ({
    folder,
    vault: [`address: ${bao.address}`, `auth: ${auth}`],
    adapters: { nso1: basicAdapter(orchestrator.url, 'admin', '$VAULT_adapters/nso1#password') },
  });
  const wrappedSecretId = (more = ''): Configuration =>
    configuration(
      `{ method: approle, roleIdFile: role_id, secretIdFile: secret_id, secretIdWrapped: true, secretIdWrapPath: ${ROLE}/secret-id${more} }`,
    );
  /** Writes a wrapped secret id to its file, as text or as the JSON of the command line; returns the wrapping token. */
  const deliver = async (path = `${ROLE}/secret-id`, isJson = false): Promise<string> => {
    const body = path === 'sys/wrapping/wrap' ? { secret_id: 'forged' } : {};
    const { wrap_info: info } = await bao.ask('POST', path, { body, headers: { 'x-vault-wrap-ttl': '600' } });
    writeFileSync(
      join(folder, 'secret_id'),
      isJson ? JSON.stringify({ wrap_info: info }) : `${String(info['token'])}\n`,
    );
    return String(info['token']);
  };
  const isWrapped = async (token: string): Promise<boolean> =>
    (await bao.ask('POST', 'sys/wrapping/lookup', { body: { token }, token: '', allow: [400, 403] }))
      .status === 200;
  const callOnce = async (
    config: Configuration,
  ): Promise<{ readonly status: number; readonly log: string }> => {
    const gatehouse = await startGatehouse(config);
    try {
      return { status: (await gatehouse.call('nso1')).status, log: gatehouse.log() };
    } finally {
      await gatehouse.close();
    }
  };

  for (const isJson of [false, true])
    it(`logs in with a wrapped secret id, delivered as ${isJson ? 'JSON' : 'a token'}, without an alarm`, async () => {
      await deliver(undefined, isJson);
      const { status, log } = await callOnce(wrappedSecretId());
      assert.equal(status, 200, log);
      assert.doesNotMatch(log, /stolen/);
    });

  it('raises the alarm for a wrapping token that was used before, and ends with 77', async () => {
    const token = await deliver();
    await bao.ask('POST', 'sys/wrapping/unwrap', { token });
    const path = writeConfiguration(wrappedSecretId());
    const { code, out } = await runWith(path, 'check', '--probe');
    assert.equal(code, 77, out);
    assert.match(out, /was already used, or it has expired \[VAULT_WRAP_INVALID\]/);
    await assert.rejects(startGatehouse(wrappedSecretId()), /VAULT_WRAP_INVALID/);
  });

  it('raises the alarm for a reply that was wrapped elsewhere, and leaves it wrapped', async () => {
    const token = await deliver('sys/wrapping/wrap');
    const { code, out } = await runWith(writeConfiguration(wrappedSecretId()), 'secrets', 'check');
    assert.equal(code, 77, out);
    assert.match(out, /was not created at "auth\/approle\/role\/gatehouse\/secret-id"/);
    assert.equal(await isWrapped(token), true);
  });

  it('vault review F5: checks use no wrapping token up, and serve starts after them', async () => {
    const token = await deliver();
    const path = writeConfiguration(wrappedSecretId());
    for (const words of [
      ['secrets', 'check'],
      ['check', '--probe'],
    ]) {
      const { code, out, err } = await runWith(path, ...words);
      assert.equal(code, 0, out);
      assert.match(err, /The wrapping token for Vault is valid. A check does not use it/);
      assert.equal(await isWrapped(token), true);
    }
    assert.equal((await callOnce(wrappedSecretId())).status, 200);
    assert.equal(await isWrapped(token), false);
  });

  it('vault review F5: checks remove no secret id file, and serve removes it', async () => {
    const { data } = await bao.ask('POST', `${ROLE}/secret-id`);
    const file = join(folder, 'secret_id');
    writeFileSync(file, String(data['secret_id']));
    const config = configuration(
      '{ method: approle, roleIdFile: role_id, secretIdFile: secret_id, removeSecretIdFile: true }',
    );
    const path = writeConfiguration(config);
    assert.equal((await runWith(path, 'secrets', 'check')).code, 0);
    assert.equal((await runWith(path, 'check', '--probe')).code, 0);
    assert.equal(existsSync(file), true);
    assert.equal((await callOnce(config)).status, 200);
    assert.equal(existsSync(file), false);
  });

  it('takes the wrapped token of a real bao agent', async () => {
    const { data } = await bao.ask('POST', `${ROLE}/secret-id`);
    writeFileSync(join(folder, 'secret_id'), String(data['secret_id']));
    const sink = join(folder, 'sink');
    const agent = startAgent(bao, folder, sink);
    try {
      await until(() => existsSync(sink) && readFileSync(sink, 'utf8') !== '');
      const { status, log } = await callOnce(configuration(`{ method: token_file, file: ${sink} }`));
      assert.equal(status, 200, log);
      assert.doesNotMatch(log, /stolen/);
    } finally {
      agent.kill();
      await once(agent, 'exit');
    }
  });
});

/** Starts `bao agent`, which logs in with the AppRole in the folder and writes its wrapped token to a file. */
function startAgent(bao: OpenBao, folder: string, sink: string): ChildProcess {
  const config = join(folder, 'agent.hcl');
  writeFileSync(
    config,
    `vault { address = "${bao.address}" }
auto_auth {
  method "approle" {
    config = {
      role_id_file_path                   = "${folder}/role_id"
      secret_id_file_path                 = "${folder}/secret_id"
      remove_secret_id_file_after_reading = false
    }
  }
  sink "file" {
    wrap_ttl = "5m"
    config   = { path = "${sink}" }
  }
}
`,
  );
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  return spawn(findOpenBao() ?? '', ['agent', `-config=${config}`], { cwd: folder, env, stdio: 'ignore' });
}

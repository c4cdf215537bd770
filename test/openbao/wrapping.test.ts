import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findOpenBao, OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import type { OpenBao } from '../support/openbao.js';
import { until } from '../support/until.js';
import { type Bench, callOnce, callWorks, checked, openBench, READ_ADAPTERS } from './bench.js';
import { type Configuration, startGatehouse } from './gatehouse.js';

const ROLE = 'auth/approle/role/gatehouse';
const LOGIN = 'method: approle, roleIdFile: role_id, secretIdFile: secret_id';

describeWith(OPENBAO, 'vault review F2: a wrapped credential, on a real OpenBao', () => {
  let bench: Bench;
  let bao: OpenBao;
  before(async () => {
    bench = await openBench();
    ({ bao } = bench);
    const policy = `${READ_ADAPTERS}\n${READ_ADAPTERS.replace('/data/', '/subkeys/')}`;
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy } });
  });
  after(() => bench.close());

  /** Returns a configuration with the files of an AppRole; the auth may name others in its folder. */
  const configuration = async (auth: string): Promise<Configuration> =>
    bench.configuration([`auth: { ${auth} }`], (await bench.appRole('gatehouse')).files);
  /** Writes a wrapped secret id to its file, as text or as the JSON of the command line; returns the wrapping token. */
  const deliver = async (path = `${ROLE}/secret-id`, isJson = false) => {
    const config = await configuration(
      `${LOGIN}, secretIdWrapped: true, secretIdWrapPath: ${ROLE}/secret-id`,
    );
    const body = path === 'sys/wrapping/wrap' ? { secret_id: 'forged' } : {};
    const { wrap_info: info } = await bao.ask('POST', path, { body, headers: { 'x-vault-wrap-ttl': '600' } });
    const token = String(info['token']);
    writeFileSync(
      join(config.folder, 'secret_id'),
      isJson ? JSON.stringify({ wrap_info: info }) : `${token}\n`,
    );
    return { config, token };
  };
  const isWrapped = async (token: string): Promise<boolean> =>
    (await bao.ask('POST', 'sys/wrapping/lookup', { body: { token }, token: '', allow: [400, 403] }))
      .status === 200;
  for (const isJson of [false, true])
    it(`logs in with a wrapped secret id, delivered as ${isJson ? 'JSON' : 'a token'}, without an alarm`, async () => {
      const { status, log } = await callOnce((await deliver(undefined, isJson)).config);
      assert.equal(status, 200, log);
      assert.doesNotMatch(log, /stolen/);
    });

  it('raises the alarm for a wrapping token that was used before, and ends with 77', async () => {
    const { config, token } = await deliver();
    await bao.ask('POST', 'sys/wrapping/unwrap', { token });
    assert.match(await checked(config), /^77 .*was already used, or it has expired \[VAULT_WRAP_INVALID\]/s);
    await assert.rejects(startGatehouse(config), /VAULT_WRAP_INVALID/);
  });

  it('raises the alarm for a reply that was wrapped elsewhere, and leaves it wrapped', async () => {
    const { config, token } = await deliver('sys/wrapping/wrap');
    assert.match(
      await checked(config, 'secrets', 'check'),
      /^77 .*was not created at "auth\/approle\/role\/gatehouse\/secret-id"/s,
    );
    assert.equal(await isWrapped(token), true);
  });

  it('vault review F5: checks use no wrapping token up, and serve starts after them', async () => {
    const { config, token } = await deliver();
    for (const words of CHECKS) {
      const said = await checked(config, ...words);
      assert.match(said, /^0 .*The wrapping token for Vault is valid. A check does not use it/s);
      assert.equal(await isWrapped(token), true);
    }
    await callWorks(config);
    assert.equal(await isWrapped(token), false);
  });

  it('vault review F5: checks remove no secret id file, and serve removes it', async () => {
    const config = await configuration(`${LOGIN}, removeSecretIdFile: true`);
    const file = join(config.folder, 'secret_id');
    for (const words of CHECKS) assert.match(await checked(config, ...words), /^0 /);
    assert.equal(existsSync(file), true);
    await callWorks(config);
    assert.equal(existsSync(file), false);
  });

  it('takes the wrapped token of a real bao agent', async () => {
    const config = await configuration('method: token_file, file: sink');
    const sink = join(config.folder, 'sink');
    const agent = startAgent(bao, config.folder, sink);
    try {
      await until(() => existsSync(sink) && readFileSync(sink, 'utf8') !== '');
      const { status, log } = await callOnce(config);
      assert.equal(status, 200, log);
      assert.doesNotMatch(log, /stolen/);
    } finally {
      agent.kill();
      await once(agent, 'exit');
    }
  });
});

const CHECKS = [['secrets', 'check'], ['check', '--probe']]; // prettier-ignore

/** Starts `bao agent`, which
 logs in with the AppRole in the folder and writes its wrapped token to a file. */
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

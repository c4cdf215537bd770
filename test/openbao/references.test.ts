import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import {
  basicAdapter,
  type Orchestrator,
  runWith,
  startGatehouse,
  startOrchestrator,
  writeConfiguration,
} from './gatehouse.js';

const PASSWORD = 'pw-of-the-references';

describeWith(OPENBAO, 'references, on a real OpenBao', () => {
  let bao: OpenBao;
  let orchestrator: Orchestrator;
  let folder: string;
  before(async () => {
    bao = await startOpenBao();
    orchestrator = await startOrchestrator((_, password) => password === PASSWORD);
    await bao.ask('POST', 'sys/namespaces/team1');
    await bao.ask('POST', 'sys/auth/approle', { body: { type: 'approle' }, namespace: 'team1' });
    await bao.ask('POST', 'auth/approle/role/gatehouse', { body: {}, namespace: 'team1' });
    for (const [name, namespace] of [
      ['kv', ''],
      ['kv', 'team1'],
    ] as const) {
      await bao.ask('POST', `sys/mounts/${name}`, {
        body: { type: 'kv', options: { version: '1' } },
        namespace,
      });
      await bao.ask('POST', `${name}/auth/nso1`, { body: { password: PASSWORD }, namespace });
    }
    await bao.ask('POST', 'secret/data/adapters/nso1', { body: { data: { password: PASSWORD } } });
  });
  after(async () => {
    await orchestrator.close();
    await bao.close();
  });
  beforeEach(() => {
    folder = temporaryFolder().path;
  });

  const configuration = (reference: string, vault: readonly string[], token = bao.token) => {
    writeFileSync(join(folder, 'token'), token);
    return {
      folder,
      vault: [`address: ${bao.address}`, 'auth: { method: token, tokenFile: token }', ...vault],
      adapters: { nso1: basicAdapter(orchestrator.url, 'admin', reference) },
    };
  };
  /** Returns the code of `secrets check` for the reference, and the state of the adapter in a running gatehouse. */
  const bothOf = async (...input: Parameters<typeof configuration>): Promise<readonly [string, number]> => {
    const config = configuration(...input);
    const { out } = await runWith(writeConfiguration(config), 'secrets', 'check', '--json');
    const [found] = JSON.parse(out) as readonly { readonly state: string; readonly code?: string }[];
    const gatehouse = await startGatehouse(config);
    try {
      return [found?.code ?? found?.state ?? '', (await gatehouse.call('nso1')).status];
    } finally {
      await gatehouse.close();
    }
  };

  for (const kvVersion of ['1', 'auto'])
    for (const path of ['auth/approle/role/gatehouse/role-id#role_id', 'sys/auth#approle/'])
      it(`vault review F8: /team1/${path} does not reach the API behind a namespace (kvVersion: ${kvVersion})`, async () => {
        const [code, status] = await bothOf(`$VAULT_/team1/${path}`, [`kvVersion: ${kvVersion}`]);
        assert.notEqual(code, 'ok');
        assert.equal(status, 503);
      });

  it('reads a secret at a path that has "auth" in it, below the mount that the settings name', async () => {
    assert.deepEqual(await bothOf('$VAULT_/kv/auth/nso1#password', ['kvVersion: 1', 'mount: kv']), [
      'ok',
      200,
    ]);
    assert.deepEqual(await bothOf('$VAULT_auth/nso1#password', ['kvVersion: 1', 'mount: team1/kv']), [
      'ok',
      200,
    ]);
    assert.deepEqual(await bothOf('$VAULT_/kv/auth/nso1#password', ['kvVersion: auto']), ['ok', 200]);
  });

  it('vault review F9: a version of KV version 1 fails in secrets check as in serve', async () => {
    const reference = '$VAULT_/kv/auth/nso1?version=1#password';
    assert.deepEqual(await bothOf(reference, ['kvVersion: 1', 'mount: kv']), [
      'VAULT_KV_VERSION_MISMATCH',
      503,
    ]);
  });

  it('secrets check reports a secret that the policy lets it list, but not read', async () => {
    await bao.ask('PUT', 'sys/policies/acl/names', {
      body: { policy: 'path "secret/subkeys/adapters/*" { capabilities = ["read"] }' },
    });
    const { auth } = await bao.ask('POST', 'auth/token/create', {
      body: { policies: ['names'], no_parent: true },
    });
    const token = String(auth['client_token']);
    assert.deepEqual(await bothOf('$VAULT_adapters/nso1#password', [], token), ['VAULT_DENIED', 503]);
  });
});

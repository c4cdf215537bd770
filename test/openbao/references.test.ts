import assert from 'node:assert/strict';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type Bench, callOnce, openBench, PASSWORD, TOKEN_FILE } from './bench.js';
import { runWith, writeConfiguration } from './gatehouse.js';

describeWith(OPENBAO, 'references, on a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
    const post = (path: string, body: object = {}, namespace = '') =>
      bench.bao.ask('POST', path, { body, namespace });
    await post('sys/namespaces/team1');
    await post('sys/auth/approle', { type: 'approle' }, 'team1');
    await post('auth/approle/role/gatehouse', {}, 'team1');
    for (const namespace of ['', 'team1']) {
      await post('sys/mounts/kv', { type: 'kv', options: { version: '1' } }, namespace);
      await post('kv/auth/nso1', { password: PASSWORD }, namespace);
    }
  });
  after(() => bench.close());

  /** Returns the code of `secrets check` for the reference, and the status of a call in a running gatehouse. */
  const bothOf = async (
    reference: string,
    vault: readonly string[],
    token = bench.bao.token,
  ): Promise<readonly [string, number]> => {
    const config = bench.configuration([TOKEN_FILE, ...vault], { token }, reference);
    const { out } = await runWith(writeConfiguration(config), 'secrets', 'check', '--json');
    const [found] = JSON.parse(out) as readonly { readonly state: string; readonly code?: string }[];
    return [found?.code ?? found?.state ?? '', (await callOnce(config)).status];
  };

  for (const kvVersion of ['1', 'auto'])
    for (const path of ['auth/approle/role/gatehouse/role-id#role_id', 'sys/auth#approle/'])
      it(`vault review F8: /team1/${path} does not reach the API behind a namespace (kvVersion: ${kvVersion})`, async () => {
        const [code, status] = await bothOf(`$VAULT_/team1/${path}`, [`kvVersion: ${kvVersion}`]);
        assert.notEqual(code, 'ok');
        assert.equal(status, 503);
      });

  it('reads a secret at a path that has "auth" in it, below the mount that the settings name', async () => {
    for (const [reference, ...vault] of [
      ['$VAULT_/kv/auth/nso1#password', 'kvVersion: 1', 'mount: kv'],
      ['$VAULT_auth/nso1#password', 'kvVersion: 1', 'mount: team1/kv'],
      ['$VAULT_/kv/auth/nso1#password', 'kvVersion: auto'],
    ] as const)
      assert.deepEqual(await bothOf(reference, vault), ['ok', 200]);
  });

  it('vault review F9: a version of KV version 1 fails in secrets check as in serve', async () => {
    const found = await bothOf('$VAULT_/kv/auth/nso1?version=1#password', ['kvVersion: 1', 'mount: kv']);
    assert.deepEqual(found, ['VAULT_KV_VERSION_MISMATCH', 503]);
  });

  it('secrets check reports a secret that the policy lets it list, but not read', async () => {
    const policy = 'path "secret/subkeys/adapters/*" { capabilities = ["read"] }';
    await bench.bao.ask('PUT', 'sys/policies/acl/names', { body: { policy } });
    const token = await bench.createToken({ policies: ['names'], no_parent: true });
    assert.deepEqual(await bothOf('$VAULT_adapters/nso1#password', [], token), ['VAULT_DENIED', 503]);
  });

  it('secrets check finds the policy of a path with a space (bug: VAULT_DENIED, although serve reads it)', async () => {
    const body = { data: { password: PASSWORD } };
    await bench.bao.ask('POST', 'secret/data/adapters/sp%20ace', { body });
    const paths = ['data', 'subkeys'].map(
      (part) => `path "secret/${part}/adapters/sp ace" { capabilities = ["read"] }`,
    );
    await bench.bao.ask('PUT', 'sys/policies/acl/spaced', { body: { policy: paths.join('\n') } });
    const token = await bench.createToken({ policies: ['spaced'], no_parent: true });
    assert.deepEqual(await bothOf('$VAULT_adapters/sp%20ace#password', [], token), ['ok', 200]);
  });
});

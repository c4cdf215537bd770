import assert from 'node:assert/strict';
import type { VaultFolder } from '../../src/features/secrets-page/vault-browse-view.js';
import type { CallResult } from '../support/call.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import type { OpenBaoPlace } from '../support/openbao.js';
import { type Bench, createAppRole, openBench, putSecret, withGatehouse } from './bench.js';
import type { Gatehouse } from './gatehouse.js';

/** Members of the block `vault` that every test has. */
const COMMON = ['adapterScope: adapters', 'request: { attempts: 1, deadlineMs: 1000 }'];

const POLICY = `path "secret/data/adapters/*" { capabilities = ["read"] }
path "secret/metadata/adapters/*" { capabilities = ["list"] }`;

function inMemory({ port }: OpenBaoPlace): string {
  return `storage "inmem" {}
listener "tcp" {
  address = "127.0.0.1:${port}"
  tls_disable = true
}
api_addr = "http://127.0.0.1:${port}"
disable_mlock = true
`;
}

function ask(gatehouse: Gatehouse, path = ''): Promise<CallResult> {
  const query = new URLSearchParams({ adapter: 'new1', ...(path !== '' && { path }) });
  return gatehouse.admin('GET', `/console/vault/paths?${query.toString()}`);
}

async function folderOf(gatehouse: Gatehouse, path = ''): Promise<VaultFolder> {
  const reply = await ask(gatehouse, path);
  assert.equal(reply.status, 200, reply.text);
  assert.ok(!reply.text.includes('pw-of'), reply.text);
  return reply.json as VaultFolder;
}

const namesOf = ({ entries }: VaultFolder): readonly string[] => entries.results.map(({ name }) => name);

describeWith(OPENBAO, 'GET /console/vault/paths, on a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({ config: inMemory });
    const { bao } = bench;
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: POLICY } });
    await bao.ask('POST', 'sys/namespaces/team1');
    const body = { type: 'kv', options: { version: '2' } };
    await bao.ask('POST', 'sys/mounts/secret', { body, namespace: 'team1' });
    await putSecret(bao, { namespace: 'team1' });
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: POLICY }, namespace: 'team1' });
    await bao.ask('POST', 'sys/auth/approle', { body: { type: 'approle' }, namespace: 'team1' });
    await bao.ask('POST', 'secret/data/adapters/team%201/keys', {
      body: { data: { 'ssh key': 'pw-of-ssh' } },
    });
  });
  after(() => bench.close());

  const withLines = async (
    lines: readonly string[],
    work: (gatehouse: Gatehouse) => Promise<void>,
  ): Promise<void> => {
    const { auth, files } = await bench.appRole('edge');
    await withGatehouse(bench.configuration([auth, ...COMMON, ...lines], files), work);
  };

  it('lists below vault.adapterScope, with references to the fields', () =>
    withLines(['kvVersion: auto'], async (gatehouse) => {
      assert.deepEqual(namesOf(await folderOf(gatehouse)), ['nso1', 'team 1']);
      const { secret } = await folderOf(gatehouse, 'adapters/team%201/keys');
      assert.deepEqual(secret.fields, [
        { name: 'ssh key', reference: '$VAULT_adapters/team%201/keys#ssh%20key', refusal: null },
      ]);
    }));

  it('lists in a namespace, and nothing of another one', async () => {
    const { auth, files } = await createAppRole(bench.bao, 'team', { namespace: 'team1' });
    const lines = [auth, ...COMMON, 'namespace: team1'];
    await withGatehouse(bench.configuration(lines, files), async (gatehouse) => {
      assert.deepEqual(namesOf(await folderOf(gatehouse)), ['nso1']);
    });
  });

  it('says which policy is missing for the capability list, and lists the fields nevertheless', async () => {
    const { bao } = bench;
    const policy = 'path "secret/data/adapters/*" { capabilities = ["read"] }';
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy } });
    await withLines([], async (gatehouse) => {
      const { entries, secret } = await folderOf(gatehouse, 'adapters/nso1');
      assert.match(
        entries.fault?.fix ?? '',
        /path "secret\/metadata\/adapters\/nso1\/\*" \{ capabilities = \["list"\] \}/,
      );
      assert.deepEqual(
        secret.fields.map(({ name }) => name),
        ['password'],
      );
      // The advice of the top folder opens the folders below it as well.
      const advice = /path .*\}/.exec((await folderOf(gatehouse)).entries.fault?.fix ?? '')?.[0] ?? '';
      await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: `${policy}\n${advice}` } });
      assert.deepEqual(namesOf(await folderOf(gatehouse)), ['nso1', 'team 1']);
      assert.deepEqual(namesOf(await folderOf(gatehouse, 'adapters/team%201')), ['keys']);
    });
  });
});

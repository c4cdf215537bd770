import assert from 'node:assert/strict';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type Bench, createAppRole, openBench, putSecret, READ_ADAPTERS, withGatehouse } from './bench.js';
import { runWith, writeConfiguration } from './gatehouse.js';

describeWith(OPENBAO, 'namespaces, on a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
    const { bao } = bench;
    await bao.ask('POST', 'sys/namespaces/team1');
    await bao.ask('POST', 'sys/namespaces/child', { namespace: 'team1' });
    for (const namespace of ['team1', 'team1/child']) {
      const body = { type: 'kv', options: { version: '2' } };
      await bao.ask('POST', 'sys/mounts/secret', { body, namespace });
      await putSecret(bao, { namespace });
    }
    const inChild = READ_ADAPTERS.replace('secret/', 'child/secret/');
    const policy = [READ_ADAPTERS, READ_ADAPTERS.replace('/data/', '/subkeys/'), inChild].join('\n');
    await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy }, namespace: 'team1' });
    await bao.ask('POST', 'sys/auth/approle', { body: { type: 'approle' }, namespace: 'team1' });
  });
  after(() => bench.close());

  const callWorks = async (...lines: readonly string[]): Promise<void> => {
    const { auth, files } = await createAppRole(bench.bao, 'team', { namespace: 'team1' });
    const login = auth.replace(' }', `${lines[0] ?? ''} }`);
    await withGatehouse(bench.configuration([login, ...lines.slice(1)], files), async (gatehouse) => {
      assert.equal((await gatehouse.call('nso1')).status, 200, gatehouse.log());
    });
  };

  it('R-16 logs in and reads in the namespace of the settings', () => callWorks('', 'namespace: team1'));
  it('R-16 takes a namespace with a slash at the end', () => callWorks('', 'namespace: team1/'));
  it('R-16 logs in to another namespace than that of the secrets', () =>
    callWorks(', namespace: team1', 'namespace: team1/child'));
  it('R-16 reads below a mount in a child namespace', () =>
    callWorks('', 'namespace: team1', 'mount: child/secret'));
  it('R-12 finds the version of an engine in a namespace', () =>
    callWorks('', 'namespace: team1', 'kvVersion: auto'));
  it('R-12 names vault.kvVersion for an engine in a child namespace, which Vault does not report', async () => {
    const { auth, files } = await createAppRole(bench.bao, 'team', { namespace: 'team1' });
    const lines = [auth, 'namespace: team1', 'kvVersion: auto', 'mount: child/secret'];
    const path = writeConfiguration(bench.configuration(lines, files));
    const { code, out } = await runWith(path, 'check', '--probe');
    assert.equal(code, 77);
    assert.match(out, /does not report which engine serves "child\/secret.*Set vault.kvVersion to 1 or 2/s);
  });

  it('secrets check asks in the namespace', async () => {
    const { auth, files } = await createAppRole(bench.bao, 'team', { namespace: 'team1' });
    const path = writeConfiguration(bench.configuration([auth, 'namespace: team1'], files));
    const { code, out } = await runWith(path, 'secrets', 'check');
    assert.equal(code, 0, out);
    const wrong = writeConfiguration(bench.configuration([auth, 'namespace: team2'], files));
    assert.match((await runWith(wrong, 'secrets', 'check')).out, /no namespace/);
  });
});

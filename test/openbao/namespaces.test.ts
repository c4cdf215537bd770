import assert from 'node:assert/strict';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import {
  type Bench,
  callWorks,
  checked,
  createAppRole,
  openBench,
  putSecret,
  READ_ADAPTERS,
} from './bench.js';

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

  const configuration = async (...lines: readonly string[]) => {
    const { auth, files } = await createAppRole(bench.bao, 'team', { namespace: 'team1' });
    return bench.configuration([auth.replace(' }', `${lines[0] ?? ''} }`), ...lines.slice(1)], files);
  };

  for (const [title, ...lines] of [
    ['R-16 logs in and reads in the namespace of the settings', '', 'namespace: team1'],
    ['R-16 takes a namespace with a slash at the end', '', 'namespace: team1/'],
    [
      'R-16 logs in to another namespace than that of the secrets',
      ', namespace: team1',
      'namespace: team1/child',
    ],
    ['R-16 reads below a mount in a child namespace', '', 'namespace: team1', 'mount: child/secret'],
    ['R-12 finds the version of an engine in a namespace', '', 'namespace: team1', 'kvVersion: auto'],
  ] as const)
    it(title, async () => {
      await callWorks(await configuration(...lines));
    });

  it('R-12 names vault.kvVersion for an engine in a child namespace, which Vault does not report', async () => {
    const config = await configuration('', 'namespace: team1', 'kvVersion: auto', 'mount: child/secret');
    assert.match(
      await checked(config),
      /^77 .*does not report which engine serves "child\/secret.*Set vault.kvVersion to 1 or 2/s,
    );
  });

  it('secrets check asks in the namespace', async () => {
    assert.match(await checked(await configuration('', 'namespace: team1'), 'secrets', 'check'), /^0 /);
    assert.match(
      await checked(await configuration('', 'namespace: team2'), 'secrets', 'check'),
      /no namespace/,
    );
  });
});

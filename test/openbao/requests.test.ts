import assert from 'node:assert/strict';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { until } from '../support/until.js';
import { auditedServer, type Bench, checked, openBench, requestsOf, withGatehouse } from './bench.js';

// What gatehouse asks for, as the audit device of the server has recorded it.
describeWith(OPENBAO, 'the requests to a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({ config: auditedServer });
    const policy = ['data', 'subkeys'].map((part) => `path "secret/${part}/*" { capabilities = ["read"] }`);
    await bench.bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: policy.join('\n') } });
  });
  after(() => bench.close());

  /** Returns the operation and the path of each request that arrives during some work. */
  const during = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = requestsOf(bench.bao).length;
    await work();
    return targets().slice(before);
  };
  const targets = () => requestsOf(bench.bao).map(({ operation, path }) => `${operation} ${path}`);
  const LOGIN = 'update auth/approle/login';

  it('R-04 a start logs in once and reads each path once, and the end revokes the token', async () => {
    const { auth, files } = await bench.appRole('requests');
    const config = bench.configuration([auth], files);
    const adapter = config.adapters['nso1'] ?? '';
    const adapters = { nso1: adapter, nso2: adapter, nso3: adapter };
    const requests = await during(() => withGatehouse({ ...config, adapters }, () => Promise.resolve()));
    assert.deepEqual(requests, [LOGIN, 'read secret/data/adapters/nso1', 'update auth/token/revoke-self']);
  });

  it('X-05 secrets check reads no value', async () => {
    const { auth, files } = await bench.appRole('checked');
    const requests = await during(async () => {
      assert.match(await checked(bench.configuration([auth], files), 'secrets', 'check'), /^0 /);
    });
    assert.deepEqual(requests, [
      LOGIN,
      'update sys/capabilities-self',
      'read secret/subkeys/adapters/nso1',
      'update auth/token/revoke-self',
    ]);
  });

  it('X-05 secrets check sends nothing while the configuration has faults', async () => {
    const { auth, files } = await bench.appRole('faulty');
    const config = { ...bench.configuration([auth], files), adapters: { nso1: 'plugin: nothing\n' } };
    const requests = await during(async () => {
      assert.match(await checked(config, 'secrets', 'check'), /^78 /);
    });
    assert.deepEqual(requests, []);
  });

  it('has no secret in any path, and no secret of the server in the log', async () => {
    const { auth, files } = await bench.appRole('quiet');
    let log = '';
    const requests = await during(() =>
      withGatehouse(bench.configuration([auth], files), async (gatehouse) => {
        await gatehouse.server.reload();
        log = gatehouse.log();
      }),
    );
    for (const secret of [...Object.values(files), 'pw-of-the-orchestrator'])
      assert.ok(!log.includes(secret) && !requests.join().includes(secret));
  });

  it('A-14 a login follows before the end of a token that the policy does not let renew', async () => {
    const terms = { token_ttl: '6s', token_no_default_policy: true };
    const { auth, files } = await bench.appRole('not-renewed', terms);
    const logins = (): number => targets().filter((target) => target === LOGIN).length;
    const before = logins();
    await withGatehouse(bench.configuration([auth], files), async (gatehouse) => {
      await until(() => logins() >= before + 2);
      await gatehouse.server.reload();
      assert.equal((await gatehouse.call('nso1')).status, 200);
      assert.match(gatehouse.log(), /auth\/token\/renew-self.*update/s);
      assert.doesNotMatch(gatehouse.log(), /secret not confirmed/);
    });
  });
});

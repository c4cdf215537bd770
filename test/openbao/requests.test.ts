import assert from 'node:assert/strict';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import {
  auditedServer,
  type AuditedRequest,
  type Bench,
  openBench,
  requestsOf,
  withGatehouse,
} from './bench.js';
import { runWith, writeConfiguration } from './gatehouse.js';

// What gatehouse asks for, as the audit device of the server has recorded it.
describeWith(OPENBAO, 'the requests to a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({ config: auditedServer });
    const policy = ['data', 'subkeys'].map((part) => `path "secret/${part}/*" { capabilities = ["read"] }`);
    await bench.bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: policy.join('\n') } });
  });
  after(() => bench.close());

  /** Returns the requests that arrive during some work. */
  const during = async (work: () => Promise<unknown>): Promise<readonly AuditedRequest[]> => {
    const before = requestsOf(bench.bao).length;
    await work();
    return requestsOf(bench.bao).slice(before);
  };
  const targets = (requests: readonly AuditedRequest[]): readonly string[] =>
    requests.map(({ operation, path }) => `${operation} ${path}`);

  it('R-04 a start logs in once and reads each path once, and the end revokes the token', async () => {
    const { auth, files } = await bench.appRole('requests');
    const config = bench.configuration([auth], files);
    const adapter = config.adapters['nso1'] ?? '';
    const adapters = { nso1: adapter, nso2: adapter, nso3: adapter };
    const requests = await during(() => withGatehouse({ ...config, adapters }, () => Promise.resolve()));
    assert.deepEqual(targets(requests), [
      'update auth/approle/login',
      'read secret/data/adapters/nso1',
      'update auth/token/revoke-self',
    ]);
  });

  it('X-05 secrets check reads no value', async () => {
    const { auth, files } = await bench.appRole('checked');
    const path = writeConfiguration(bench.configuration([auth], files));
    const requests = await during(async () => {
      assert.equal((await runWith(path, 'secrets', 'check')).code, 0);
    });
    assert.deepEqual(targets(requests), [
      'update auth/approle/login',
      'update sys/capabilities-self',
      'read secret/subkeys/adapters/nso1',
      'update auth/token/revoke-self',
    ]);
  });

  it('X-05 secrets check sends nothing while the configuration has faults', async () => {
    const { auth, files } = await bench.appRole('faulty');
    const config = bench.configuration([auth], files);
    const path = writeConfiguration({ ...config, adapters: { nso1: 'plugin: nothing\n' } });
    const requests = await during(async () => {
      assert.equal((await runWith(path, 'secrets', 'check')).code, 78);
    });
    assert.deepEqual(targets(requests), []);
  });

  it('has no secret in any path, and no secret of the server in the log', async () => {
    const { auth, files } = await bench.appRole('quiet');
    const requests = await during(() =>
      withGatehouse(bench.configuration([auth], files), async (gatehouse) => {
        await gatehouse.server.reload();
        for (const secret of [...Object.values(files), 'pw-of-the-orchestrator'])
          assert.ok(!gatehouse.log().includes(secret));
      }),
    );
    const paths = targets(requests).join('\n');
    for (const secret of [...Object.values(files), 'pw-of-the-orchestrator'])
      assert.ok(!paths.includes(secret));
  });
});

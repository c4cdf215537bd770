import assert from 'node:assert/strict';
import { OPENBAO, POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { startPostgres } from '../support/postgres-server.js';
import { until, eventually } from '../support/until.js';
import { auditedServer, type Bench, openBench, requestsOf, withGatehouse } from './bench.js';
import { acceptsLogin, connectDatabase } from './database-engine.js';
import { basicAdapter, type Configuration, type Orchestrator, startOrchestrator } from './gatehouse.js';

const POLICY = [
  'path "database/creds/*" { capabilities = ["read"] }',
  'path "sys/leases/revoke" { capabilities = ["update"] }',
];

describeWith([OPENBAO, POSTGRES_PROGRAMS], 'leased accounts, on a real OpenBao and a real PostgreSQL', () => {
  let bench: Bench;
  let orchestrator: Orchestrator;
  let roles = 0;
  const opened = openedBySuite();
  before(async () => {
    const { url } = await opened(startPostgres({ own: true }));
    bench = await opened(openBench({ config: auditedServer }));
    await bench.bao.ask('POST', 'sys/mounts/database', { body: { type: 'database' } });
    await bench.bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: POLICY.join('\n') } });
    await connectDatabase({ bao: bench.bao, name: 'short', url, ttlSeconds: 3, maxTtlSeconds: 3600 });
    await connectDatabase({ bao: bench.bao, name: 'capped', url, ttlSeconds: 3, maxTtlSeconds: 5 });
    await connectDatabase({ bao: bench.bao, name: 'long', url });
    orchestrator = await opened(
      startOrchestrator((username, password) => acceptsLogin(url, username, password)),
    );
  });

  const count = (target: string): number =>
    requestsOf(bench.bao).filter(({ operation, path }) => `${operation} ${path}` === target).length;
  const leasesOf = async (role: string): Promise<readonly string[]> => {
    const { data } = await bench.bao.ask('LIST', `sys/leases/lookup/database/creds/${role}`, {
      allow: [404],
    });
    return (data['keys'] ?? []) as readonly string[];
  };
  const configuration = async (
    role: string,
    terms?: Readonly<Record<string, unknown>>,
  ): Promise<Configuration> => {
    roles += 1;
    const { auth, files } = await bench.appRole(`role-${roles}`, { token_ttl: '1h', ...terms });
    const reference = `$VAULT_/database/creds/${role}`;
    const adapter = basicAdapter(orchestrator.url, `${reference}#username`, `${reference}#password`);
    return { ...bench.configuration([auth, 'kvVersion: 1'], files), adapters: { nso1: adapter } };
  };
  const RENEWAL = 'update sys/leases/renew';

  it('S-10 user and password are of one lease, which is renewed at two thirds of its life', async () => {
    const [reads, renewals] = [count('read database/creds/short'), count(RENEWAL)];
    await withGatehouse(await configuration('short'), async (gatehouse) => {
      assert.equal((await gatehouse.call('nso1')).status, 200, gatehouse.log());
      await until(() => count(RENEWAL) >= renewals + 2);
      assert.equal((await gatehouse.call('nso1')).status, 200);
    });
    assert.equal(count('read database/creds/short'), reads + 1);
    // The accounts of a token end with it.
    await eventually(async () => {
      assert.deepEqual(await leasesOf('short'), []);
    });
  });

  it('S-12 an account whose lease was revoked by somebody else is read again with the next call', async () => {
    await withGatehouse(await configuration('long'), async (gatehouse) => {
      assert.equal((await gatehouse.call('nso1')).status, 200);
      await bench.bao.ask('PUT', 'sys/leases/revoke-prefix/database/creds/long');
      assert.equal((await gatehouse.call('nso1')).status, 200);
    });
  });
});

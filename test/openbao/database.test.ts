import assert from 'node:assert/strict';
import { column } from '../support/columns.js';
import { OPENBAO, POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { eventually, until } from '../support/until.js';
import { auditedServer, type Bench, openBench, requestsOf, TOKEN_FILE, withGatehouse } from './bench.js';
import { acceptsLogin, connectDatabase } from './database-engine.js';
import {
  basicAdapter,
  type Orchestrator,
  runWith,
  startOrchestrator,
  writeConfiguration,
} from './gatehouse.js';

const DATABASES = ['inventory', 'topology', 'billing'];
/** Its server is not running at the start. */
const DOWN = 'billing';
/** Its accounts end after three seconds, unless their lease is renewed. */
const SHORT = 'short';

const POLICY = [
  'path "database/creds/*" { capabilities = ["read"] }',
  'path "sys/leases/revoke" { capabilities = ["update"] }',
];

describeWith(
  [OPENBAO, POSTGRES_PROGRAMS],
  'accounts of the database engine, on a real OpenBao and a real PostgreSQL',
  () => {
    let bench: Bench;
    let paused: PostgresServer;
    const orchestrators = new Map<string, Orchestrator>();
    const opened = openedBySuite();
    before(async () => {
      const up = await opened(startPostgres({ own: true }));
      paused = await opened(startPostgres({ own: true }));
      bench = await opened(openBench({ config: auditedServer }));
      const { bao } = bench;
      await bao.ask('POST', 'sys/mounts/database', { body: { type: 'database' } });
      await bao.ask('PUT', 'sys/policies/acl/gatehouse', { body: { policy: POLICY.join('\n') } });
      for (const name of [...DATABASES, SHORT]) {
        const { url } = name === DOWN ? paused : up;
        const terms = name === SHORT && { ttlSeconds: 3, maxTtlSeconds: 3600 };
        await connectDatabase({ bao, name, url, ...terms });
        const accepts = (username: string, password: string) => acceptsLogin(url, username, password);
        orchestrators.set(name, await opened(startOrchestrator(accepts)));
      }
      await paused.pause();
    });

    const adapterOf = (name: string): string => {
      const reference = `$VAULT_/database/creds/${name}`;
      return basicAdapter(
        orchestrators.get(name)?.url ?? '',
        `${reference}#username`,
        `${reference}#password`,
      );
    };
    const configuration = () => ({
      ...bench.configuration(['kvVersion: auto', TOKEN_FILE], { token: bench.bao.token }),
      adapters: Object.fromEntries(DATABASES.map((name) => [name, adapterOf(name)])),
    });
    const leasesOf = async (role: string): Promise<unknown> =>
      (await bench.bao.ask('LIST', `sys/leases/lookup/database/creds/${role}`, { allow: [404] })).data[
        'keys'
      ];

    it('secrets check does not read an account, because each read creates one', async () => {
      const { code, out } = await runWith(writeConfiguration(configuration()), 'secrets', 'check', '--json');
      assert.equal(code, 0);
      const states = column(JSON.parse(out) as readonly { readonly state: string }[], 'state');
      assert.deepEqual(states, Array(6).fill('not asked'));
      assert.equal(await leasesOf(DOWN), undefined);
    });

    it('vault review F3: one of three databases is down, and the adapters of the two others serve', () =>
      withGatehouse(configuration(), async (gatehouse) => {
        const statuses = async () =>
          column(await Promise.all(DATABASES.map((name) => gatehouse.call(name))), 'status');
        assert.deepEqual(await statuses(), [200, 200, 503]);
        const [failure = ''] = /.*adapter is dead.*/.exec(gatehouse.log()) ?? [];
        assert.match(failure, /"adapter":"billing","code":"VAULT_ENGINE_FAILED"/);
        assert.match(failure, /"fix":"Check what this engine connects to/);

        await paused.resume();
        await gatehouse.admin('POST', '/admin/vault/refresh');
        await eventually(async () => {
          assert.equal((await gatehouse.call(DOWN)).status, 200);
        });
        assert.deepEqual(await statuses(), [200, 200, 200]);
      }));

    it('S-10 user and password are of one lease, which is renewed at two thirds of its life', async () => {
      const count = (target: string): number =>
        requestsOf(bench.bao).filter(({ operation, path }) => `${operation} ${path}` === target).length;
      const [READ, RENEWAL] = ['read database/creds/short', 'update sys/leases/renew'];
      const { auth, files } = await bench.appRole('leases', { token_ttl: '1h' });
      const config = bench.configuration([auth, 'kvVersion: 1'], files);
      await withGatehouse({ ...config, adapters: { nso1: adapterOf(SHORT) } }, async (gatehouse) => {
        assert.equal((await gatehouse.call('nso1')).status, 200, gatehouse.log());
        await until(() => count(RENEWAL) >= 2);
        assert.equal((await gatehouse.call('nso1')).status, 200);
      });
      assert.equal(count(READ), 1);
      // The accounts of a token end with it.
      await eventually(async () => {
        assert.equal(await leasesOf(SHORT), undefined);
      });
    });
  },
);

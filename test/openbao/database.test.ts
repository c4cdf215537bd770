import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPENBAO, POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';
import { acceptsLogin, connectDatabase } from './database-engine.js';
import {
  basicAdapter,
  type Configuration,
  type Orchestrator,
  runWith,
  startGatehouse,
  startOrchestrator,
  writeConfiguration,
} from './gatehouse.js';

const DATABASES = ['inventory', 'topology', 'billing'];
/** Its server is not running at the start. */
const DOWN = 'billing';

describeWith(
  [OPENBAO, POSTGRES_PROGRAMS],
  'accounts of the database engine, on a real OpenBao and a real PostgreSQL',
  () => {
    let bao: OpenBao;
    let paused: PostgresServer;
    const orchestrators = new Map<string, Orchestrator>();
    const opened = openedBySuite();
    before(async () => {
      const up = await opened(startPostgres({ own: true }));
      paused = await opened(startPostgres({ own: true }));
      bao = await opened(startOpenBao());
      await bao.ask('POST', 'sys/mounts/database', { body: { type: 'database' } });
      for (const name of DATABASES) {
        const { url } = name === DOWN ? paused : up;
        await connectDatabase({ bao, name, url });
        const accepts = (username: string, password: string) => acceptsLogin(url, username, password);
        orchestrators.set(name, await opened(startOrchestrator(accepts)));
      }
      await paused.pause();
    });

    const configuration = (): Configuration => {
      const folder = temporaryFolder().path;
      writeFileSync(join(folder, 'token'), bao.token);
      const adapters = Object.fromEntries(
        DATABASES.map((name) => {
          const reference = `$VAULT_/database/creds/${name}`;
          const url = orchestrators.get(name)?.url ?? '';
          return [name, basicAdapter(url, `${reference}#username`, `${reference}#password`)];
        }),
      );
      return {
        folder,
        vault: [`address: ${bao.address}`, 'kvVersion: auto', 'auth: { method: token, tokenFile: token }'],
        adapters,
      };
    };

    it('secrets check does not read an account, because each read creates one', async () => {
      const { code, out } = await runWith(writeConfiguration(configuration()), 'secrets', 'check', '--json');
      assert.equal(code, 0);
      const states = (JSON.parse(out) as readonly { readonly state: string }[]).map(({ state }) => state);
      assert.deepEqual(states, Array(6).fill('not asked'));
      const leases = await bao.ask('LIST', `sys/leases/lookup/database/creds/${DOWN}`, { allow: [404] });
      assert.equal(leases.status, 404);
    });

    it('vault review F3: one of three databases is down, and the adapters of the two others serve', async () => {
      const gatehouse = await startGatehouse(configuration());
      try {
        const statuses = async (): Promise<readonly number[]> =>
          (await Promise.all(DATABASES.map((name) => gatehouse.call(name)))).map(({ status }) => status);
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
      } finally {
        await gatehouse.close();
      }
    });
  },
);

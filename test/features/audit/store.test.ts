import assert from 'node:assert/strict';
import type { AuditStore } from '../../../src/features/audit/audit-trail.js';
import { auditStore } from '../../../src/features/audit/store.js';
import { openAuditTrail } from '../../../src/features/audit/trail/open-audit-trail.js';
import { verifyStore } from '../../../src/features/audit/trail/verify.js';
import { openStore } from '../../../src/features/open-store.js';
import { Connection } from '../../../src/storage/connection.js';
import { migrate } from '../../../src/storage/migrations.js';
import { openSqlite } from '../../../src/storage/sqlite.js';
import type { Database } from '../../../src/storage/tables.js';
import { auditRecord, seal } from '../../support/audit-record.js';
import { POSTGRES_PROGRAMS } from '../../support/need-list.js';
import { describeWith } from '../../support/needs.js';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.js';
import { until } from '../../support/until.js';

/** Error of PostgreSQL for a connection that the administrator ended (appendix A: admin_shutdown). */
const endedConnection = (): Error => Object.assign(new Error('terminating connection'), { code: '57P01' });

async function requestIds(store: AuditStore): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const rows of store.rows()) ids.push(...rows.map(({ entry }) => entry.requestId));
  return ids;
}

describe('auditStore (bug: a record was lost when its connection ended)', () => {
  let connection: Connection;
  beforeEach(async () => {
    connection = await Connection.open({
      async open() {
        const database = await openSqlite(':memory:');
        await migrate(database);
        return database;
      },
      isFatal: () => false,
    });
  });
  afterEach(() => connection.close());

  /** Returns a connection that ends at some uses, before or after the transaction is committed. */
  function unreliable(...ends: readonly ('before' | 'after')[]): Connection {
    let uses = 0;
    const use = async <Result>(work: (db: Database) => Promise<Result>): Promise<Result> => {
      const end = ends[uses];
      uses += 1;
      if (end === 'before') throw endedConnection();
      const result = await connection.use(work);
      if (end === 'after') throw endedConnection();
      return result;
    };
    return { use } as unknown as Connection;
  }

  for (const ends of [['before'], ['after'], ['before', 'after'], ['after', 'before']] as const)
    it(`stores each record once if the connection ends ${ends.join(' the commit, then ')} the commit`, async () => {
      const store = auditStore(connection);
      await store.append([auditRecord('first')], seal);
      await auditStore(unreliable(...ends)).append([auditRecord('a'), auditRecord('b')], seal);
      await store.append([auditRecord('last')], seal);
      assert.deepEqual(await requestIds(store), ['first', 'a', 'b', 'last']);
    });

  it('rejects after three attempts', async () => {
    const store = auditStore(unreliable('before', 'before', 'before'));
    await assert.rejects(store.append([auditRecord('a')], seal), { code: '57P01' });
    assert.deepEqual(await requestIds(auditStore(connection)), []);
  });
});

describeWith(POSTGRES_PROGRAMS, 'auditStore on a PostgreSQL server that ends its connections', () => {
  let server: PostgresServer;
  before(async () => (server = await startPostgres({ own: true })));
  after(() => server.close());

  it('stores all records once, in one chain', async () => {
    const store = await openStore(await server.newUrl());
    const trail = await openAuditTrail({ file: '', durability: 'store' }, { store: store.audit });
    const stored: string[] = [];
    let ends = 0;
    const append = async (id: string): Promise<void> => {
      await trail.append(auditRecord(id));
      stored.push(id);
    };
    const writing = (async () => {
      for (let round = 0; ends < 10; round += 1)
        await Promise.all([0, 1, 2].map((writer) => append(`${round}-${writer}`)));
    })();
    for (; ends < 10; ends += 1) {
      const before = stored.length;
      await until(() => stored.length > before + 5);
      await server.run(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse'",
      );
    }
    await writing;
    assert.deepEqual((await requestIds(store.audit)).toSorted(), stored.sort());
    assert.equal((await verifyStore(store.audit)).whole, true);
    await trail.close();
    await store.close();
  });
});

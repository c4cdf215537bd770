import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sql } from 'kysely';
import { insertAudit, selectAudit } from '../../src/storage/audit-table.js';
import { insertForm } from '../../src/storage/forms-table.js';
import { migrate } from '../../src/storage/migrate.js';
import { MIGRATIONS, type Migration } from '../../src/storage/migrations.js';
import { openSqlite } from '../../src/storage/sqlite.js';
import type { Database } from '../../src/storage/tables.js';
import { auditRecord } from '../support/audit-record.js';
import { form } from '../support/form.js';
import { temporaryFolder } from '../support/temporary-folder.js';

async function versionsOf(db: Database): Promise<readonly number[]> {
  const rows = await db.selectFrom('schemaVersions').select('version').orderBy('version').execute();
  return rows.map(({ version }) => version);
}

async function tablesOf(db: Database): Promise<readonly string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name);
}

const steps: readonly Migration[] = [
  ...MIGRATIONS,
  {
    version: MIGRATIONS.length + 1,
    name: 'one more',
    apply: async (db) => {
      await sql`create table one_more (id integer)`.execute(db);
    },
  },
];

const failing: readonly Migration[] = [
  ...MIGRATIONS,
  {
    version: MIGRATIONS.length + 1,
    name: 'half a step',
    apply: async (db) => {
      await sql`create table half (id integer)`.execute(db);
      await sql`insert into nowhere values (1)`.execute(db);
    },
  },
];

describe('migrations', () => {
  const folder = temporaryFolder();
  let count = 0;
  const newDatabase = (): string => join(folder.path, `migrate-${(count += 1)}.db`);

  it('are numbered 1, 2, 3, ... without gaps', () => {
    assert.deepEqual(
      MIGRATIONS.map(({ version }) => version),
      MIGRATIONS.map((_, at) => at + 1),
    );
  });

  it('are taken once, however often they run', async () => {
    const db = openSqlite(newDatabase());
    await migrate(db);
    await migrate(db);
    assert.deepEqual(
      await versionsOf(db),
      MIGRATIONS.map(({ version }) => version),
    );
    await db.destroy();
  });

  it('continue where an older version stopped', async () => {
    const db = openSqlite(newDatabase());
    await migrate(db);
    await migrate(db, steps);
    assert.ok((await tablesOf(db)).includes('one_more'));
    await assert.rejects(migrate(db), /newer gatehouse/);
    await db.destroy();
  });

  for (const { version } of MIGRATIONS)
    it(`lead from version ${version} to today's, and keep what was there`, async () => {
      const db = openSqlite(newDatabase());
      await migrate(db, MIGRATIONS.slice(0, version));
      await insertAudit(db, auditRecord('old'));
      await migrate(db);
      assert.deepEqual(await selectAudit(db, 9), [auditRecord('old')]);
      assert.ok(await insertForm(db, form(1)));
      assert.equal((await versionsOf(db)).length, MIGRATIONS.length);
      await db.destroy();
    });

  it('leave nothing of a step that fails', async () => {
    const db = openSqlite(newDatabase());
    await assert.rejects(migrate(db, failing), /nowhere/);
    assert.equal((await versionsOf(db)).length, MIGRATIONS.length);
    assert.ok(!(await tablesOf(db)).includes('half'));
    await migrate(db, steps);
    await db.destroy();
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { chained } from '../../src/features/audit/chain.js';
import { insertLinks, reserveLinks, selectAudit, selectChain } from '../../src/features/audit/store.js';
import { insertForm } from '../../src/features/forms/store.js';
import { insertTask, selectTask, tasksInOrder, tasksMatching } from '../../src/features/tasks/store.js';
import { taskPersonOf } from '../../src/features/tasks/task.js';
import { migrate, type Migration, MIGRATIONS } from '../../src/storage/migrations.js';
import { openSqlite } from '../../src/storage/sqlite.js';
import type { Database } from '../../src/storage/tables.js';
import { auditRecord, seal } from '../support/audit-record.js';
import { column } from '../support/columns.js';
import { form } from '../support/form.js';
import { task } from '../support/task.js';
import { temporaryFolder } from '../support/temporary-folder.js';

async function versionsOf(db: Database): Promise<readonly number[]> {
  const rows = await db.selectFrom('schemaVersions').select('version').orderBy('version').execute();
  return rows.map(({ version }) => version);
}

async function tablesOf(db: Database): Promise<readonly string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name);
}

const oldTask = task(7, { createdBy: 'bob' });

/** Adds a task as the programs of versions 5 to 7 did. */
async function insertOldTask(db: Database): Promise<void> {
  const { createdByIssuer, lastUpdatedByIssuer, assignee, roles, excludeRequester, ...document } = oldTask;
  assert.deepEqual([assignee, roles, excludeRequester], [null, null, false]);
  assert.equal(createdByIssuer, lastUpdatedByIssuer);
  const json = JSON.stringify(document);
  const { id, view, status, revision, lastUpdated } = document;
  await sql`insert into tasks (id, view, status, revision, last_updated, head, document)
    values (${id}, ${view}, ${status}, ${revision}, ${lastUpdated}, ${json}, ${json})`.execute(db);
}

/** Adds a record as the program of that version did. */
async function insertAtVersion(db: Database, version: number): Promise<void> {
  if (version >= 3)
    return db.transaction().execute(async (write) => {
      await insertLinks(write, chained([auditRecord('old')], await reserveLinks(write, 1), seal));
    });
  const { before, after, ...record } = auditRecord('old');
  assert.deepEqual([before, after], ['', '']);
  await sql`insert into audit (time, request_id, operation, subject, issuer, target, status, outcome, duration_ms)
    values (${record.time}, ${record.requestId}, ${record.operation}, ${record.subject}, ${record.issuer},
      ${record.target}, ${record.status}, ${record.outcome}, ${record.durationMs})`.execute(db);
}

const withStep = (...statements: readonly RawBuilder<unknown>[]): readonly Migration[] => [
  ...MIGRATIONS,
  {
    version: MIGRATIONS.length + 1,
    name: 'one more',
    apply: async (db) => {
      for (const statement of statements) await statement.execute(db);
    },
  },
];
const steps = withStep(sql`create table one_more (id integer)`);
const failing = withStep(sql`create table half (id integer)`, sql`insert into nowhere values (1)`);

describe('a migration', () => {
  const folder = temporaryFolder();
  const open: Database[] = [];
  const newDatabase = async (): Promise<Database> => {
    const db = await openSqlite(join(folder.path, `migrate-${open.length}.db`));
    open.push(db);
    return db;
  };
  after(() => Promise.all(open.map((db) => db.destroy())));

  it('has the next number, from 1 without gaps', () => {
    assert.deepEqual(column(MIGRATIONS, 'version'), MIGRATIONS.map((_, at) => at + 1)); // prettier-ignore
  });

  it('is applied only once', async () => {
    const db = await newDatabase();
    await migrate(db);
    await migrate(db);
    assert.deepEqual(await versionsOf(db), column(MIGRATIONS, 'version'));
  });

  it('continues from an older version', async () => {
    const db = await newDatabase();
    await migrate(db);
    await migrate(db, steps);
    assert.ok((await tablesOf(db)).includes('one_more'));
    await assert.rejects(migrate(db), /newer gatehouse/);
  });

  for (const { version } of MIGRATIONS)
    it(`from version ${version} to the current version keeps the data`, async () => {
      const db = await newDatabase();
      await migrate(db, MIGRATIONS.slice(0, version));
      await insertAtVersion(db, version);
      await migrate(db);
      assert.deepEqual(await selectAudit(db, 9), [auditRecord('old')]);
      await db.transaction().execute(async (write) => {
        const head = await reserveLinks(write, 1);
        await insertLinks(write, chained([auditRecord('new')], head, seal));
      });
      assert.equal((await selectChain(db)).seq, version < 3 ? 1 : 2);
      assert.ok(await insertForm(db, form(1)));
      await db.transaction().execute((write) => insertTask(write, task(1)));
      assert.deepEqual(await selectTask(db, task(1).id), task(1));
      assert.equal((await versionsOf(db)).length, MIGRATIONS.length);
    });

  it('finding F7: keeps tasks of earlier versions open to everyone, with an unknown issuer', async () => {
    const db = await newDatabase();
    await migrate(db, MIGRATIONS.slice(0, 7));
    await insertOldTask(db);
    await migrate(db);
    const migrated = { ...oldTask, createdByIssuer: '', lastUpdatedByIssuer: '' };
    assert.deepEqual(await selectTask(db, oldTask.id), migrated);
    const access = await db.selectFrom('taskAccess').select(['owner', 'readers', 'bytes']).execute();
    assert.deepEqual(access, [{ owner: '', readers: ' * ', bytes: access[0]?.bytes }]);
    assert.ok((access[0]?.bytes ?? 0) > 100);
  });

  it('reads the assignee of existing tasks, by which lists put own tasks first', async () => {
    const db = await newDatabase();
    await migrate(db, MIGRATIONS.slice(0, 17));
    const assigned = task(8, { assignee: { subject: 'eve', issuer: 'https://idp.test' } });
    for (const one of [task(7), assigned, task(9)]) {
      const json = JSON.stringify(one);
      await sql`insert into tasks (id, view, status, revision, last_updated, head, document)
        values (${one.id}, ${one.view}, 'open', 1, ${one.lastUpdated}, ${json}, ${json})`.execute(db);
      await sql`insert into task_access (task_id, owner, readers, bytes) values (${one.id}, '', ' * ', 1)`.execute(
        db,
      );
    }
    await migrate(db);
    const caller = taskPersonOf({ subject: 'eve', issuer: 'https://idp.test', roles: [], expiresAt: 0 });
    const inOrder = tasksInOrder(tasksMatching(db, {}), { by: 'own', caller });
    const ids = column(await inOrder.select('tasks.id').execute(), 'id');
    assert.deepEqual(ids, [assigned.id, task(7).id, task(9).id]);
  });

  it('only adds tables and columns, so that instances of the previous version continue to work', async () => {
    const db = await newDatabase();
    let previous: Awaited<ReturnType<typeof db.introspection.getTables>> = [];
    for (const { version } of MIGRATIONS) {
      await migrate(db, MIGRATIONS.slice(0, version));
      const tables = await db.introspection.getTables();
      for (const { name, columns } of previous) {
        const now = tables.find((table) => table.name === name)?.columns ?? [];
        const isNew = (column: string): boolean => !columns.some((one) => one.name === column);
        for (const column of columns) assert.ok(now.some((one) => one.name === column.name), `${name}.${column.name}`); // prettier-ignore
        // A version that does not know a column omits the column on insert.
        const demanded = now.filter((one) => isNew(one.name) && !one.isNullable && !one.hasDefaultValue);
        assert.deepEqual(demanded, [], name);
      }
      previous = tables;
    }
  });

  it('changes nothing if it fails', async () => {
    const db = await newDatabase();
    await assert.rejects(migrate(db, failing), /nowhere/);
    assert.equal((await versionsOf(db)).length, MIGRATIONS.length);
    assert.ok(!(await tablesOf(db)).includes('half'));
    await migrate(db, steps);
  });
});

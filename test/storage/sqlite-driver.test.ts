import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { checkConfig } from '../../src/cli/check-config.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { loadSqliteDriver, sqliteCodeOf } from '../../src/storage/sqlite-driver.js';
import { openSqlite, startErrorOf } from '../../src/storage/sqlite.js';
import { column } from '../support/columns.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const missing = (): never => {
  throw Object.assign(new Error('No native build was found'), { code: 'MODULE_NOT_FOUND' });
};

describe('the SQLite driver', () => {
  it('is named with the platform and a remedy if it cannot be loaded', () => {
    assert.throws(() => loadSqliteDriver(missing), {
      code: 'SQLITE_DRIVER',
      message:
        /^The SQLite driver @photostructure\/sqlite cannot be loaded for \w+ \w+ and Node\.js v.+\. Install gatehouse again/,
    });
  });

  for (const [url, codes] of [
    ['sqlite::memory:', ['sqlite_driver']],
    ['postgres://127.0.0.1/x', []],
  ] as const)
    it(`is ${codes.length === 0 ? 'not needed by' : 'a fault of'} a check of ${url} if it is missing`, async () => {
      const configPath = join(temporaryFolder().path, 'gatehouse.yaml');
      writeFileSync(configPath, `storage: { url: "${url}" }\n`);
      const input = { configPath, env: {}, clock: systemScheduler, probe: false };
      const { faults } = await checkConfig({ ...input, loadDriver: () => loadSqliteDriver(missing) });
      assert.deepEqual(column(faults, 'code'), codes);
      for (const { message, fix, pointer } of faults) {
        assert.match(message, /^The SQLite driver @photostructure\/sqlite cannot be loaded/);
        assert.match(fix, /^Install gatehouse again on this machine, or set storage\.url/);
        assert.equal(pointer, '/storage/url');
      }
    });

  it('reports the result codes of SQLite by name', () => {
    const { DatabaseSync } = loadSqliteDriver();
    const database = new DatabaseSync(':memory:');
    database.exec('create table t (a primary key, b unique check (b > 0)); insert into t values (1, 1)');
    const codeOf = (statement: string): string | undefined => {
      try {
        database.exec(statement);
        return undefined;
      } catch (error) {
        return error instanceof Error ? sqliteCodeOf(error) : undefined;
      }
    };
    assert.equal(codeOf('insert into t values (2, 1)'), 'SQLITE_CONSTRAINT_UNIQUE');
    assert.equal(codeOf('insert into t values (1, 2)'), 'SQLITE_CONSTRAINT_PRIMARYKEY');
    assert.equal(codeOf('insert into t values (3, 0)'), 'SQLITE_CONSTRAINT');
    assert.equal(codeOf('insert into nothing values (1)'), 'SQLITE_ERROR');
    database.close();
  });

  it('returns the current columns of a statement that ran before a change of its table', async () => {
    const database = await openSqlite(':memory:');
    await sql`create table things (a text)`.execute(database);
    await sql`insert into things values ('1')`.execute(database);
    const all = sql`select * from things`;
    assert.deepEqual((await all.execute(database)).rows, [{ a: '1' }]);
    await sql`alter table things add column b text`.execute(database);
    assert.deepEqual((await all.execute(database)).rows, [{ a: '1', b: null }]);
    await database.destroy();
  });
});

describe('an error of the first statements on a SQLite database', () => {
  const failed = (code: string) => Object.assign(new Error('database or disk is full'), { code });

  it('names the path and the next step, and keeps its code', () => {
    const cause = failed('SQLITE_FULL');
    const error = startErrorOf('/data/gatehouse.db', cause) as Error & { readonly code: string };
    assert.equal(
      error.message,
      'The database /data/gatehouse.db cannot be used (SQLITE_FULL). The disk is full: free disk space.',
    );
    assert.deepEqual([error.code, error.cause], ['SQLITE_FULL', cause]);
  });

  it('stays as it is without a next step', () => {
    for (const error of [failed('SQLITE_CONSTRAINT_UNIQUE'), new Error('a newer gatehouse'), 'x'])
      assert.equal(startErrorOf('/data/gatehouse.db', error), error);
  });
});

import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer, type Server } from '../../src/server/create-server.js';
import { migrate, MIGRATIONS } from '../../src/storage/migrations.js';
import { openPostgres } from '../../src/storage/postgres.js';
import { openSqlite } from '../../src/storage/sqlite.js';
import { callUrl } from '../support/call.js';
import { collectingStream } from '../support/collecting-stream.js';
import { runCommand } from '../support/command-io.js';
import { POSTGRES } from '../support/need-list.js';
import { describeWith, type Need } from '../support/needs.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/until.js';
import {
  insertDataOf010,
  keysOf010,
  MIGRATIONS_OF_0_1_0,
  RECORDED_AT,
  schemaOf010,
  writeFilesOf010,
} from '../support/upgrade-data.js';

/** Number of records that version 0.1.0 wrote into the audit trail. */
const AUDIT_RECORDS = 17;

interface Store {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Creates a database of version 0.1.0. Returns the path of the main file. */
  prepare(folder: string): Promise<string>;
  close?(): Promise<void>;
}

interface AdapterEntry {
  readonly data: { readonly name: string };
}

interface ProfileEntry {
  readonly profile: { readonly id: string; readonly description: string };
  readonly metadata: { readonly isActive: boolean };
}

let postgres: PostgresServer | undefined;

const STORES: readonly Store[] = [
  {
    name: 'in SQLite, with an audit file',
    needs: [],
    async prepare(folder) {
      const configPath = writeFilesOf010(folder);
      const file = join(folder, 'data', 'gatehouse.db');
      const db = await openSqlite(file);
      await insertDataOf010(db);
      await db.destroy();
      chmodSync(file, 0o600);
      return configPath;
    },
  },
  {
    name: 'in PostgreSQL, with the audit trail in the database',
    needs: [POSTGRES],
    async prepare(folder) {
      postgres = await startPostgres();
      const url = await postgres.newUrl();
      const { database } = await openPostgres(url);
      await insertDataOf010(database);
      await database.destroy();
      return writeFilesOf010(folder, {
        'sqlite:../data/gatehouse.db': url,
        '{ file: ../data/audit.log }': '{ durability: store }',
      });
    },
    close: async () => postgres?.close(),
  },
];

describe('the tables of version 0.1.0', () => {
  const folder = temporaryFolder();

  it('are those that its migrations create today: a released migration never changes', async () => {
    const db = await openSqlite(join(folder.path, 'tables.db'));
    await migrate(db, MIGRATIONS.slice(0, MIGRATIONS_OF_0_1_0));
    const { rows } = await sql<{
      readonly sql: string;
    }>`select sql from sqlite_master where name not like 'sqlite_%' order by name`.execute(db);
    await db.destroy();
    assert.deepEqual(
      rows.map((row) => `${row.sql};`),
      schemaOf010(),
    );
  });
});

for (const store of STORES)
  describeWith(store.needs, `an upgrade from version 0.1.0 ${store.name}`, () => {
    const folder = temporaryFolder();
    const { token, signedOutToken } = keysOf010();
    let configPath = '';
    let server: Server | undefined;

    before(async () => {
      configPath = await store.prepare(folder.path);
      const since = Date.now();
      const now = (): number => RECORDED_AT + Date.now() - since;
      server = await createServer({
        configPath,
        env: {},
        clock: { now, after: (ms, work) => systemScheduler.after(ms, work) },
        logStream: collectingStream().stream,
      });
    });
    after(async () => {
      await server?.close();
      await store.close?.();
    });

    const call = (method: string, path: string, withToken = token) =>
      callUrl(`${server?.url ?? ''}${path}`, { method, token: withToken });
    async function jsonOf<T>(path: string): Promise<T> {
      const { status, text, json } = await call('GET', path);
      assert.equal(status, 200, text);
      return json as T;
    }

    it('accepts the configuration', async () => {
      const { code, out, err } = await runCommand(['check', '--config', configPath]);
      assert.equal(code, 0, out + err);
    });

    it('keeps adapters of files and of the API with their desired state and log level', async () => {
      const { results } = await jsonOf<{ results: readonly AdapterEntry[] }>('/adapters');
      assert.deepEqual(results.map(({ data }) => data.name).sort(), ['lab1', 'lab2', 'nso1']);
      const stateOf = async (name: string) =>
        (await jsonOf<{ state: string }>(`/health/adapters/${name}`)).state;
      await eventually(async () => {
        assert.deepEqual([await stateOf('lab1'), await stateOf('lab2')], ['RUNNING', 'STOPPED']);
      });
      const { data } = await jsonOf<{ data: { loggerProps: { console_level: string } } }>('/adapters/lab1');
      assert.equal(data.loggerProps.console_level, 'debug');
    });

    it('keeps profiles, and the active profile', async () => {
      const { results } = await jsonOf<{ results: readonly ProfileEntry[] }>('/profiles');
      assert.deepEqual(
        results.map(({ profile, metadata }) => [profile.id, profile.description, metadata.isActive]).sort(),
        [
          ['day', '', false],
          ['night', 'Quiet hours', true],
        ],
      );
    });

    it('keeps forms with their history', async () => {
      const form = await jsonOf<{ description: string }>('/json-forms/forms/New%20VLAN');
      assert.equal(form.description, 'Adds a VLAN');
      const { text } = await call('GET', '/json-forms/forms/New%20VLAN/history');
      assert.equal(text.match(/"revision"/g)?.length, 1, text);
    });

    it('keeps tasks and their outcomes', async () => {
      const { results } = await jsonOf<{ results: readonly { status: string }[] }>('/json-forms/tasks');
      assert.deepEqual(results.map(({ status }) => status).sort(), ['approved', 'open']);
    });

    it('keeps sessions: a valid token is accepted, a token that was signed out is not', async () => {
      assert.equal((await call('GET', '/whoami')).status, 200);
      assert.equal((await call('GET', '/whoami', signedOutToken)).status, 401);
      const { text } = await call('POST', '/getActiveSessions');
      assert.equal(text.match(/"user":"bob"/g)?.length, 1, text);
    });

    it('signs in a user with the password of version 0.1.0', async () => {
      const body = { user: { username: 'bob', password: 'ferry-lantern-41-plum' } };
      assert.equal((await callUrl(`${server?.url ?? ''}/login`, { body })).status, 200);
    });

    it('continues the audit trail, which verifies from the first record', async () => {
      const first = await jsonOf<{ results: readonly { operation: string }[] }>(
        '/audit?operation=adapters.createAdapter',
      );
      assert.equal(first.results.length, 2);
      await server?.close();
      server = undefined;
      const { code, out } = await runCommand(['audit', 'verify', '--config', configPath]);
      assert.equal(code, 0, out);
      const [, last = 0] = /intact: records 1 to (\d+)/.exec(out) ?? [];
      assert.ok(Number(last) > AUDIT_RECORDS, out);
    });
  });

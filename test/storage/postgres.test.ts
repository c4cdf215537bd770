import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { Problem } from '../../src/core/problem.js';
import type { Form } from '../../src/features/forms/form-store.js';
import { openStore } from '../../src/features/open-store.js';
import type { Store } from '../../src/features/store.js';
import { openPostgres } from '../../src/storage/postgres.js';
import { form, formId, formsOf, LIMITS } from '../support/form.js';
import { POSTGRES_PROGRAMS } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { until } from '../support/until.js';

describeWith(POSTGRES_PROGRAMS, 'the store with a PostgreSQL server', () => {
  let server: PostgresServer;
  let url = '';
  let store: Store;

  const opened = openedBySuite();
  before(async () => {
    server = await opened(startPostgres({ durable: true }));
    url = await server.newUrl();
    store = await opened(openStore(url));
  });

  const terminate = (): Promise<unknown> =>
    server.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'gatehouse'");

  it('D5: loses no acknowledged form when the server is killed, and reconnects when it restarts', async () => {
    const kept: string[] = [];
    const failures: unknown[] = [];
    let number = 0;
    let writing = true;
    const turn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
    const write = async (): Promise<void> => {
      for (; writing; await turn()) {
        const one = form((number += 1));
        const work = store.forms.create(one, LIMITS).then(() => kept.push(one.id));
        await work.catch((error: unknown) => failures.push(error));
      }
    };
    // Exceeds the number of connections: some writers wait for a connection when the server is killed.
    const writers = Promise.all(Array.from({ length: 32 }, write));
    try {
      for (let kill = 0; kill < 2; kill += 1) {
        const enough = kept.length + 20;
        await until(() => kept.length >= enough);
        await server.crash();
      }
    } finally {
      writing = false;
      await writers;
    }
    const there = new Set((await formsOf(store.forms)).map(({ id }) => id));
    for (const id of kept) assert.ok(there.has(id), id);
    assert.ok(failures.length > 0);
    for (const failure of failures)
      assert.equal(failure instanceof Problem ? failure.code : failure, 'store_unavailable');
  });

  it('D5: survives the termination of idle connections', async () => {
    for (let round = 0; round < 20; round += 1) {
      // A connection that ends at the moment of its use fails only its statement.
      await Promise.allSettled(['a', 'b', 'c'].map((key) => store.forms.find(key)));
      await terminate();
    }
    // The pool holds at most ten connections.
    let found: unknown = 'failed';
    for (let tried = 0; found === 'failed' && tried < 10; tried += 1)
      found = await store.forms.find('none').catch(() => 'failed');
    assert.equal(found, undefined);
  });

  it('reports its open, idle and waiting connections', async () => {
    await Promise.all(['a', 'b', 'c'].map((key) => store.forms.find(key)));
    const { open = 0, idle, waiting } = store.pool() ?? {};
    assert.ok(open >= 1 && open <= 10);
    assert.deepEqual([idle, waiting], [open, 0]);
  });

  it('commits to the disk even if the database disables synchronous_commit', async () => {
    await server.run("alter role current_user set synchronous_commit = 'off'");
    const { database } = await openPostgres(url);
    const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(database);
    await database.destroy();
    await server.run('alter role current_user reset synchronous_commit');
    assert.deepEqual(Object.values(rows[0] ?? {}), ['on']);
  });

  it('migrates once if eight instances open it at the same time', async () => {
    const empty = await server.newUrl();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(empty)));
    await stores[0]?.forms.create(form(1), LIMITS);
    for (const one of stores) {
      assert.equal((await one.forms.find('form 1'))?.id, formId(1));
      await one.close();
    }
  });

  it('continues after a newer version has migrated its database and all connections have ended', async () => {
    const shared = await server.newUrl();
    const previous = await openStore(shared);
    await previous.forms.create(form(1), LIMITS);
    const schema = schemaOf(shared);
    await server.run(`alter table ${schema}.forms add column colour text not null default 'none'`);
    await server.run(`insert into ${schema}.schema_versions values (99, 'from the future', '2030')`);
    // After an interrupted transaction, the store discards all connections and reconnects to the server.
    async function* interrupted(): AsyncGenerator<Form> {
      yield form(3);
      await terminate();
      yield form(4);
    }
    const restored = previous.forms.restore(interrupted(), { skip: false });
    await assert.rejects(restored, { code: 'store_unavailable' });
    assert.equal(await previous.forms.create(form(2), LIMITS), true);
    assert.equal((await formsOf(previous.forms)).length, 2);
    await previous.close();
    await assert.rejects(openStore(shared), /schema version 99, written by a newer gatehouse/);
  });
});

function schemaOf(url: string): string {
  return /search_path=(\w+)/.exec(decodeURIComponent(url.replaceAll('+', ' ')))?.[1] ?? '';
}

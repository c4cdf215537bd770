import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Connection } from '../../src/storage/connection.js';
import { openSqlite } from '../../src/storage/sqlite.js';
import { requireSpace, writerOf } from '../../src/storage/transactions.js';
import { problem } from '../support/failing.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('requireSpace', () => {
  it('rejects from a write that found the database full until there is space (bug: /readyz stayed 200)', async () => {
    const path = join(temporaryFolder().path, 'full.db');
    const connection = await Connection.open({ open: () => openSqlite(path), isFatal: () => false });
    const write = writerOf(connection);
    const limitPages = (pages: number) =>
      connection.use((db) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db));
    const fill = () => write((db) => sql`create table big as select zeroblob(1000000) as bytes`.execute(db));
    await limitPages(1);
    await requireSpace(connection);
    await assert.rejects(fill(), problem('store_full'));
    await assert.rejects(requireSpace(connection), problem('store_full'));
    await limitPages(1_000_000);
    await requireSpace(connection);
    await fill();
    await connection.close();
  });
});

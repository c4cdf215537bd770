import { writeSync } from 'node:fs';
import { sql } from 'kysely';
import { formStore } from '../../src/features/forms/store.js';
import { Connection } from '../../src/storage/connection.js';
import { migrate } from '../../src/storage/migrations.js';
import { openSqlite } from '../../src/storage/sqlite.js';
import { form, formId, LIMITS } from '../support/form.js';

// Creates forms sequentially and writes the id of each acknowledged form to standard output. With `sabotage`,
// SQLite does not wait for the disk. Checkpoints are frequent, so that a few forms cover all of their steps.
const [path = '', count = '', sabotage = ''] = process.argv.slice(2);
const database = await openSqlite(path);
await migrate(database);
await sql`pragma wal_autocheckpoint = 20`.execute(database);
if (sabotage === 'sabotage') await sql`pragma synchronous = NORMAL`.execute(database);
const connection = await Connection.open({ open: () => Promise.resolve(database), isFatal: () => false });
const forms = formStore(connection);
for (let number = 1; number <= Number(count); number += 1) {
  await forms.create(form(number, { description: 'x'.repeat(3000) }), LIMITS);
  writeSync(1, `${formId(number)}\n`);
}
// Exits without closing the store; the state after this point is irrelevant.
process.kill(process.pid, 'SIGKILL');

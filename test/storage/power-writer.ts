import { writeSync } from 'node:fs';
import { sql } from 'kysely';
import { Connection } from '../../src/storage/connection.js';
import { formStore } from '../../src/storage/form-store.js';
import { migrate } from '../../src/storage/migrate.js';
import { openSqlite } from '../../src/storage/sqlite.js';
import { form, formId, LIMITS } from '../support/form.js';

// Creates forms one after the other and writes the id of each, once it was acknowledged, to standard output. With
// `sabotage`, SQLite is told not to wait for the disk. Checkpoints come often, so that a few forms meet all of its steps.
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
// Without closing: what comes afterwards is of no interest.
process.kill(process.pid, 'SIGKILL');

import { sql } from 'kysely';
import { MIGRATIONS, type Migration } from '../../../src/storage/migrations.js';

/** Tables that get a column that nodes of the current version do not know. */
const TABLES = `
  audit audit_chain forms form_versions records wishes platform tasks sessions ended_tokens login_attempts
  task_access browser_sessions record_versions confirmed_commits operator_acts traffic deprecated_calls
  notification_states notification_mutes problem_acknowledgements notification_sender notification_reports
  yang_models limit_rates limit_slots limit_nodes
`
  .trim()
  .split(/\s+/);

// Preloaded with --import. Simulates the next version of the program, which has additional migrations.
(MIGRATIONS as Migration[]).push(
  ...TABLES.map((table, at) => ({
    version: MIGRATIONS.length + at + 1,
    name: `colour of ${table}`,
    apply: async (db: Parameters<Migration['apply']>[0]) => {
      await sql`alter table ${sql.table(table)} add column colour text not null default 'green'`.execute(db);
    },
  })),
);

import { type ColumnBuilderCallback, type RawBuilder, sql } from 'kysely';
import type { Write } from '../tables.js';
import { isPostgres } from '../transactions.js';

/** Returns the column type of a generated key whose values are never reused. */
export function generatedKey(db: Write): ['bigserial' | 'integer', ColumnBuilderCallback] {
  if (isPostgres(db)) return ['bigserial', (column) => column.primaryKey()];
  return ['integer', (column) => column.primaryKey().autoIncrement()];
}

/** Returns the column type of a text that both databases sort alike. Without the collation, PostgreSQL sorts by its locale. */
export function sortedText(db: Write): RawBuilder<unknown> | 'text' {
  return isPostgres(db) ? sql`text collate "C"` : 'text';
}

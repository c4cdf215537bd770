import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Tables } from '../../storage/tables.js';
import { hashOf } from '../../storage/task-columns.js';

/** Maximum number of reader keys of one query; SQLite limits the depth of an expression. */
const MAX_QUERIED_READERS = 200;

/**
 * Returns the condition that a task of `tasks` with its row of `taskAccess` has one of these readers. A task
 * of a version without `taskAccess` has no such row; every caller may read it.
 */
export function hasReader(
  eb: ExpressionBuilder<{ taskAccess: Tables['taskAccess'] }, 'taskAccess'>,
  keys: readonly string[],
): Expression<SqlBool> {
  return eb.or([
    eb('taskAccess.readers', 'is', null),
    ...hashesOf(keys).map((hash) => eb('taskAccess.readers', 'like', `% ${hash} %`)),
  ]);
}

/** Returns the hashes of the first keys, as many as a query may have. */
export function hashesOf(keys: readonly string[]): readonly string[] {
  return keys.slice(0, MAX_QUERIED_READERS).map(hashOf);
}

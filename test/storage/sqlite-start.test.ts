import assert from 'node:assert/strict';
import { startErrorOf } from '../../src/storage/sqlite.js';

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

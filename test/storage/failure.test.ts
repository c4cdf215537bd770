import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { storeFailure } from '../../src/storage/failure.js';

function detailFor(code: string, message = 'failed'): string {
  const failure = storeFailure(Object.assign(new Error(message), { code }));
  assert.ok(failure instanceof Problem, code);
  assert.equal(failure.code, 'store_unavailable');
  assert.equal(failure.extras.headers?.['retry-after'], '2');
  return failure.message;
}

describe('the failure of a transaction', () => {
  it('says that nothing is stored where a lock was never taken (bug: "may or may not have been stored")', () => {
    for (const code of ['SQLITE_BUSY', 'SQLITE_BUSY_RECOVERY'])
      assert.equal(detailFor(code), 'The database is locked by another process; the change was not stored.');
  });

  it('says that nothing is stored without a connection or without the right to write', () => {
    const sqlite = ['SQLITE_READONLY', 'SQLITE_CANTOPEN'];
    for (const code of [...sqlite, '25006', '53300', '57P03', 'ECONNREFUSED', 'ENOTFOUND'])
      assert.equal(detailFor(code), 'The database is not available; the change was not stored.', code);
  });

  it('leaves open what is stored if the connection or the device failed in between', () => {
    for (const code of ['SQLITE_IOERR_FSYNC', '57P01', '08006', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE'])
      assert.match(detailFor(code), /may or may not have been stored/, code);
    assert.match(detailFor('', 'Connection terminated unexpectedly'), /may or may not have been stored/);
  });
});

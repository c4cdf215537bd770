import assert from 'node:assert/strict';
import { retryAfterMs } from '../../src/core/header.js';

describe('retryAfterMs', () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);
  it('returns the expected value for each input', () => {
    for (const [value, expected] of [
      ['3', 3_000],
      [' 0 ', 0],
      ['Thu, 01 Jan 2026 12:00:05 GMT', 5_000],
      ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
      ['Thursday, 01-Jan-26 12:00:05 GMT', 5_000],
      ['-1', undefined],
      ['1.5', undefined],
      ['soon', undefined],
      ['', undefined],
      ['2026-01-01', undefined],
      ['99999999999', undefined],
    ] as const)
      assert.equal(retryAfterMs({ headers: { 'retry-after': value } }, now), expected, value);
  });

  it('reads the first header and returns undefined without a header', () => {
    assert.equal(retryAfterMs({ headers: { 'retry-after': ['1', '2'] } }, now), 1_000);
    assert.equal(retryAfterMs({ headers: {} }, now), undefined);
  });
});

import assert from 'node:assert/strict';
import { timeSpanOf } from '../../../console/src/kit/time-range.js';
import { describeCell, describeCells } from '../../../console/src/kit/traffic-text.js';
import { timeLabel } from '../../../console/src/pages/traffic/time-label.js';

const cell = { at: 0, calls: 1, errors: 0, clientErrors: 0, p50Ms: 5, p95Ms: 10 };

describe('the texts of traffic', () => {
  it('D36: have the singular for one call', () => {
    assert.match(describeCell(0, cell), /· 1 call · 0 errors · p50 5 ms, p95 10 ms$/);
    const cells = describeCells([cell, { ...cell, calls: 3, errors: 1, p95Ms: 40 }]);
    assert.equal(cells, '4 calls, 1 error (25 %), slowest p95 40 ms');
    assert.equal(describeCells([]), 'no calls');
  });

  it('name rejected calls beside the errors', () => {
    const rejected = { ...cell, calls: 20, clientErrors: 20 };
    assert.match(describeCell(0, rejected), /· 20 calls · 0 errors · 20 rejected \(4xx\) · p50/);
    const found = describeCells([rejected]);
    assert.equal(found, '20 calls, 0 errors (0 %), 20 rejected (4xx) (100 %), slowest p95 10 ms');
  });

  it('describe the queue and the circuit breaker of a cell', () => {
    const detailed = {
      ...cell,
      maxInFlight: 3,
      maxWaiting: 2,
      openSeconds: 45,
      halfOpenSeconds: 0,
    };
    assert.match(describeCell(0, detailed), /up to 3 in progress, 2 queued · circuit breaker open for 45 s$/);
  });

  it('name the time', () => {
    assert.equal(timeLabel(timeSpanOf({ span: '7d', from: '', to: '' })), 'last 7 days');
    const selected = timeSpanOf({ span: '1h', from: '2026-11-25T06:00:00Z', to: '2026-11-25T06:30:00Z' });
    assert.match(timeLabel(selected), /^Nov 25, .* to Nov 25, /);
  });
});

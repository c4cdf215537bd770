import assert from 'node:assert/strict';
import { timeQuery, timeSpanOf } from '../../../console/src/kit/time-range.js';

const NOTHING = { span: '', from: '', to: '' };

describe('timeSpanOf', () => {
  it('shows the last hour without parameters', () => {
    assert.deepEqual(timeSpanOf(NOTHING), { span: '1h', selected: undefined, query: { span: '1h' } });
  });

  it('prefers a selected part of the time', () => {
    const selected = { from: Date.UTC(2026, 10, 25, 6), to: Date.UTC(2026, 10, 25, 7) };
    const params = new URLSearchParams(`span=7d&${timeQuery(selected)}`);
    const found = timeSpanOf({ ...NOTHING, ...Object.fromEntries(params) });
    assert.deepEqual(found, {
      span: '7d',
      selected,
      query: { from: '2026-11-25T06:00:00Z', to: '2026-11-25T07:00:00Z' },
    });
  });

  it('ignores times that are not valid or in the wrong order', () => {
    const wrong = [
      { from: 'yesterday', to: '2026-11-25T07:00:00Z' },
      { from: '2026-11-25T07:00:00Z', to: '2026-11-25T06:00:00Z' },
      { from: '2026-11-25T07:00:00Z', to: '' },
    ];
    for (const times of wrong)
      assert.deepEqual(timeSpanOf({ span: '24h', ...times }), {
        span: '24h',
        selected: undefined,
        query: { span: '24h' },
      });
  });
});

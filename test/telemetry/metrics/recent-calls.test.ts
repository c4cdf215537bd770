import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../../src/core/metric.js';
import { createRecentCalls } from '../../../src/telemetry/metrics/recent-calls.js';

const callOf = (adapter: string, startedAt: number): AnsweredRequest => ({
  adapter,
  startedAt,
  operation: 'a.b',
  status: 200,
  seconds: 1,
  requestId: `r${startedAt}`,
  method: 'GET',
  path: '/',
  about: '',
  caller: 'ada',
  code: '',
});

describe('createRecentCalls', () => {
  it('keeps a hundred calls of each adapter, newest first', () => {
    const calls = createRecentCalls();
    for (let at = 0; at < 250; at += 1) calls.note(callOf('nso1', at));
    calls.note(callOf('ncs2', 100));
    const startTimes = calls.latest(1_000, 'nso1').map(({ startedAt }) => startedAt);
    assert.deepEqual([startTimes.length, startTimes[0], startTimes.at(-1)], [100, 249, 150]);
    assert.deepEqual(
      calls.latest(1, 'ncs2').map(({ startedAt }) => startedAt),
      [100],
    );
    assert.equal(calls.latest(1_000).length, 101);
    assert.deepEqual(calls.latest(10, 'nobody'), []);
  });

  it('drops the calls of a removed adapter', () => {
    const calls = createRecentCalls();
    calls.note(callOf('nso1', 1));
    calls.note(callOf('ncs2', 2));
    calls.keepOnly(new Set(['ncs2']));
    assert.deepEqual(
      calls.latest(10).map(({ adapter }) => adapter),
      ['ncs2'],
    );
  });
});

import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../../src/core/metric.js';
import { createRecentCalls } from '../../../src/features/traffic/recent-calls.js';
import { column } from '../../support/columns.js';

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
    const startTimes = calls.latest({ most: 1_000, adapter: 'nso1' }).map(({ startedAt }) => startedAt);
    assert.deepEqual([startTimes.length, startTimes[0], startTimes.at(-1)], [100, 249, 150]);
    assert.deepEqual(column(calls.latest({ most: 1, adapter: 'ncs2' }), 'startedAt'), [100]);
    assert.equal(calls.latest({ most: 1_000 }).length, 101);
    assert.deepEqual(calls.latest({ most: 10, adapter: 'nobody' }), []);
  });

  it('finds calls and other requests by the request id, newest first', () => {
    const calls = createRecentCalls();
    calls.note({ ...callOf('nso1', 1), requestId: 'same' });
    calls.note({ ...callOf('nso1', 2), requestId: 'same' });
    calls.noteOther({ ...callOf('', 3), requestId: 'other' });
    const startsOf = (id: string) => calls.find(id).map(({ startedAt }) => startedAt);
    assert.deepEqual([startsOf('same'), startsOf('other'), startsOf('none')], [[2, 1], [3], []]);
    assert.equal(calls.latest({ most: 10 }).length, 2);
  });

  it('removes the attempts of the oldest calls', () => {
    const calls = createRecentCalls();
    const attempts = [{ method: 'GET', url: 'http://nso1/', atMs: 0, ms: 1, outcome: 200 }];
    for (let at = 0; at < 4_100; at += 1) calls.note({ ...callOf(`nso${at}`, at), attempts });
    assert.equal(calls.find('r99')[0]?.attempts, undefined);
    assert.equal(calls.find('r100')[0]?.attempts, attempts);
    const many = Array.from({ length: 20 }, () => attempts).flat();
    calls.note({ ...callOf('nso1', 5_000), attempts: many });
    assert.equal(calls.find('r119')[0]?.attempts, undefined);
    assert.equal(calls.find('r120')[0]?.attempts, attempts);
  });

  it('keeps the attempts of a quiet adapter while a busy one replaces its calls (bug: replaced calls counted)', () => {
    const calls = createRecentCalls();
    const attempts = [{ method: 'GET', url: 'http://nso1/', atMs: 0, ms: 1, outcome: 200 }];
    calls.note({ ...callOf('quiet', 1), requestId: 'quiet', attempts });
    for (let at = 0; at < 10_000; at += 1) calls.note({ ...callOf('busy', at), attempts });
    assert.equal(calls.find('quiet')[0]?.attempts, attempts);
    const latest = calls.latest({ most: 1_000, adapter: 'busy' }).every((call) => call.attempts === attempts);
    assert.equal(latest, true);
  });

  it('does not count the attempts of removed adapters (bug: their calls stayed in memory)', () => {
    const calls = createRecentCalls();
    const attempts = [{ method: 'GET', url: 'http://nso1/', atMs: 0, ms: 1, outcome: 200 }];
    calls.note({ ...callOf('kept', 1), requestId: 'kept', attempts });
    for (let at = 0; at < 5_000; at += 1) {
      calls.note({ ...callOf(`removed${at}`, at), attempts });
      if (at % 1_000 === 0) calls.keepOnly(new Set(['kept']));
    }
    assert.equal(calls.find('kept')[0]?.attempts, attempts);
  });

  it('filters by time, status and caller', () => {
    const calls = createRecentCalls();
    for (let at = 0; at < 10; at += 1)
      calls.note({
        ...callOf('nso1', at),
        status: at === 5 ? 503 : 200,
        callerName: at === 6 ? 'Bo' : 'Ada',
      });
    const timesOf = (query: object) => calls.latest({ most: 10, ...query }).map((call) => call.startedAt);
    assert.deepEqual(timesOf({ from: 3, to: 5 }), [4, 3]);
    assert.deepEqual(timesOf({ status: { min: 500, max: 599 } }), [5]);
    assert.deepEqual(timesOf({ caller: 'Bo' }), [6]);
  });

  it('drops the calls of a removed adapter', () => {
    const calls = createRecentCalls();
    calls.note(callOf('nso1', 1));
    calls.note(callOf('ncs2', 2));
    calls.keepOnly(new Set(['ncs2']));
    assert.deepEqual(column(calls.latest({ most: 10 }), 'adapter'), ['ncs2']);
  });

  it('finds calls by a text in their id, adapter, path, caller or outcome, and by their status', () => {
    const calls = createRecentCalls();
    calls.note({
      ...{ ...callOf('edge-berlin.example.com', 1), requestId: '4B4C5D1A', path: '/restconf/data' },
      ...{ callerName: 'Nadine', code: 'upstream_failed', status: 503 },
    });
    calls.note(callOf('nso1.example.com', 2));
    const found = (contains: string) => calls.latest({ most: 10, contains }).map(({ adapter }) => adapter);
    for (const text of ['4b4c', 'edge-ber', '/restconf/', 'nadine', 'upstream_', '503'])
      assert.deepEqual(found(text), ['edge-berlin.example.com'], text);
    assert.deepEqual(found('50'), []);
    assert.deepEqual(found('example.com'), ['nso1.example.com', 'edge-berlin.example.com']);
  });

  it('returns the calls of some adapters since a time that failed, or were rejected', () => {
    const calls = createRecentCalls();
    const failed = (adapter: string, at: number) => ({ ...callOf(adapter, at), status: 502 });
    for (const call of [failed('a', 1), failed('a', 9), callOf('a', 10), failed('b', 11), failed('c', 12)])
      calls.note(call);
    calls.note({ ...callOf('a', 13), status: 404 });
    const ended = (kind: 'failed' | 'rejected') =>
      calls.ended(['a', 'b'], 5, kind).map(({ startedAt }) => startedAt);
    assert.deepEqual(ended('failed'), [9, 11]);
    assert.deepEqual(ended('rejected'), [13]);
  });
});

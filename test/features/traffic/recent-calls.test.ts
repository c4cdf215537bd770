import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../../src/core/metric.js';
import { createRecentCalls } from '../../../src/features/traffic/recent-calls.js';
import { column } from '../../support/columns.js';

type Answered = AnsweredRequest;

const callOf = (adapter: string, startedAt: number, more: Partial<Answered> = {}): Answered => ({
  ...{ adapter, startedAt, operation: 'a.b', status: 200, seconds: 1, requestId: `r${startedAt}` },
  ...{ method: 'GET', path: '/', about: '', caller: 'ada', code: '', ...more },
});
const attempts = [{ method: 'GET', url: 'http://nso1/', atMs: 0, ms: 1, outcome: 200 }];

describe('createRecentCalls', () => {
  let calls: ReturnType<typeof createRecentCalls>;
  beforeEach(() => (calls = createRecentCalls()));
  const startsOf = (found: readonly AnsweredRequest[]) => column(found, 'startedAt');

  it('keeps a hundred calls of each adapter, newest first', () => {
    for (let at = 0; at < 250; at += 1) calls.note(callOf('nso1', at));
    calls.note(callOf('ncs2', 100));
    const startTimes = startsOf(calls.latest({ most: 1_000, adapter: 'nso1' }));
    assert.deepEqual([startTimes.length, startTimes[0], startTimes.at(-1)], [100, 249, 150]);
    assert.deepEqual(startsOf(calls.latest({ most: 1, adapter: 'ncs2' })), [100]);
    assert.equal(calls.latest({ most: 1_000 }).length, 101);
    assert.deepEqual(calls.latest({ most: 10, adapter: 'nobody' }), []);
  });

  it('finds calls and other requests by the request id, newest first', () => {
    for (const at of [1, 2]) calls.note(callOf('nso1', at, { requestId: 'same' }));
    calls.noteOther(callOf('', 3, { requestId: 'other' }));
    const found = ['same', 'other', 'none'].map((id) => startsOf(calls.find(id)));
    assert.deepEqual(found, [[2, 1], [3], []]);
    assert.equal(calls.latest({ most: 10 }).length, 2);
  });

  it('removes the attempts of the oldest calls', () => {
    for (let at = 0; at < 4_100; at += 1) calls.note(callOf(`nso${at}`, at, { attempts }));
    assert.equal(calls.find('r99')[0]?.attempts, undefined);
    assert.equal(calls.find('r100')[0]?.attempts, attempts);
    const many = Array.from({ length: 20 }, () => attempts).flat();
    calls.note(callOf('nso1', 5_000, { attempts: many }));
    assert.equal(calls.find('r119')[0]?.attempts, undefined);
    assert.equal(calls.find('r120')[0]?.attempts, attempts);
  });

  it('keeps the attempts of a quiet adapter while a busy one replaces its calls (bug: replaced calls counted)', () => {
    calls.note(callOf('quiet', 1, { requestId: 'quiet', attempts }));
    for (let at = 0; at < 10_000; at += 1) calls.note(callOf('busy', at, { attempts }));
    assert.equal(calls.find('quiet')[0]?.attempts, attempts);
    for (const call of calls.latest({ most: 1_000, adapter: 'busy' })) assert.equal(call.attempts, attempts);
  });

  it('does not count the attempts of removed adapters (bug: their calls stayed in memory)', () => {
    calls.note(callOf('kept', 1, { requestId: 'kept', attempts }));
    for (let at = 0; at < 5_000; at += 1) {
      calls.note(callOf(`removed${at}`, at, { attempts }));
      if (at % 1_000 === 0) calls.keepOnly(new Set(['kept']));
    }
    assert.equal(calls.find('kept')[0]?.attempts, attempts);
  });

  it('filters by time, status and caller', () => {
    for (let at = 0; at < 10; at += 1)
      calls.note(callOf('nso1', at, { status: at === 5 ? 503 : 200, callerName: at === 6 ? 'Bo' : 'Ada' }));
    const timesOf = (query: object) => startsOf(calls.latest({ most: 10, ...query }));
    assert.deepEqual(timesOf({ from: 3, to: 5 }), [4, 3]);
    assert.deepEqual(timesOf({ status: { min: 500, max: 599 } }), [5]);
    assert.deepEqual(timesOf({ caller: 'Bo' }), [6]);
  });

  it('drops the calls of a removed adapter', () => {
    calls.note(callOf('nso1', 1));
    calls.note(callOf('ncs2', 2));
    calls.keepOnly(new Set(['ncs2']));
    assert.deepEqual(column(calls.latest({ most: 10 }), 'adapter'), ['ncs2']);
  });

  it('finds calls by a text in their id, adapter, path, caller or outcome, and by their status', () => {
    const call = { requestId: '4B4C5D1A', path: '/restconf/data', callerName: 'Nadine' };
    calls.note(callOf('edge-berlin.example.com', 1, { ...call, code: 'upstream_failed', status: 503 }));
    calls.note(callOf('nso1.example.com', 2));
    const found = (contains: string) => column(calls.latest({ most: 10, contains }), 'adapter');
    for (const text of ['4b4c', 'edge-ber', '/restconf/', 'nadine', 'upstream_', '503'])
      assert.deepEqual(found(text), ['edge-berlin.example.com'], text);
    assert.deepEqual(found('50'), []);
    assert.deepEqual(found('example.com'), ['nso1.example.com', 'edge-berlin.example.com']);
  });

  it('returns the calls of some adapters since a time that failed, or were rejected', () => {
    const failed = { status: 502 };
    for (const at of [1, 9]) calls.note(callOf('a', at, failed));
    for (const call of [callOf('b', 11, failed), callOf('c', 12, failed)]) calls.note(call);
    for (const call of [callOf('a', 10), callOf('a', 13, { status: 404 })]) calls.note(call);
    assert.deepEqual(startsOf(calls.ended(['a', 'b'], 5, 'failed')), [9, 11]);
    assert.deepEqual(startsOf(calls.ended(['a', 'b'], 5, 'rejected')), [13]);
  });
});

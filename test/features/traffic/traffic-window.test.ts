import assert from 'node:assert/strict';
import { createCallerWindow } from '../../../src/features/traffic/caller-window.js';
import { createTrafficWindow } from '../../../src/features/traffic/traffic-window.js';
import { bucketOf, durationOf } from '../../../src/telemetry/metrics/latency-buckets.js';
import { column, columns } from '../../support/columns.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const MINUTE = 60_000;
/** A time on a boundary of five minutes. */
const START = Date.UTC(2026, 0, 1);

describe('createTrafficWindow', () => {
  it('returns the rates of the last five minutes, per adapter and in total', async () => {
    const clock = createFakeScheduler(START);
    const window = createTrafficWindow(clock);
    await clock.pass(5 * MINUTE - 1);
    for (let call = 0; call < 10; call += 1) window.note('nso1', 12, call === 0 ? 502 : 200);
    window.note('ncs2', 100, 200);
    const { all, adapters } = window.rates();
    assert.deepEqual(adapters.get('nso1'), {
      ...{ calls: 10, errors: 1, clientErrors: 0, perMinute: 2, errorsPerMinute: 0.2, p50Ms: 12, p95Ms: 12 },
    });
    assert.deepEqual([all.perMinute, all.p50Ms, all.p95Ms], [2.2, 12, durationOf(bucketOf(100))]);
    await clock.pass(4.5 * MINUTE);
    assert.equal(window.rates().adapters.get('nso1')?.p50Ms, 12);
    await clock.pass(MINUTE / 2);
    assert.deepEqual([...window.rates().adapters], []);
  });

  it('counts a WebSocket of the first second as one call per minute, without its duration', () => {
    const window = createTrafficWindow(createFakeScheduler(START));
    window.note('nso1', -1, 200);
    const rates = window.rates().adapters.get('nso1');
    assert.deepEqual([rates?.calls, rates?.perMinute, rates?.p50Ms, rates?.p95Ms], [1, 1, null, null]);
  });

  it('counts rejected calls, so that an adapter that gets only status 400 does not look healthy', () => {
    const window = createTrafficWindow(createFakeScheduler(START));
    for (const status of [400, 404, 429, 499, 500, 399]) window.note('nso1', 1, status);
    const { calls, errors, clientErrors } = window.rates().all;
    assert.deepEqual([calls, errors, clientErrors], [6, 1, 4]);
    const callers = createCallerWindow(createFakeScheduler(START));
    for (const name of ['ada', 'bob', 'eve']) callers.note(name, 400);
    const counts = columns(callers.rates(1), 'calls', 'errors', 'clientErrors');
    assert.deepEqual(counts, [[1, 0, 1], [2, 0, 2]]); // prettier-ignore
  });

  it('starts over when the clock is set back, and drops removed adapters', () => {
    let now = START + 60 * MINUTE;
    const window = createTrafficWindow({ now: () => now });
    window.note('nso1', 10, 200);
    now = START;
    window.note('nso1', 20, 200);
    assert.equal(window.rates().adapters.get('nso1')?.perMinute, 1);
    window.keepOnly(new Set(['another']));
    assert.deepEqual([...window.rates().adapters], []);
  });
});

describe('createCallerWindow', () => {
  it('names the busiest callers, and adds up all others', async () => {
    const clock = createFakeScheduler(START);
    const window = createCallerWindow(clock);
    for (const name of ['ada', 'ada', 'ada', 'bob', 'bob', 'eve'])
      window.note(name, name === 'eve' ? 502 : 200);
    assert.deepEqual(window.rates(1), [
      { name: 'ada', calls: 3, errors: 0, clientErrors: 0, perMinute: 3, errorsPerMinute: 0 },
      { name: '', calls: 3, errors: 1, clientErrors: 0, perMinute: 3, errorsPerMinute: 1 },
    ]);
    assert.deepEqual(column(window.rates(3), 'name'), ['ada', 'bob', 'eve']);
    await clock.pass(6 * MINUTE);
    assert.deepEqual(window.rates(3), []);
  });

  it('distinguishes a thousand callers, and reuses the entries of idle ones', async () => {
    const clock = createFakeScheduler(START);
    const window = createCallerWindow(clock);
    for (let caller = 0; caller < 1_500; caller += 1) window.note(`caller-${caller}`, 200);
    const [busiest] = window.rates(0);
    assert.deepEqual([busiest?.name, busiest?.perMinute], ['', 1_500]);
    assert.equal(window.rates(2_000).length, 1_001);
    await clock.pass(6 * MINUTE);
    window.note('late', 200);
    assert.deepEqual(column(window.rates(5), 'name'), ['late']);
  });

  it('identity review 5: counts two callers with the same name apart', () => {
    const window = createCallerWindow(createFakeScheduler(START));
    for (const caller of ['a\nf3b1', 'b\nf3b1', 'b\nf3b1']) window.note(caller, 200, 'alice');
    assert.deepEqual(columns(window.rates(5), 'name', 'perMinute'), [
      ['alice', 2],
      ['alice', 1],
    ]);
  });
});

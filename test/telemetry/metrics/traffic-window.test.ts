import assert from 'node:assert/strict';
import {
  BUCKETS,
  bucketOf,
  durationOf,
  quantile,
  createTrafficWindow,
} from '../../../src/telemetry/metrics/traffic-window.js';
import { createCallerWindow } from '../../../src/telemetry/metrics/caller-window.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const MINUTE = 60_000;
/** A time on a boundary of five minutes. */
const START = Date.UTC(2026, 0, 1);

describe('the duration buckets', () => {
  it('grow with the duration, and represent it to one sixteenth', () => {
    let previous = 0;
    for (let ms = 0; ms < 131_072; ms += ms < 1_000 ? 1 : 37) {
      const bucket = bucketOf(ms);
      assert.ok(bucket >= previous && bucket < BUCKETS, `${ms} is in ${bucket}`);
      assert.ok(Math.abs(durationOf(bucket) - ms) <= ms / 16, `${ms} is told as ${durationOf(bucket)}`);
      previous = bucket;
    }
  });

  it('include durations out of bounds: negative and very long ones', () => {
    assert.equal(bucketOf(-5), 0);
    assert.equal(bucketOf(0.7), 0);
    assert.equal(bucketOf(1e15), BUCKETS - 1);
    assert.equal(bucketOf(131_071), BUCKETS - 1);
  });

  it('give the quantiles of their counts', () => {
    const counts = new Float64Array(BUCKETS);
    assert.equal(quantile(counts, 0.5), null);
    counts[3] = 94;
    counts[bucketOf(1_000)] = 6;
    assert.deepEqual([quantile(counts, 0.5), quantile(counts, 0.94)], [3, 3]);
    assert.equal(quantile(counts, 0.95), durationOf(bucketOf(1_000)));
  });
});

describe('createTrafficWindow', () => {
  it('returns the rates of the last five minutes, per adapter and in total', async () => {
    const clock = createFakeScheduler(START);
    const window = createTrafficWindow(clock);
    await clock.pass(5 * MINUTE - 1);
    for (let call = 0; call < 10; call += 1) window.note('nso1', 12, call === 0);
    window.note('ncs2', 100, false);
    const { all, adapters } = window.rates();
    assert.deepEqual(adapters.get('nso1'), { perMinute: 2, errorsPerMinute: 0.2, p50Ms: 12, p95Ms: 12 });
    assert.deepEqual([all.perMinute, all.p50Ms, all.p95Ms], [2.2, 12, durationOf(bucketOf(100))]);
    await clock.pass(4.5 * MINUTE);
    assert.equal(window.rates().adapters.get('nso1')?.p50Ms, 12);
    await clock.pass(MINUTE / 2);
    assert.deepEqual([...window.rates().adapters], []);
  });

  it('counts a single call of the first second as one per minute', () => {
    const window = createTrafficWindow(createFakeScheduler(START));
    window.note('nso1', 1, false);
    assert.equal(window.rates().all.perMinute, 1);
  });

  it('counts a WebSocket without its duration', () => {
    const window = createTrafficWindow(createFakeScheduler(START));
    window.note('nso1', -1, false);
    assert.deepEqual(window.rates().adapters.get('nso1'), {
      perMinute: 1,
      errorsPerMinute: 0,
      p50Ms: null,
      p95Ms: null,
    });
  });

  it('keeps cells of five minutes by the clock for a day, without empty ones', async () => {
    const clock = createFakeScheduler(START + 4 * MINUTE);
    const window = createTrafficWindow(clock);
    window.note('nso1', 10, true);
    await clock.pass(2 * MINUTE);
    window.note('nso1', 20, false);
    await clock.pass(17 * MINUTE);
    window.note('nso1', 30, false);
    const cells = (from = 0) => window.cells(from).get('nso1') ?? [];
    const expected = [
      { at: START, calls: 1, errors: 1, p50Ms: 10, p95Ms: 10 },
      { at: START + 5 * MINUTE, calls: 1, errors: 0, p50Ms: durationOf(bucketOf(20)) },
      { at: START + 20 * MINUTE, calls: 1, errors: 0, p50Ms: durationOf(bucketOf(30)) },
    ];
    assert.deepEqual(
      cells(),
      expected.map((cell) => ({ ...cell, p95Ms: cell.p50Ms })),
    );
    assert.equal(cells(START + 1).length, 2);
    for (let cell = 0; cell < 300; cell += 1) {
      await clock.pass(5 * MINUTE);
      window.note('nso1', 1, false);
    }
    assert.ok(cells().length <= 289, `${cells().length} cells`);
    assert.equal(cells()[0]?.at, cells().at(-1)!.at - (cells().length - 1) * 5 * MINUTE);
  });

  it('starts over when the clock is set back, and drops removed adapters', () => {
    let now = START + 60 * MINUTE;
    const window = createTrafficWindow({ now: () => now });
    window.note('nso1', 10, false);
    now = START;
    window.note('nso1', 20, false);
    assert.equal(window.rates().adapters.get('nso1')?.perMinute, 1);
    assert.deepEqual(
      window
        .cells(0)
        .get('nso1')
        ?.map(({ at }) => at),
      [START],
    );
    window.keepOnly(new Set(['another']));
    assert.deepEqual([...window.cells(0)], []);
  });
});

describe('createCallerWindow', () => {
  it('names the busiest callers, and adds up all others', async () => {
    const clock = createFakeScheduler(START);
    const window = createCallerWindow(clock);
    for (const [name, calls] of [
      ['ada', 3],
      ['bob', 2],
      ['eve', 1],
    ] as const)
      for (let call = 0; call < calls; call += 1) window.note(name, name === 'eve');
    assert.deepEqual(window.rates(1), [
      { name: 'ada', perMinute: 3, errorsPerMinute: 0 },
      { name: '', perMinute: 3, errorsPerMinute: 1 },
    ]);
    assert.deepEqual(
      window.rates(3).map(({ name }) => name),
      ['ada', 'bob', 'eve'],
    );
    await clock.pass(6 * MINUTE);
    assert.deepEqual(window.rates(3), []);
  });

  it('distinguishes a thousand callers, and reuses the entries of idle ones', async () => {
    const clock = createFakeScheduler(START);
    const window = createCallerWindow(clock);
    for (let caller = 0; caller < 1_500; caller += 1) window.note(`caller-${caller}`, false);
    const [busiest] = window.rates(0);
    assert.deepEqual([busiest?.name, busiest?.perMinute], ['', 1_500]);
    assert.equal(window.rates(2_000).length, 1_001);
    await clock.pass(6 * MINUTE);
    window.note('late', false);
    assert.deepEqual(
      window.rates(5).map(({ name }) => name),
      ['late'],
    );
  });

  it('identity review 5: counts two callers with the same name apart', () => {
    const window = createCallerWindow(createFakeScheduler(START));
    for (const caller of ['a\nf3b1', 'b\nf3b1', 'b\nf3b1']) window.note(caller, false, 'alice');
    assert.deepEqual(
      window.rates(5).map(({ name, perMinute }) => [name, perMinute]),
      [
        ['alice', 2],
        ['alice', 1],
      ],
    );
  });
});

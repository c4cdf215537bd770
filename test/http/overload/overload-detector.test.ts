import assert from 'node:assert/strict';
import { type Overload, watchOverload } from '../../../src/http/overload/overload-detector.js';
import { createFakeLoop, type FakeLoop } from '../../support/fake-loop.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { type LogLine, memoryLog } from '../../support/memory-log.js';

const LIMITS = { loopDelayMs: 100, memoryPercent: 90, calls: 1_000 };
const SAMPLE_INTERVAL_MS = 100;

describe('the overload detector', () => {
  const readings = { delay: 0, memory: 0, share: 1 };
  let scheduler: FakeScheduler;
  let loop: FakeLoop;
  let lines: LogLine[];
  let overload: Overload;
  beforeEach(() => {
    Object.assign(readings, { delay: 0, memory: 0, share: 1 });
    scheduler = createFakeScheduler();
    loop = createFakeLoop();
    const memory = memoryLog();
    lines = memory.lines;
    overload = watchOverload({
      limits: LIMITS,
      sampler: {
        delayMs: () => readings.delay,
        processorShare: () => readings.share,
        memory: () => ({ needed: readings.memory, resident: readings.memory }),
      },
      scheduler,
      loop,
      log: memory.log,
    });
  });
  afterEach(() => {
    overload.close();
  });

  /**
   * Returns why the detector would refuse a call with this number of calls in flight, after each of several
   * readings.
   */
  async function after(name: keyof typeof readings, values: readonly number[], calls = 1) {
    const found = [];
    for (const value of values) {
      readings[name] = value;
      await scheduler.pass(SAMPLE_INTERVAL_MS);
      found.push(overload.refusalReason(calls));
    }
    return found;
  }

  it('lowers the limit while the event loop is late, and raises it again afterwards', async () => {
    overload.refusalReason(500);
    assert.deepEqual(await after('delay', [101, 101, 101], 300), [undefined, 'loop', 'loop']);
    assert.deepEqual(await after('delay', Array<number>(12).fill(100), 300), [
      ...Array<string>(7).fill('loop'),
      ...Array<undefined>(5).fill(undefined),
    ]);
  });

  it('counts the wait in the queue as far as this process used the processor', async () => {
    overload.refusalReason(500);
    for (const [share, expected] of [
      [0.1, undefined],
      [1, 'loop'],
    ] as const) {
      readings.share = share;
      for (let sample = 0; sample < 2; sample += 1) {
        overload.enqueue(() => undefined);
        loop.pass(400);
        await scheduler.pass(SAMPLE_INTERVAL_MS);
      }
      assert.equal(overload.refusalReason(300), expected);
    }
  });

  it('ignores a single long turn, and two long turns half a second apart', async () => {
    assert.deepEqual(await after('delay', [5_000, 0, 0, 0, 0, 5_000], 500), Array(6).fill(undefined));
  });

  it('admits up to 64 calls even if they wait', async () => {
    await after('delay', Array<number>(50).fill(1_000), 20);
    assert.deepEqual([64, 65].map(overload.refusalReason), [undefined, 'loop']);
  });

  it('admits fewer calls if even those wait for very long, but at least 16', async () => {
    assert.deepEqual(await after('delay', [1_001, 1_001, 1_001], 40), [undefined, 'loop', 'loop']);
    await after('delay', Array<number>(50).fill(1_001), 1);
    assert.deepEqual([16, 17].map(overload.refusalReason), [undefined, 'loop']);
  });

  it('reports a late event loop above half of the delay limit, until one second without delay', async () => {
    const found = [];
    for (const delay of [50, 51, ...Array<number>(10).fill(50)]) {
      await after('delay', [delay]);
      found.push(overload.isLoopLate());
    }
    assert.deepEqual(found, [false, ...Array<boolean>(10).fill(true), false]);
  });

  it('lowers the limit when queued calls wait too long', async () => {
    overload.refusalReason(500);
    await after('delay', [60, 0]);
    overload.enqueue(() => undefined);
    loop.pass(101);
    assert.deepEqual(await after('delay', [0, 0], 400), [undefined, 'loop']);
  });

  it('reports memory that stays full, but not a single peak', async () => {
    assert.deepEqual(await after('memory', [95, 50, 95, 95, 85, 80]), [
      ...[undefined, undefined, undefined],
      ...['memory', 'memory'],
      undefined,
    ]);
  });

  it('finding F1: reports how long an overload lasts', async () => {
    assert.equal(overload.lastsMs(), 0);
    await after('memory', [95, 95, 95, 95]);
    assert.equal(overload.lastsMs(), 2 * SAMPLE_INTERVAL_MS);
    await after('memory', [50]);
    assert.equal(overload.lastsMs(), 0);
    overload.note('loop');
    await scheduler.pass(SAMPLE_INTERVAL_MS);
    await scheduler.pass(500);
    assert.equal(overload.lastsMs(), 500);
    await scheduler.pass(1_000);
    assert.equal(overload.lastsMs(), 0);
  });

  it('reports too many calls in flight at once, and only while they exceed the limit', () => {
    assert.deepEqual([1_000, 1_001, 1_000].map(overload.refusalReason), [undefined, 'calls', undefined]);
  });

  it('counts refused calls by reason', () => {
    for (const strain of ['loop', 'calls', 'loop'] as const) overload.note(strain);
    const { name, type, samples } = overload.metric();
    assert.deepEqual([name, type], ['gatehouse_overload_refused_total', 'counter']);
    assert.deepEqual(
      samples.map(({ labels, value }) => [labels['strain'], value]),
      [
        ['loop', 2],
        ['memory', 0],
        ['calls', 1],
      ],
    );
  });

  it('logs an overload once when it begins, and once after it has been over for a second', async () => {
    const takeLines = () => lines.splice(0).map(({ level, message, fields }) => [level, message, fields]);
    overload.note('loop');
    overload.note('calls');
    assert.deepEqual(takeLines(), [['warn', 'server overloaded; refusing calls', { strain: 'loop' }]]);
    await scheduler.pass(1_000);
    overload.note('loop');
    await scheduler.pass(1_000);
    assert.deepEqual(takeLines(), []);
    await scheduler.pass(SAMPLE_INTERVAL_MS);
    assert.deepEqual(takeLines(), [['info', 'overload ended; accepting calls', { refused: 3 }]]);
    await scheduler.pass(10_000);
    overload.note('memory');
    assert.deepEqual(takeLines(), [['warn', 'server overloaded; refusing calls', { strain: 'memory' }]]);
  });

  it('sets no timer after close', async () => {
    overload.close();
    await scheduler.pass(SAMPLE_INTERVAL_MS);
    assert.equal(scheduler.next(), undefined);
  });
});

import assert from 'node:assert/strict';
import { type Overload, watchOverload } from '../../../src/http/overload/overload-detector.js';
import { createFakeLoop, type FakeLoop } from '../../support/fake-loop.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { type LogLine, memoryLog } from '../../support/memory-log.js';

const LIMITS = { loopDelayMs: 100, memoryPercent: 90, calls: 1_000 };
const SAMPLE_INTERVAL_MS = 100;

describe('watching for overload', () => {
  const readings = { delay: 0, memory: 0 };
  let scheduler: FakeScheduler;
  let loop: FakeLoop;
  let lines: LogLine[];
  let overload: Overload;
  beforeEach(() => {
    Object.assign(readings, { delay: 0, memory: 0 });
    scheduler = createFakeScheduler();
    loop = createFakeLoop();
    const memory = memoryLog();
    lines = memory.lines;
    overload = watchOverload({
      limits: LIMITS,
      sampler: { delayMs: () => readings.delay, memoryPercent: () => readings.memory },
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

  it('takes fewer calls while the loop stays late, and after a while all again', async () => {
    overload.refusalReason(500);
    assert.deepEqual(await after('delay', [101, 101, 101], 300), [undefined, 'loop', 'loop']);
    assert.deepEqual(await after('delay', Array<number>(12).fill(100), 300), [
      ...Array<string>(7).fill('loop'),
      ...Array<undefined>(5).fill(undefined),
    ]);
  });

  it('takes a single long turn for none, and two that are half a second apart', async () => {
    assert.deepEqual(await after('delay', [5_000, 0, 0, 0, 0, 5_000], 500), Array(6).fill(undefined));
  });

  it('takes a few dozen calls at a time although they wait', async () => {
    await after('delay', Array<number>(50).fill(1_000), 20);
    assert.deepEqual([64, 65].map(overload.refusalReason), [undefined, 'loop']);
  });

  it('takes fewer than that where even those wait for very long, and some always', async () => {
    assert.deepEqual(await after('delay', [1_001, 1_001, 1_001], 40), [undefined, 'loop', 'loop']);
    await after('delay', Array<number>(50).fill(1_001), 1);
    assert.deepEqual([16, 17].map(overload.refusalReason), [undefined, 'loop']);
  });

  it('has calls wait for their turn once the loop is half as late as it may be, until it was in time for a second', async () => {
    const found = [];
    for (const delay of [50, 51, ...Array<number>(10).fill(50)]) {
      await after('delay', [delay]);
      found.push(overload.isLoopLate());
    }
    assert.deepEqual(found, [false, ...Array<boolean>(10).fill(true), false]);
  });

  it('takes fewer calls when those that wait for their turn wait too long', async () => {
    overload.refusalReason(500);
    await after('delay', [60, 0]);
    overload.enqueue(() => undefined);
    loop.pass(101);
    assert.deepEqual(await after('delay', [0, 0], 400), [undefined, 'loop']);
  });

  it('finds memory that stays full, and no single collection that is due', async () => {
    assert.deepEqual(await after('memory', [95, 50, 95, 95, 85, 80]), [
      ...[undefined, undefined, undefined],
      ...['memory', 'memory'],
      undefined,
    ]);
  });

  it('finds too many calls in flight at once, and no longer than there are', () => {
    assert.deepEqual([1_000, 1_001, 1_000].map(overload.refusalReason), [undefined, 'calls', undefined]);
  });

  it('counts what was turned away by its reason', () => {
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

  it('tells an overload once when it begins and once when it was over for a second', async () => {
    const tell = () => lines.splice(0).map(({ level, message, fields }) => [level, message, fields]);
    overload.note('loop');
    overload.note('calls');
    assert.deepEqual(tell(), [['warn', 'server overloaded; refusing calls', { strain: 'loop' }]]);
    await scheduler.pass(1_000);
    overload.note('loop');
    await scheduler.pass(1_000);
    assert.deepEqual(tell(), []);
    await scheduler.pass(SAMPLE_INTERVAL_MS);
    assert.deepEqual(tell(), [['info', 'overload ended; accepting calls', { refused: 3 }]]);
    await scheduler.pass(10_000);
    overload.note('memory');
    assert.deepEqual(tell(), [['warn', 'server overloaded; refusing calls', { strain: 'memory' }]]);
  });

  it('looks no more once it is closed', async () => {
    overload.close();
    await scheduler.pass(SAMPLE_INTERVAL_MS);
    assert.equal(scheduler.next(), undefined);
  });
});

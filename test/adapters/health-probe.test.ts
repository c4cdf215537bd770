import assert from 'node:assert/strict';
import { createHealthProbe, type HealthProbeOptions } from '../../src/adapters/instance.js';
import { createStartTurn } from '../../src/adapters/start-turn.js';
import { createStarter } from '../../src/adapters/starter.js';
import type { Connection } from '../../src/core/adapter.js';
import { Semaphore } from '../../src/lib/semaphore.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

const INTERVAL_MS = 30_000;
const EVERY_30_S = { type: 'intermittent', path: null, intervalSeconds: 30 } as const;

/** Creates the probe of an adapter without a start function, and counts its probes. */
function setUp(options: Partial<HealthProbeOptions> = {}) {
  const scheduler = createFakeScheduler();
  const closing = new AbortController().signal;
  let connection: Connection = { state: 'UNKNOWN', since: 0 };
  let count = 0;
  const starter = createStarter({
    id: 'core1',
    log: memoryLog().log,
    scheduler,
    turn: createStartTurn(new Semaphore(1), 60_000),
    closing,
    start: undefined,
  });
  const probe = createHealthProbe({
    starter,
    health: EVERY_30_S,
    upstream: { checkConnection: () => Promise.resolve(void (count += 1)) },
    closing,
    connection: () => connection,
    scheduler,
    ...options,
  });
  /** Notes a call that succeeded or failed just now. */
  const noteCall = (state: 'ONLINE' | 'OFFLINE'): void => {
    const at = scheduler.now();
    connection = { state, since: 0, lastTriedAt: at, lastTriedBy: 'call', lastOkAt: at };
  };
  return { probe, scheduler, count: () => count, noteCall };
}

describe('createHealthProbe', () => {
  it('opens a connection every 30 s without a health path, and does not delay the start', async () => {
    const { probe, scheduler, count } = setUp();
    assert.equal(probe.open(), undefined);
    assert.equal(count(), 0);
    for (const expected of [1, 2, 3]) {
      await scheduler.pass(INTERVAL_MS);
      assert.equal(count(), expected);
    }
  });

  it('skips the probe while calls have succeeded within the interval', async () => {
    const { probe, scheduler, count, noteCall } = setUp();
    await probe.open();
    for (let turn = 0; turn < 5; turn += 1) {
      await scheduler.pass(INTERVAL_MS - 1_000);
      noteCall('ONLINE');
      await scheduler.pass(1_000);
    }
    assert.equal(count(), 0);
    await scheduler.pass(INTERVAL_MS);
    assert.equal(count(), 1);
  });

  it('probes although calls arrive, if the latest one failed', async () => {
    const { probe, scheduler, count, noteCall } = setUp();
    await probe.open();
    await scheduler.pass(INTERVAL_MS - 1);
    noteCall('OFFLINE');
    await scheduler.pass(1);
    assert.equal(count(), 1);
  });

  it('never probes with type "none", nor with an interval of 0', async () => {
    for (const change of [{ type: 'none' }, { intervalSeconds: 0 }] as const) {
      const { probe, scheduler } = setUp({ health: { ...EVERY_30_S, ...change } });
      await probe.open();
      assert.equal(scheduler.next(), undefined);
    }
  });

  it('probes a target that is not reachable more often, but never less often than each interval', async () => {
    const { probe, scheduler } = setUp({
      upstream: { checkConnection: () => Promise.reject(new Error('refused')) },
    });
    await probe.open();
    const waits: (number | undefined)[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      waits.push(scheduler.next());
      await scheduler.pass(scheduler.next() ?? 0);
    }
    assert.deepEqual(waits, [30_000, 5_000, 10_000, 20_000, 30_000, 30_000]);
  });

  it('spreads the probes by a tenth of the interval', async () => {
    const waits: number[] = [];
    for (const random of [0, 0.5, 1]) {
      const { probe, scheduler } = setUp({ random: () => random });
      await probe.open();
      waits.push(Math.round(scheduler.next() ?? 0));
    }
    assert.deepEqual(waits, [27_000, 30_000, 33_000]);
  });

  it('waits for a slot, so that 2,000 adapters do not probe at the same time', async () => {
    const slots = new Semaphore(1);
    let release = (): void => undefined;
    const held = slots.run(() => new Promise<void>((resolve) => (release = resolve)));
    const { probe, scheduler, count } = setUp({ slots });
    await probe.open();
    await scheduler.pass(INTERVAL_MS);
    assert.equal(count(), 0);
    release();
    await held;
    await scheduler.pass(0);
    assert.equal(count(), 1);
  });

  it('tests at once when asked to, even if periodic probes are off', async () => {
    const { probe, count } = setUp({ health: { ...EVERY_30_S, intervalSeconds: 0 } });
    await probe.test?.();
    assert.equal(count(), 1);
  });

  it('ends with the adapter', async () => {
    const { probe, scheduler, count } = setUp();
    await probe.open();
    probe.close();
    await scheduler.pass(10 * INTERVAL_MS);
    assert.deepEqual([count(), scheduler.next()], [0, undefined]);
  });
});

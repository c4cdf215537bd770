import assert from 'node:assert/strict';
import { watchHeartbeat } from '../../../src/server/cluster/heartbeat.js';
import type { ProcessStats } from '../../../src/server/cluster/worker-stats.js';
import type { WorkerProcess } from '../../../src/server/cluster/worker-process.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const VITALS: ProcessStats = { delaySeconds: 0.1, memoryBytes: 1, cpuSeconds: 2 };

/** A watch over a worker that answers, until it is told not to. */
function watched() {
  const clock = createFakeScheduler();
  const told: ProcessStats[] = [];
  let [isWell, stuck] = [true, 0];
  let late: ((vitals: ProcessStats) => void) | undefined;
  const ask = () => (isWell ? Promise.resolve(VITALS) : new Promise((resolve) => (late = resolve)));
  const pulse = watchHeartbeat({ ask } as unknown as WorkerProcess, {
    scheduler: clock,
    onStats: (vitals) => told.push(vitals),
    onStuck: () => (stuck += 1),
  });
  return {
    clock,
    pulse,
    told,
    stuck: () => stuck,
    fallSilent: () => (isWell = false),
    answerAtLast: () => {
      isWell = true;
      late?.(VITALS);
    },
  };
}

describe('watchHeartbeat', () => {
  it('polls the worker each second and passes its statistics on', async () => {
    const { clock, told, stuck } = watched();
    await clock.pass(60_000);
    assert.deepEqual(
      told,
      Array.from({ length: 60 }, () => VITALS),
    );
    assert.equal(stuck(), 0);
  });

  it('reports a worker as stuck once after ten seconds without an answer, and then stops', async () => {
    const { clock, fallSilent, stuck } = watched();
    await clock.pass(5_000);
    fallSilent();
    await clock.pass(10_000);
    assert.equal(stuck(), 0);
    await clock.pass(1_000);
    assert.equal(stuck(), 1);
    assert.equal(clock.next(), undefined);
  });

  it('starts the ten seconds again after a late answer', async () => {
    const { clock, fallSilent, answerAtLast, stuck } = watched();
    for (let times = 0; times < 3; times += 1) {
      fallSilent();
      await clock.pass(10_000);
      answerAtLast();
      await clock.pass(0);
      await clock.pass(1_000);
    }
    assert.equal(stuck(), 0);
  });

  it('counts missed polls instead of elapsed time, so that a suspended main process reports no stuck worker', () => {
    const looks: (() => void)[] = [];
    let stuck = 0;
    const scheduler = {
      after: (_ms: number, work: () => void) => {
        looks.push(work);
        return () => undefined;
      },
    };
    const never = { ask: () => new Promise(() => undefined) } as unknown as WorkerProcess;
    watchHeartbeat(never, { scheduler, onStats: () => undefined, onStuck: () => (stuck += 1) });
    // The first asks; nine more find nothing, whatever the clock says.
    for (let look = 0; look < 10; look += 1) looks.shift()?.();
    assert.deepEqual([stuck, looks.length], [0, 1]);
    looks.shift()?.();
    assert.deepEqual([stuck, looks.length], [1, 0]);
  });

  it('reports no stuck worker until every pause has ended', async () => {
    const { clock, pulse, fallSilent, stuck } = watched();
    const [resume, resumeToo] = [pulse.pause(), pulse.pause()];
    fallSilent();
    await clock.pass(60_000);
    resume();
    await clock.pass(60_000);
    assert.equal(stuck(), 0);
    resumeToo();
    await clock.pass(10_000);
    assert.equal(stuck(), 1);
  });

  it('stops polling after stop()', async () => {
    const { clock, pulse, fallSilent, stuck } = watched();
    fallSilent();
    await clock.pass(5_000);
    pulse.stop();
    assert.equal(clock.next(), undefined);
    assert.equal(stuck(), 0);
  });
});

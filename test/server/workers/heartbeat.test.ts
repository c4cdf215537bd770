import assert from 'node:assert/strict';
import { watchHeartbeat } from '../../../src/server/workers/heartbeat.js';
import type { ProcessStats } from '../../../src/server/workers/process-stats.js';
import type { WorkerProcess } from '../../../src/server/workers/worker-process.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const STATS: ProcessStats = { delaySeconds: 0.1, memoryBytes: 1, cpuSeconds: 2 };

function openHeartbeat() {
  const clock = createFakeScheduler();
  const reportedStats: ProcessStats[] = [];
  let [isAnswering, stuck] = [true, 0];
  let answerPending: ((stats: ProcessStats) => void) | undefined;
  const ask = () =>
    isAnswering ? Promise.resolve(STATS) : new Promise((resolve) => (answerPending = resolve));
  const heartbeat = watchHeartbeat({ ask } as unknown as WorkerProcess, {
    scheduler: clock,
    onStats: (stats) => reportedStats.push(stats),
    onStuck: () => (stuck += 1),
  });
  return {
    clock,
    heartbeat,
    reportedStats,
    stuck: () => stuck,
    stopAnswering: () => (isAnswering = false),
    answerLate: () => {
      isAnswering = true;
      answerPending?.(STATS);
    },
  };
}

describe('watchHeartbeat', () => {
  it('polls the worker each second and passes its statistics on', async () => {
    const { clock, reportedStats, stuck } = openHeartbeat();
    await clock.pass(60_000);
    assert.deepEqual(
      reportedStats,
      Array.from({ length: 60 }, () => STATS),
    );
    assert.equal(stuck(), 0);
  });

  it('reports a worker as stuck once after ten seconds without an answer, and then stops', async () => {
    const { clock, stopAnswering, stuck } = openHeartbeat();
    await clock.pass(5_000);
    stopAnswering();
    await clock.pass(10_000);
    assert.equal(stuck(), 0);
    await clock.pass(1_000);
    assert.equal(stuck(), 1);
    assert.equal(clock.next(), undefined);
  });

  it('starts the ten seconds again after a late answer', async () => {
    const { clock, stopAnswering, answerLate, stuck } = openHeartbeat();
    for (let times = 0; times < 3; times += 1) {
      stopAnswering();
      await clock.pass(10_000);
      answerLate();
      await clock.pass(0);
      await clock.pass(1_000);
    }
    assert.equal(stuck(), 0);
  });

  it('counts missed polls instead of elapsed time, so that a suspended main process reports no stuck worker', () => {
    const polls: (() => void)[] = [];
    let stuck = 0;
    const scheduler = {
      after: (_ms: number, work: () => void) => {
        polls.push(work);
        return () => undefined;
      },
    };
    const silentWorker = { ask: () => new Promise(() => undefined) } as unknown as WorkerProcess;
    watchHeartbeat(silentWorker, { scheduler, onStats: () => undefined, onStuck: () => (stuck += 1) });
    // The first poll sends a request; nine further polls get no answer, independent of the time.
    for (let poll = 0; poll < 10; poll += 1) polls.shift()?.();
    assert.deepEqual([stuck, polls.length], [0, 1]);
    polls.shift()?.();
    assert.deepEqual([stuck, polls.length], [1, 0]);
  });

  it('reports no stuck worker until every pause has ended', async () => {
    const { clock, heartbeat, stopAnswering, stuck } = openHeartbeat();
    const [resumeFirst, resumeSecond] = [heartbeat.pause(), heartbeat.pause()];
    stopAnswering();
    await clock.pass(60_000);
    resumeFirst();
    await clock.pass(60_000);
    assert.equal(stuck(), 0);
    resumeSecond();
    await clock.pass(10_000);
    assert.equal(stuck(), 1);
  });

  it('stops polling after stop()', async () => {
    const { clock, heartbeat, stopAnswering, stuck } = openHeartbeat();
    stopAnswering();
    await clock.pass(5_000);
    heartbeat.stop();
    assert.equal(clock.next(), undefined);
    assert.equal(stuck(), 0);
  });
});

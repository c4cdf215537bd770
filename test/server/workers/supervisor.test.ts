import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { STUCK_EXIT_CODE } from '../../../src/server/watchdog/protocol.js';
import { WorkerSupervisor } from '../../../src/server/workers/supervisor.js';
import type { Ending, WorkerProcess } from '../../../src/server/workers/worker-process.js';
import { createWorkerRegistry } from '../../../src/server/workers/worker-registry.js';
import { exposition } from '../../../src/telemetry/metrics/exposition.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';
import { readExposition } from '../../support/scrape.js';

/** A fake worker process that follows its messages as long as it is responsive. */
class FakeWorker {
  readonly pid: number;
  readonly received: string[] = [];
  isResponsive = true;
  /** False from the moment when the process is killed; its end is noticed later. */
  isReachable = true;
  ending: Ending | undefined;
  readonly ended: Promise<Ending>;
  #end: (ending: Ending) => void = () => undefined;

  constructor(pid: number) {
    this.pid = pid;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  end(ending: Ending): void {
    this.ending ??= ending;
    this.#end(ending);
  }

  kill(): void {
    this.end({ code: null, signal: 'SIGKILL' });
  }

  ask(name: string): Promise<unknown> {
    this.received.push(name);
    if (this.isResponsive) return Promise.resolve({ delaySeconds: 0, memoryBytes: this.pid, cpuSeconds: 0 });
    return this.ended.then(() => Promise.reject(new Error('the other process has ended')));
  }

  notify(name: string): void {
    this.received.push(name);
    if (this.isResponsive) this.end({ code: 0, signal: null });
  }

  isConnected(): boolean {
    return this.isReachable;
  }

  sendSocket(): void {
    this.received.push('a connection');
  }
}

/** Opens a supervisor with two serving workers; `initializeReplacement` initializes each further worker. */
async function openSupervised(initializeReplacement: () => Promise<void> = () => Promise.resolve()) {
  const clock = createFakeScheduler();
  const { log, lines } = memoryLog();
  const workers: FakeWorker[] = [];
  const registry = createWorkerRegistry(2);
  let blocking: WorkerProcess | undefined;
  let initialize: () => Promise<void> = () => Promise.resolve();
  const supervisor = new WorkerSupervisor({
    count: 2,
    registry,
    log,
    scheduler: clock,
    drainSeconds: 3,
    startProcess: () => {
      const worker = new FakeWorker(workers.length + 1);
      workers.push(worker);
      return worker as unknown as WorkerProcess;
    },
    initialize: () => initialize(),
    onUndelivered: () => undefined,
    onServing: () => undefined,
    blocksOthers: (worker) => worker === blocking,
    startTimeoutMs: 60_000,
  });
  await supervisor.open();
  initialize = initializeReplacement;
  const dispatch = (): boolean => supervisor.dispatch(new Socket());
  const metric = (name: string): number | undefined =>
    readExposition(exposition(registry.metrics())).samples.get(name);
  const replacementsFor = (reason: string) =>
    metric(`gatehouse_worker_replacements_total{reason="${reason}"}`);
  const block = (worker: FakeWorker): void => {
    blocking = worker as unknown as WorkerProcess;
  };
  return { clock, block, lines, workers, supervisor, dispatch, metric, replacementsFor };
}

function connectionsOf({ received }: FakeWorker): number {
  return received.filter((message) => message === 'a connection').length;
}

function createGate() {
  let finishInitialization: () => void = () => undefined;
  const initialized = new Promise<void>((resolve) => (finishInitialization = resolve));
  return { initialized, finishInitialization };
}

const DIED: Ending = { code: 1, signal: null };

describe('the supervisor of workers', () => {
  it('reports the wanted and the serving workers, their starts and their memory', async () => {
    const { clock, metric } = await openSupervised();
    await clock.pass(1_000);
    assert.equal(metric('gatehouse_workers_wanted'), 2);
    assert.equal(metric('gatehouse_workers_serving'), 2);
    assert.equal(metric('gatehouse_worker_starts_total{result="success"}'), 2);
    assert.equal(metric('gatehouse_worker_memory_bytes{worker="1"}'), 2);
  });

  it('replaces a worker that died, after a pause if it died soon after its start', async () => {
    const { clock, workers, metric, replacementsFor } = await openSupervised();
    workers[0]!.end(DIED);
    await clock.pass(0);
    await clock.pass(400);
    assert.deepEqual([workers.length, metric('gatehouse_workers_serving')], [2, 1]);
    await clock.pass(100);
    assert.deepEqual(
      [workers.length, metric('gatehouse_workers_serving'), replacementsFor('died')],
      [3, 2, 1],
    );
    await clock.pass(60_000);
    workers[1]!.end(DIED);
    await clock.pass(0);
    assert.deepEqual([workers.length, replacementsFor('died')], [4, 2]);
  });

  it('counts a worker that its watchdog ended as stuck, and names the worker', async () => {
    const { clock, lines, workers, replacementsFor } = await openSupervised();
    await clock.pass(60_000);
    workers[1]!.end({ code: STUCK_EXIT_CODE, signal: null });
    await clock.pass(0);
    assert.deepEqual([workers.length, replacementsFor('stuck'), replacementsFor('died')], [3, 1, 0]);
    const report = lines.find(({ message }) => message.includes('ended by its watchdog'));
    assert.deepEqual([report?.fields['worker'], report?.fields['pid'], report?.fields['code']], [1, 2, 70]);
  });

  it('dispatches no connection to a stuck worker, and kills it once its replacement serves', async () => {
    const { initialized, finishInitialization } = createGate();
    const { clock, workers, dispatch, lines, metric, replacementsFor } = await openSupervised(
      () => initialized,
    );
    const [stuck, healthy] = workers;
    stuck!.isResponsive = false;
    await clock.pass(11_000);
    assert.equal(workers.length, 3);
    assert.deepEqual(lines.at(-1)?.message, 'worker does not respond; replacing it');
    assert.equal(lines.at(-1)?.fields['pid'], stuck!.pid);
    assert.ok(dispatch() && dispatch());
    assert.ok(!stuck!.received.includes('a connection'));
    assert.equal(connectionsOf(healthy!), 2);
    assert.deepEqual([stuck!.ending, metric('gatehouse_workers_serving')], [undefined, 1]);
    finishInitialization();
    await clock.pass(0);
    await clock.pass(1_000);
    assert.equal(stuck!.ending?.signal, 'SIGKILL');
    assert.deepEqual(
      [metric('gatehouse_workers_serving'), replacementsFor('stuck'), replacementsFor('died')],
      [2, 1, 0],
    );
  });

  it('dispatches no connection to a killed worker whose end it has not noticed yet', async () => {
    const { workers, dispatch } = await openSupervised();
    const [killed, healthy] = workers;
    killed!.isReachable = false;
    assert.ok(dispatch() && dispatch());
    assert.deepEqual([connectionsOf(killed!), connectionsOf(healthy!)], [0, 2]);
    healthy!.isReachable = false;
    assert.ok(!dispatch(), 'the connection must wait for the next worker');
  });

  it('kills a stuck worker at once that others wait for: its replacement could not start', async () => {
    const { clock, block, workers } = await openSupervised(() => new Promise(() => undefined));
    workers[0]!.isResponsive = false;
    block(workers[0]!);
    await clock.pass(11_000);
    assert.equal(workers[0]!.ending?.signal, 'SIGKILL');
  });

  it('retires a stuck worker gracefully if it answers again before its replacement serves', async () => {
    const { initialized, finishInitialization } = createGate();
    const { clock, workers } = await openSupervised(() => initialized);
    const [slow] = workers;
    slow!.isResponsive = false;
    await clock.pass(11_000);
    slow!.isResponsive = true;
    finishInitialization();
    await clock.pass(0);
    assert.ok(slow!.received.includes('retire'));
    assert.equal(slow!.ending?.code, 0);
  });

  it('kills a stuck worker even if no replacement starts, and keeps trying to start one', async () => {
    const { clock, workers, metric } = await openSupervised(() => Promise.reject(new Error('no memory')));
    workers[0]!.isResponsive = false;
    await clock.pass(12_000);
    assert.equal(workers[0]!.ending?.signal, 'SIGKILL');
    assert.ok((metric('gatehouse_worker_starts_total{result="failure"}') ?? 0) >= 1);
    const before = workers.length;
    await clock.pass(30_000);
    assert.ok(workers.length > before);
  });

  it('lets a stuck worker serve that responds again while no replacement starts', async () => {
    const { clock, workers, lines, metric, dispatch } = await openSupervised(() =>
      Promise.reject(new Error('Vault is sealed')),
    );
    const [slow] = workers;
    slow!.isResponsive = false;
    await clock.pass(10_000);
    slow!.isResponsive = true;
    await clock.pass(2_000);
    assert.deepEqual([slow!.ending, slow!.received.includes('retire')], [undefined, false]);
    assert.equal(metric('gatehouse_workers_serving'), 2);
    assert.ok(dispatch() && dispatch());
    assert.equal(connectionsOf(slow!), 1);
    assert.match(lines.at(-1)?.message ?? '', /serves until its successor starts|start failed/);
  });

  it('does not treat a starting worker as stuck', async () => {
    const { clock, workers, replacementsFor } = await openSupervised(() => new Promise(() => undefined));
    await clock.pass(10_000);
    workers[0]!.end(DIED);
    await clock.pass(0);
    workers[2]!.isResponsive = false;
    await clock.pass(55_000);
    assert.deepEqual([workers[2]!.ending, replacementsFor('stuck')], [undefined, 0]);
  });

  it('replaces a worker that does not apply a change within the timeout, and not earlier', async () => {
    const { clock, workers, supervisor, replacementsFor } = await openSupervised();
    workers[0]!.isResponsive = false;
    const change = supervisor.askAll('applyChange', { kind: 'records' });
    await clock.pass(59_000);
    assert.equal(workers.length, 2);
    await clock.pass(1_000);
    await change;
    assert.equal(workers[0]!.ending?.signal, 'SIGKILL');
    assert.deepEqual(
      [workers.length, replacementsFor('behind'), replacementsFor('stuck'), replacementsFor('died')],
      [3, 1, 0, 0],
    );
  });

  it('counts the workers that a restart replaces', async () => {
    const { workers, supervisor, replacementsFor, metric } = await openSupervised();
    await supervisor.restart();
    assert.deepEqual([workers.length, replacementsFor('restart'), replacementsFor('died')], [4, 2, 0]);
    assert.equal(metric('gatehouse_workers_serving'), 2);
  });

  it('ends all worker processes and timers when it is closed', async () => {
    const { clock, workers, supervisor, replacementsFor } = await openSupervised();
    workers[0]!.isResponsive = false;
    const closing = supervisor.close();
    await clock.pass(8_000);
    await closing;
    assert.ok(workers.every(({ ending }) => ending));
    assert.equal(clock.next(), undefined);
    assert.deepEqual([workers.length, replacementsFor('died'), replacementsFor('stuck')], [2, 0, 0]);
  });
});

import assert from 'node:assert/strict';
import { systemScheduler } from '../../src/lib/clock.js';
import { ThreadPool, ThreadPoolError, type ThreadPoolOptions } from '../../src/lib/thread-pool.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import type { ThreadTask } from '../support/thread-pool-thread.js';
import { until } from '../support/until.js';

const THREAD = new URL('../support/thread-pool-thread.js', import.meta.url);
const FOREVER: ThreadTask = { kind: 'loop' };

describe('ThreadPool', () => {
  const pools: ThreadPool<ThreadTask, unknown>[] = [];
  const open = (options: Partial<ThreadPoolOptions> = {}): ThreadPool<ThreadTask, unknown> => {
    const pool = new ThreadPool<ThreadTask, unknown>({
      script: THREAD,
      resourceLimits: { maxOldGenerationSizeMb: 64 },
      timeoutMs: 60_000,
      maxThreads: 1,
      maxWaiting: 2,
      maxWaitingPerOwner: 2,
      reusesThreads: true,
      scheduler: systemScheduler,
      ...options,
    });
    pools.push(pool);
    return pool;
  };
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => assert.fail('the task has a result'),
      (error: unknown) => (error instanceof ThreadPoolError ? error.failure : error),
    );
  const run = (pool: ThreadPool<ThreadTask, unknown>, task: ThreadTask, owner = 'a'): Promise<unknown> =>
    pool.run(task, { owner });

  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

  it('runs several tasks in one thread if it reuses threads, and each in its own if not', async () => {
    for (const reusesThreads of [true, false]) {
      const pool = open({ reusesThreads });
      const ids = [await run(pool, { kind: 'threadId' }), await run(pool, { kind: 'threadId' })];
      assert.equal(new Set(ids).size, reusesThreads ? 1 : 2);
    }
  });

  it('gives its threads no environment', async () => {
    assert.deepEqual(await run(open(), { kind: 'environment' }), []);
  });

  it('terminates a thread whose task exceeds the time limit, and runs the next task', async () => {
    const scheduler = createFakeScheduler();
    const pool = open({ scheduler });
    const failure = failureOf(run(pool, FOREVER));
    await until(() => scheduler.next() !== undefined);
    await scheduler.pass(60_000);
    assert.equal(await failure, 'timeout');
    assert.equal(await run(pool, { kind: 'double', value: 2 }), 4);
  });

  it('terminates a thread whose task exceeds the memory limit', async () => {
    const pool = open({ resourceLimits: { maxOldGenerationSizeMb: 16 } });
    assert.equal(await failureOf(run(pool, { kind: 'allocate' })), 'memory');
    assert.equal(await run(pool, { kind: 'double', value: 2 }), 4);
  });

  it('fails a task if its thread crashes or does not start', async () => {
    const pool = open();
    assert.equal(await failureOf(run(pool, { kind: 'exit' })), 'crash');
    assert.equal(await run(pool, { kind: 'double', value: 2 }), 4);
    const missing = open({ script: new URL('./none.js', THREAD) });
    assert.equal(await failureOf(run(missing, FOREVER)), 'crash');
  });

  it('cancels a task that waits and a task that runs', async () => {
    const pool = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const running = failureOf(pool.run(FOREVER, { owner: 'a', signal: first.signal }));
    const waiting = failureOf(pool.run(FOREVER, { owner: 'a', signal: second.signal }));
    second.abort('left second');
    assert.equal(await waiting, 'left second');
    first.abort('left first');
    assert.equal(await running, 'left first');
    assert.equal(await failureOf(pool.run(FOREVER, { owner: 'a', signal: first.signal })), 'left first');
    assert.equal(await run(pool, { kind: 'double', value: 2 }), 4);
  });

  it('refuses tasks beyond its bounds, and all tasks after its end', async () => {
    const pool = open({ maxWaiting: 3 });
    // Without a thread that is ready, all tasks wait.
    const tasks = ['a', 'a', 'a', 'b', 'b'].map((owner) => failureOf(run(pool, FOREVER, owner)));
    assert.deepEqual([await tasks[2], await tasks[4]], ['full', 'full']);
    await pool.close();
    assert.deepEqual(await Promise.all(tasks), ['closed', 'closed', 'full', 'closed', 'full']);
    assert.equal(await failureOf(run(pool, FOREVER)), 'closed');
  });
});

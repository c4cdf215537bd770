import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { createIdleInstance, createInstance } from '../../src/adapters/instance.js';
import { createStartTurn, type StartTurn } from '../../src/adapters/start-turn.js';
import { replacementError } from '../../src/adapters/starter.js';
import type { Adapter } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import type { Upstream } from '../../src/core/upstream.js';
import { Semaphore } from '../../src/lib/semaphore.js';
import type { AdapterSettings } from '../../src/settings/adapter.js';
import { problem } from '../support/failing.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

interface InstanceSetup {
  readonly start?: (signal: AbortSignal, turn: StartTurn) => Promise<void>;
  readonly stop?: Adapter['stop'];
  readonly upstream?: Partial<Upstream>;
  readonly probes?: AdapterSettings['health']['type'];
  readonly slots?: Semaphore;
}

const unreachable = (): Problem => new Problem('upstream_unreachable', 'nobody there');

function setUp({ start, stop, upstream, probes = 'none', slots = new Semaphore(1) }: InstanceSetup = {}) {
  const turn = createStartTurn(slots, 60_000);
  const adapter: Adapter = {
    translate: ({ method, path }) => [{ method, path, headers: {} }],
    ...(start && { start: (signal) => start(signal, turn) }),
    ...(stop && { stop }),
  };
  const scheduler = createFakeScheduler();
  const { log, lines } = memoryLog();
  const closed: string[] = [];
  const instance = createInstance({
    id: 'core1',
    type: 'test',
    adapter,
    health: { type: probes, path: '/', intervalSeconds: 30 },
    log,
    scheduler,
    startTurn: turn,
    upstream: {
      send: () => Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(0) }),
      close: () => Promise.resolve(void closed.push('upstream')),
      ...upstream,
    },
  });
  const messages = (): readonly string[] => lines.map(({ message }) => message);
  return { instance, scheduler, closed, messages };
}

/** Creates work that rejects the first `times` calls. */
function failingWork(times: number): { readonly work: () => Promise<void>; readonly count: () => number } {
  let count = 0;
  return {
    work: () => {
      count += 1;
      return count <= times ? Promise.reject(unreachable()) : Promise.resolve();
    },
    count: () => count,
  };
}

describe('createInstance', () => {
  it('is RUNNING at once when the plugin has no start function', async () => {
    const { instance, scheduler } = setUp();
    assert.equal(instance.state().name, 'RUNNING');
    await instance.open();
    assert.equal(scheduler.next(), undefined);
  });

  it('starts the plugin once for concurrent calls', async () => {
    const start = failingWork(0);
    const { instance } = setUp({ start: start.work });
    assert.equal(instance.state().name, 'STARTING');
    await Promise.all([instance.ready(), instance.open(), instance.ready()]);
    assert.deepEqual([start.count(), instance.state().name], [1, 'RUNNING']);
  });

  it('retries a failed start with the next call, but at most once a second', async () => {
    const start = failingWork(2);
    const { instance, scheduler, messages } = setUp({ start: start.work });
    const refused = problem('adapter_unavailable', /"core1" has not started: nobody there/);
    assert.deepEqual(instance.state(), { name: 'STARTING' });
    await assert.rejects(instance.ready(), refused);
    // Clients review G8: the state says why.
    assert.deepEqual(instance.state(), { name: 'STARTING', reason: 'nobody there' });
    await assert.rejects(instance.ready(), refused);
    assert.equal(start.count(), 1);
    await scheduler.pass(1000);
    await assert.rejects(instance.ready(), refused);
    await scheduler.pass(1000);
    await instance.ready();
    assert.deepEqual([start.count(), instance.state().name], [3, 'RUNNING']);
    assert.deepEqual(messages(), ['adapter start failed', 'adapter started']);
  });

  it('retries after the clock was set back (bug: not for the length of the step)', async () => {
    const { instance, scheduler } = setUp({ start: failingWork(1).work });
    await assert.rejects(instance.ready());
    scheduler.set(-3_600_000);
    await instance.ready();
  });

  it('reports the time of its start while it runs, and no time after its stop', async () => {
    const { instance, scheduler } = setUp({ start: failingWork(1).work });
    const begin = scheduler.now();
    await assert.rejects(instance.ready());
    assert.equal(instance.since(), undefined);
    await scheduler.pass(7_000);
    await instance.ready();
    assert.equal(instance.since(), begin + 7_000);
    await instance.close();
    assert.equal(instance.since(), undefined);
    assert.equal(setUp().instance.since(), begin);
    assert.equal(createIdleInstance('core1', 'test', { name: 'STOPPED' }).since(), undefined);
  });

  it('retries a failed start in the background with growing delays', async () => {
    const { instance, scheduler } = setUp({ start: failingWork(3).work });
    await assert.rejects(async () => instance.open());
    const waits: (number | undefined)[] = [];
    for (let next = scheduler.next(); next !== undefined; next = scheduler.next()) {
      waits.push(next);
      await scheduler.pass(next);
    }
    assert.deepEqual([waits, instance.state().name], [[5_000, 10_000, 20_000], 'RUNNING']);
  });

  it('waits longer after each start whose credentials were refused, however many calls arrive', async () => {
    const starts: number[] = [];
    const { instance, scheduler } = setUp({
      start: () => {
        starts.push((scheduler.now() - begin) / 1_000);
        return Promise.reject(new Problem('upstream_auth', 'credentials refused'));
      },
    });
    const begin = scheduler.now();
    for (let second = 0; second < 30; second += 1) {
      await assert.rejects(instance.ready(), problem('adapter_unavailable', /credentials refused/));
      await scheduler.pass(1_000);
    }
    assert.deepEqual(starts, [0, 1, 3, 7, 15, 25]);
  });

  it('reports why its start failed together with the advice (finding 4)', async () => {
    const advice = 'Ask the operator to set tls.caFile.';
    const failure = new Problem('upstream_unreachable', 'unknown authority', { advice });
    const { instance } = setUp({ start: () => Promise.reject(failure) });
    await assert.rejects(instance.ready(), /unknown authority\. Set tls\.caFile\./);
    assert.deepEqual(instance.state(), { name: 'STARTING', reason: 'unknown authority. Set tls.caFile.' });
  });

  /** Creates a start that takes a slot and ends only if it is aborted. */
  const slowStart = async (signal: AbortSignal, turn: StartTurn): Promise<void> => {
    const release = await turn.takeSlot(signal);
    await once(signal, 'abort');
    release();
    throw new Error('aborted');
  };

  it('does not count the wait for a slot (bug: adapters that started together ended each other)', async () => {
    const slots = new Semaphore(1);
    await slots.acquire();
    const { instance, scheduler, messages } = setUp({ start: slowStart, slots });
    const opening = assert.rejects(
      async () => instance.open(),
      /it took longer than 60 s \(timeouts\.startMs\)/,
    );
    await scheduler.pass(600_000);
    const reason = 'its start waits for the starts of other adapters (server.adapterStarts)';
    assert.deepEqual(instance.state(), { name: 'STARTING', reason });
    assert.deepEqual(messages(), []);
    slots.release();
    await scheduler.pass(0);
    await scheduler.pass(59_999);
    assert.deepEqual(messages(), []);
    await scheduler.pass(1);
    await opening;
    assert.deepEqual(messages(), ['adapter start failed']);
    await slots.acquire();
    await instance.close();
  });

  it('rejects a call after 15 s, and continues the start', async () => {
    const slots = new Semaphore(1);
    await slots.acquire();
    const { instance, scheduler } = setUp({
      start: async (signal, turn) => {
        (await turn.takeSlot(signal))();
      },
      slots,
    });
    const call = assert.rejects(
      instance.ready(),
      problem('adapter_unavailable', /"core1" has not started: its start waits for the starts of other/),
    );
    await scheduler.pass(15_000);
    await call;
    slots.release();
    await scheduler.pass(0);
    assert.equal(instance.state().name, 'RUNNING');
  });

  it('logs each new reason of a failure at once, and a repeated reason once a minute', async () => {
    let reason = 'nobody there';
    const { instance, scheduler, messages } = setUp({
      start: () => Promise.reject(new Problem('upstream_unreachable', reason)),
    });
    const fail = async (afterMs: number): Promise<void> => {
      await scheduler.pass(afterMs);
      await assert.rejects(instance.ready());
    };
    for (const pause of [0, 10_000, 20_000]) await fail(pause);
    assert.equal(messages().length, 1);
    reason = 'the password is wrong';
    await fail(1_000);
    assert.equal(messages().length, 2);
    reason = 'nobody there';
    await fail(30_000);
    assert.equal(messages().length, 3);
  });

  it('hides an error of the plugin that is not a Problem, also if it is thrown synchronously', async () => {
    const { instance } = setUp({ start: () => assert.fail('password=hunter2') });
    await assert.rejects(instance.ready(), problem('adapter_unavailable', /^(?!.*hunter2)/));
  });

  it('refuses every call with the reason when it is stopped or dead', async () => {
    for (const [state, code, message] of [
      [{ name: 'STOPPED' }, 'adapter_unavailable', /"core1" is stopped/],
      [
        { name: 'DEAD', cause: 'secret', reason: 'no key at /x' },
        'adapter_secret_unavailable',
        /no key at \/x/,
      ],
      [{ name: 'DEAD', cause: 'fault', reason: 'it broke' }, 'adapter_unavailable', /it broke/],
    ] as const) {
      const instance = createIdleInstance('core1', 'test', state);
      await assert.rejects(instance.ready(), problem(code, message));
      await assert.rejects(async () => instance.open(), problem(code, message));
    }
  });

  it('aborts the start and then stops the plugin when it is closed (bug: the start continued after the stop)', async () => {
    const steps: string[] = [];
    const { instance, messages } = setUp({
      start: async (signal) => {
        await once(signal, 'abort');
        await new Promise(setImmediate);
        steps.push('start ends');
      },
      stop: () => Promise.resolve(void steps.push('stop')),
    });
    const opening = assert.rejects(
      async () => instance.open(),
      problem('adapter_unavailable', /it was stopped/),
    );
    await instance.close();
    await opening;
    assert.deepEqual([steps, messages()], [['start ends', 'stop'], []]);
  });

  it('closes its upstream although the plugin throws, and starts nothing afterwards', async () => {
    const { instance, scheduler, closed } = setUp({
      start: failingWork(9).work,
      stop: () => Promise.reject(new Error('will not stop')),
    });
    await assert.rejects(async () => instance.open());
    const closing = instance.close();
    assert.equal(instance.state().name, 'STOPPING');
    await closing;
    assert.deepEqual([instance.state().name, closed, scheduler.next()], ['STOPPED', ['upstream'], undefined]);
  });
});

describe('the connection of an adapter', () => {
  it('is probed repeatedly with intermittent probes', async () => {
    const probe = failingWork(1);
    const upstream = { probe: () => probe.work().then(() => 200) };
    const { instance, scheduler } = setUp({ upstream, probes: 'intermittent' });
    await assert.rejects(async () => instance.open(), problem('upstream_unreachable', /nobody there/));
    assert.equal(instance.connection().state, 'OFFLINE');
    assert.equal(instance.state().name, 'RUNNING');
    await scheduler.pass(5_000);
    assert.equal(instance.connection().state, 'ONLINE');
    await scheduler.pass(60_000);
    assert.equal(probe.count(), 4);
    await instance.close();
    assert.equal(scheduler.next(), undefined);
  });

  it('stays unchanged when a probe is aborted because the adapter is closed', async () => {
    const probe = async (signal: AbortSignal): Promise<number> => {
      await once(signal, 'abort');
      throw new Problem('caller_gone', 'the caller left');
    };
    const { instance, messages } = setUp({ upstream: { probe }, probes: 'startup' });
    const opening = assert.rejects(async () => instance.open(), /it was stopped/);
    await Promise.resolve();
    await instance.close();
    await opening;
    await new Promise(setImmediate);
    assert.deepEqual([instance.connection().state, messages()], ['UNKNOWN', []]);
  });

  it('is probed until the first success with startup probes', async () => {
    const probe = failingWork(1);
    const upstream = { probe: () => probe.work().then(() => 200) };
    const startup = setUp({ upstream, probes: 'startup' });
    await assert.rejects(async () => startup.instance.open());
    await startup.scheduler.pass(5_000);
    assert.deepEqual([probe.count(), startup.scheduler.next()], [2, undefined]);
  });
});

describe('the start of a replacement', () => {
  it('leaves no listener on the signal of the server (bug: one for each replacement)', async () => {
    const { signal } = new AbortController();
    for (const start of [undefined, failingWork(1).work]) {
      const { instance } = setUp({ ...(start && { start }) });
      await replacementError(instance, signal);
      assert.equal(getEventListeners(signal, 'abort').length, 0);
      await instance.close();
    }
  });

  it('ends when the server stops', async () => {
    const stop = new AbortController();
    const { instance } = setUp({ start: () => new Promise(() => undefined) });
    const replacing = replacementError(instance, stop.signal);
    stop.abort(new Error('stop'));
    assert.deepEqual(await replacing, { reason: 'the server stops', isRefusal: false });
    await instance.close();
  });
});

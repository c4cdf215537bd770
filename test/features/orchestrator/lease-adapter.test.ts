import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Problem } from '../../../src/core/problem.js';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import { createLeaseAdapter } from '../../../src/features/orchestrator/lease-adapter.js';
import type { ActiveSnapshot } from '../../../src/server/state/snapshot.js';
import { SnapshotHolder } from '../../../src/server/state/swap.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { policyWith } from '../../support/policy-with.js';

type Suspended = 'paused' | 'refusing';

/** Creates a snapshot in which two calls of each adapter can wait for 1000 ms; only core1 can be suspended. */
function snapshot(suspended?: Suspended, ids: readonly string[] = ['core1', 'free']): ActiveSnapshot {
  const queue = { waiting: 2, waitMs: 1000 };
  return {
    adapters: new Map(ids.map((id) => [id, { id } as AdapterInstance])),
    access: new Map(ids.map((id) => [id, policyWith()])),
    suspended: new Map(suspended ? [['core1', suspended]] : []),
    written: new Map(ids.map((id) => [id, { queue }])),
    close: () => Promise.resolve(),
  } as unknown as ActiveSnapshot;
}

function setUp(suspended?: Suspended) {
  const scheduler = createFakeScheduler();
  const live = new SnapshotHolder(snapshot(suspended));
  let listeners = 0;
  const onSwap = (listener: () => void) => {
    listeners += 1;
    const cancel = live.onSwap(listener);
    return () => {
      listeners -= 1;
      cancel();
    };
  };
  const current = { current: () => live.current(), lease: live.lease, onSwap };
  const lease = createLeaseAdapter({ current, scheduler });
  const caller = new AbortController();
  const call = (id = 'core1', signal = caller.signal): Promise<string> =>
    lease(id, { signal, check: () => undefined }, (instance) => Promise.resolve(instance.id));
  const check = (): never => assert.fail(new Problem('adapter_forbidden', 'refused'));
  const refused = (): Promise<void> =>
    lease('core1', { signal: caller.signal, check }, () => assert.fail('the call ran'));
  const swap = (next?: Suspended, ids?: readonly string[]): void => void live.swap(snapshot(next, ids));
  const remaining = () => [listeners, getEventListeners(caller.signal, 'abort').length, scheduler.next()];
  return { scheduler, caller, call, refused, swap, remaining };
}

/** Returns true if a promise does not settle within a turn of the event loop. */
async function waits(work: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = () => (settled = true);
  work.then(settle, settle);
  await new Promise((resolve) => setImmediate(resolve));
  return !settled;
}

describe('calls to an adapter', () => {
  it('run if the adapter is not suspended, and fail if it does not exist', async () => {
    const { call } = setUp();
    assert.equal(await call(), 'core1');
    await assert.rejects(call('nobody'), problem('adapter_not_found'));
  });

  it('fail while the adapter refuses calls; calls to other adapters run', async () => {
    const { call } = setUp('refusing');
    await assert.rejects(call(), problem('adapter_suspended'));
    assert.equal(await call('free'), 'free');
  });

  it('wait while the adapter is paused, across other changes, and run once it resumes', async () => {
    const { call, swap, remaining } = setUp('paused');
    const calls = [call(), call()];
    swap('paused');
    assert.ok(await waits(calls[0]!));
    swap();
    assert.deepEqual(await Promise.all(calls), ['core1', 'core1']);
    assert.deepEqual(remaining(), [0, 0, undefined]);
  });

  for (const suspended of ['paused', 'refusing'] as const)
    it(`neither wait nor learn that the adapter is ${suspended}, if the access rules refuse them`, async () => {
      const { call, refused, swap } = setUp(suspended);
      for (let time = 0; time < 3; time += 1) await assert.rejects(refused(), problem('adapter_forbidden'));
      swap('paused');
      const waiting = call();
      swap();
      assert.equal(await waiting, 'core1');
    });

  it('keep waiting if the adapter is paused again before they run', async () => {
    const { call, swap } = setUp('paused');
    const waiting = call();
    swap();
    swap('paused');
    assert.ok(await waits(waiting));
    swap();
    assert.equal(await waiting, 'core1');
  });

  it('fail beyond the maximum number of waiting calls, until a waiting call ends', async () => {
    const { call, swap, remaining } = setUp('paused');
    const leaving = new AbortController();
    const first = call('core1', leaving.signal);
    const second = call();
    await assert.rejects(call(), problem('adapter_suspended'));
    leaving.abort(new Problem('caller_gone', 'left'));
    await assert.rejects(first, problem('caller_gone'));
    const third = call();
    assert.ok(await waits(third));
    await assert.rejects(call(), problem('adapter_suspended'));
    swap();
    assert.deepEqual(await Promise.all([second, third]), ['core1', 'core1']);
    assert.deepEqual(remaining(), [0, 0, undefined]);
  });

  it('fail during their wait if the adapter starts to refuse calls or is removed', async () => {
    const { call, swap } = setUp('paused');
    const first = assert.rejects(call(), problem('adapter_suspended'));
    swap('refusing');
    await first;
    swap('paused');
    const second = assert.rejects(call(), problem('adapter_not_found'));
    swap(undefined, ['free']);
    await second;
  });

  it('do not wait if their caller has left', async () => {
    const { call, caller, remaining } = setUp('paused');
    caller.abort(new Problem('caller_gone', 'left'));
    await assert.rejects(call(), problem('caller_gone'));
    assert.deepEqual(remaining(), [0, 0, undefined]);
  });

  it('fail after the maximum wait, and release all resources (bug: a paused adapter kept every expired call in memory)', async () => {
    const { call, scheduler, remaining } = setUp('paused');
    for (let round = 0; round < 50; round += 1) {
      const waiting = call();
      const rejection = assert.rejects(waiting, problem('adapter_suspended'));
      await scheduler.pass(999);
      assert.ok(await waits(waiting));
      await scheduler.pass(1);
      await rejection;
    }
    assert.deepEqual(remaining(), [0, 0, undefined]);
  });
});

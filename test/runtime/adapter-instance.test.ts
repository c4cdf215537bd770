import assert from 'node:assert/strict';
import type { Adapter } from '../../src/domain/adapter.js';
import { silentLog } from '../../src/domain/log.js';
import { Problem, type ProblemCode } from '../../src/domain/problem.js';
import type { Upstream } from '../../src/domain/upstream.js';
import { createIdleInstance, createInstance } from '../../src/runtime/adapter-instance.js';

const upstream: Upstream = {
  send: () => Promise.reject(new Error('not used')),
  close: () => Promise.resolve(),
};

function instanceOf(start?: Adapter['start'], clock = { now: () => 0 }) {
  const adapter: Adapter = {
    translate: ({ method, path }) => [{ method, path, headers: {} }],
    ...(start && { start }),
  };
  return createInstance({ id: 'core1', type: 'test', adapter, upstream, log: silentLog, clock });
}

function problem(code: ProblemCode, text: RegExp) {
  return (error: unknown) => error instanceof Problem && error.code === code && text.test(error.message);
}

describe('an adapter instance', () => {
  it('runs at once when its plugin has nothing to start', async () => {
    const instance = instanceOf();
    assert.equal(instance.state().name, 'RUNNING');
    assert.equal((await instance.ready()).upstream, upstream);
  });

  it('starts once for many calls at the same time', async () => {
    let starts = 0;
    const instance = instanceOf(() => {
      starts += 1;
      return Promise.resolve();
    });
    assert.equal(instance.state().name, 'STARTING');
    await Promise.all([instance.ready(), instance.ready(), instance.ready()]);
    assert.equal(starts, 1);
    assert.equal(instance.state().name, 'RUNNING');
  });

  it('heals by itself: a call after a failed start tries again, but not more than once a second', async () => {
    let now = 0;
    let starts = 0;
    const instance = instanceOf(
      () => {
        starts += 1;
        return starts < 3
          ? Promise.reject(new Problem('upstream_unreachable', 'nobody there'))
          : Promise.resolve();
      },
      { now: () => now },
    );
    const refused = problem('adapter_unavailable', /"core1" has not started: nobody there/);
    await assert.rejects(instance.ready(), refused);
    await assert.rejects(instance.ready(), refused);
    assert.equal(starts, 1);
    now += 1000;
    await assert.rejects(instance.ready(), refused);
    now += 1000;
    await instance.ready();
    assert.deepEqual([starts, instance.state().name], [3, 'RUNNING']);
  });

  it('hides what a plugin throws that is no Problem, and survives a throw that is not even a rejection', async () => {
    const instance = instanceOf(() => {
      throw new Error('password=hunter2');
    });
    await assert.rejects(instance.ready(), (error: Error) => !error.message.includes('hunter2'));
  });

  it('that is stopped or dead refuses every call with the reason', async () => {
    const stopped = createIdleInstance('core1', 'test', { name: 'STOPPED' });
    await assert.rejects(stopped.ready(), problem('adapter_unavailable', /"core1" is stopped/));
    const keyless = createIdleInstance('core1', 'test', {
      name: 'DEAD',
      cause: 'secret',
      reason: 'VAULT_DENIED at /x',
    });
    await assert.rejects(keyless.ready(), problem('adapter_secret_unavailable', /VAULT_DENIED at \/x/));
    const broken = createIdleInstance('core1', 'test', {
      name: 'DEAD',
      cause: 'fault',
      reason: 'it broke',
    });
    await assert.rejects(broken.ready(), problem('adapter_unavailable', /it broke/));
  });
});

import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import { modelOfBytes } from '../../src/yang/encoding/model-bytes.js';
import { readResourcePath } from '../../src/yang/encoding/resource-path.js';
import { type InstanceJob } from '../../src/yang/instance-thread.js';
import { InstanceWorkers } from '../../src/yang/instance-workers.js';
import { largeModule } from '../support/large-module.js';
import { sourcesOf, yang11 } from '../support/yang.js';

const SMALL = yang11('a', 'container top { leaf name { type string; } }');
const LARGE = largeModule({ areas: 40, parts: 20, leaves: 20 });

function job(texts: readonly string[], more: Partial<InstanceJob> = {}): InstanceJob {
  return { sources: sourcesOf(texts), texts: [], directories: [], features: {}, limits: {}, ...more };
}

const any = { test: () => true };
const never = (): AbortSignal => new AbortController().signal;

describe('the threads that compile the modules of servers', () => {
  it('return a model, and the modules that were left out', async () => {
    const broken = yang11('b', 'container c { leaf x { type nothing; } }');
    const { model, count, leftOut } = await new InstanceWorkers().compile(
      job([SMALL, broken]),
      'r1',
      never(),
    );
    assert.ok(model);
    assert.equal(count, 1);
    assert.match(leftOut.map(({ message }) => message).join(), /there is no type "nothing"/);
    const { steps } = readResourcePath(
      '/a:top/name',
      modelOfBytes(model, () => any),
    );
    assert.equal(steps.at(-1)?.definition.qualified, 'a:name');
  });

  it('return no model if no module is left', async () => {
    const { model, leftOut } = await new InstanceWorkers().compile(job(['module x {']), 'r1', never());
    assert.equal(model, undefined);
    assert.equal(leftOut.length, 1);
  });

  it('leave the event loop free: a small model is there before a large one that began earlier', async () => {
    const workers = new InstanceWorkers();
    const order: string[] = [];
    const large = workers
      .compile(job([LARGE]), 'r1', never())
      .then(({ count }) => order.push(`large ${count}`));
    const small = workers
      .compile(job([SMALL]), 'r2', never())
      .then(({ count }) => order.push(`small ${count}`));
    await Promise.all([large, small]);
    assert.deepEqual(order, ['small 1', 'large 1']);
  });

  it('end with the signal of the caller', async () => {
    const caller = new AbortController();
    const compiling = new InstanceWorkers().compile(job([LARGE]), 'r1', caller.signal);
    caller.abort(new Problem('adapter_unavailable', 'the adapter was stopped'));
    await assert.rejects(compiling, /the adapter was stopped/);
  });

  it('report a limit with advice', async () => {
    for (const limits of [{ milliseconds: 1 }, { megabytes: 8 }])
      await assert.rejects(
        new InstanceWorkers(limits).compile(job([LARGE]), 'r1', never()),
        (error) =>
          error instanceof Problem &&
          error.code === 'adapter_unavailable' &&
          error.message.includes('"modules"'),
        JSON.stringify(limits),
      );
  });
});

import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { WorkerProcess } from '../../../src/server/workers/worker-process.js';
import { createWriteTurns } from '../../../src/server/workers/write-turns.js';

const worker = (): WorkerProcess => ({}) as WorkerProcess;

describe('turns of workers at writing', () => {
  it('follow the order of the requests, so that a worker that writes all the time starves no other', async () => {
    const turns = createWriteTurns();
    const [busy, quiet] = [worker(), worker()];
    const order: string[] = [];
    await turns.take(busy);
    void turns.take(quiet).then(() => order.push('quiet'));
    turns.end(busy);
    void turns.take(busy).then(() => order.push('busy'));
    await setImmediate();
    assert.deepEqual(order, ['quiet']);
    turns.end(quiet);
    await setImmediate();
    assert.deepEqual(order, ['quiet', 'busy']);
  });

  it('pass over a worker that has ended, and take its turn away', async () => {
    const turns = createWriteTurns();
    const [dead, waiting, other] = [worker(), worker(), worker()];
    await turns.take(dead);
    void turns.take(waiting);
    const taken = turns.take(other);
    turns.leave(waiting);
    turns.leave(dead);
    await taken;
  });

  it('ignore the end of a turn that another worker has', async () => {
    const turns = createWriteTurns();
    const [one, other, third] = [worker(), worker(), worker()];
    await turns.take(one);
    let isTaken = false;
    void turns.take(third).then(() => (isTaken = true));
    turns.end(other);
    await setImmediate();
    assert.equal(isTaken, false);
  });
});

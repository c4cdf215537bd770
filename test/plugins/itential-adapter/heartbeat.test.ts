import assert from 'node:assert/strict';
import { createHeartbeat } from '../../../plugins/itential-adapter/heartbeat.js';
import { createProcessMemory } from '../../../plugins/itential-adapter/process-memory.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';

const MIB = 1024 * 1024;

function setUp() {
  const scheduler = createFakeScheduler();
  const failures: string[] = [];
  const used = { mb: 500 };
  const memory = createProcessMemory(() => used.mb * MIB);
  const onFailure = (reason: string): void => void failures.push(reason);
  createHeartbeat({ scheduler, memory, sendPing: () => undefined, onFailure }).start();
  return { scheduler, failures, memory, used };
}

describe('the pings of a community adapter', () => {
  it('do not end a worker for memory that others may use (bug: its limit alone was compared)', async () => {
    const { scheduler, failures, memory, used } = setUp();
    memory.add(256);
    const remove = memory.add(256);
    await scheduler.pass(500);
    used.mb += 300;
    await scheduler.pass(2_000);
    assert.deepEqual(failures, []);
    used.mb += 300;
    await scheduler.pass(500);
    assert.deepEqual(failures, [
      'it answered no ping while the process grew by 600 MiB (memoryMb of all workers: 512)',
    ]);
    remove();
    remove();
    assert.equal(memory.limitMb(), 256);
  });

  it('end a worker that is silent for 15 s, whatever the memory', async () => {
    const { scheduler, failures, memory } = setUp();
    memory.add(64);
    await scheduler.pass(15_499);
    assert.deepEqual(failures, []);
    await scheduler.pass(1);
    assert.deepEqual(failures, ['it answered no ping for 15 s']);
  });
});

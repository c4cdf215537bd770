import assert from 'node:assert/strict';
import type { Fault } from '../../src/domain/fault.js';
import type { AdapterInstance, AdapterState } from '../../src/domain/snapshot.js';
import { type ClosableSnapshot, Current } from '../../src/runtime/current.js';
import { Reloader } from '../../src/runtime/reloader.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { memoryLog } from '../support/memory-log.js';

const RUNNING: AdapterState = { name: 'RUNNING' };
const AWAY: AdapterState = {
  name: 'DEAD',
  cause: 'secret',
  passing: true,
  reason: 'VAULT_SEALED at /auth/password',
};

function instance(state: AdapterState): AdapterInstance {
  return {
    id: 'core1',
    type: 'test',
    state: () => state,
    ready: () => Promise.reject(new Error('not used')),
    close: () => Promise.resolve(),
  };
}

/** A reloader whose builds take the next state of a list, or reject. */
function setUp(first: AdapterState, next: (AdapterState | Error)[]) {
  const closed: number[] = [];
  const { log, lines } = memoryLog();
  const scheduler = createFakeScheduler();
  const snapshot = (generation: number, state: AdapterState): ClosableSnapshot => ({
    generation,
    adapters: new Map([['core1', instance(state)]]),
    egress: { call: () => Promise.reject(new Error('not used')) },
    verifier: { verify: () => Promise.reject(new Error('not used')) },
    roles: {},
    close: () => Promise.resolve(void closed.push(generation)),
  });
  let builds = 0;
  const current = new Current(snapshot(1, first));
  const build = async (generation: number) => {
    builds += 1;
    await Promise.resolve();
    const state = next.shift() ?? RUNNING;
    if (state instanceof Error) throw state;
    return { snapshot: snapshot(generation, state) };
  };
  const reloader = new Reloader({ current, build, scheduler, log });
  return { reloader, current, scheduler, closed, lines, builds: () => builds };
}

const codes = (faults: readonly Fault[]): readonly string[] => faults.map(({ code }) => code);

describe('reloads', () => {
  it('that are asked for while one runs share the next one', async () => {
    const { reloader, builds } = setUp(RUNNING, []);
    await Promise.all(Array.from({ length: 50 }, () => reloader.reload()));
    assert.equal(builds(), 2);
  });

  it('are put off, and tried again, while Vault is away and a working adapter would lose its secret', async () => {
    const { reloader, current, scheduler, closed } = setUp(RUNNING, [AWAY, AWAY, RUNNING]);
    assert.deepEqual(codes(await reloader.reload()), ['VAULT_UNAVAILABLE']);
    assert.deepEqual([current.peek().generation, closed], [1, [2]]);
    await scheduler.pass(5_000);
    assert.equal(current.peek().generation, 1);
    await scheduler.pass(10_000);
    assert.equal(current.peek().generation, 2);
    assert.equal(scheduler.next(), undefined);
  });

  it('happen by themselves until adapters are back that were dead at the start', async () => {
    const { current, scheduler } = setUp(AWAY, [AWAY, RUNNING]);
    await scheduler.pass(5_000);
    assert.equal(current.peek().adapters.get('core1')?.state().name, 'DEAD');
    await scheduler.pass(10_000);
    assert.equal(current.peek().adapters.get('core1')?.state().name, 'RUNNING');
  });

  it('that fail are told to the log and to the caller, and change nothing (bug: the log had no line)', async () => {
    const { reloader, current, lines } = setUp(RUNNING, [new TypeError('boom')]);
    await assert.rejects(reloader.reload(), /boom/);
    assert.equal(lines.at(-1)?.message, 'reload failed; the former configuration stays live');
    assert.equal(current.peek().generation, 1);
    assert.deepEqual(await reloader.reload(), []);
  });

  it('end with the server: one that runs comes to its end, and no other begins', async () => {
    const { reloader, current, builds } = setUp(RUNNING, []);
    const running = reloader.reload();
    await reloader.close();
    assert.deepEqual(await running, []);
    assert.equal(current.peek().generation, 2);
    await assert.rejects(reloader.reload(), /stopping/);
    assert.equal(builds(), 1);
  });
});

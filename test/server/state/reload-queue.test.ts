import assert from 'node:assert/strict';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { openInBackground } from '../../../src/adapters/starter.js';
import type { Fault } from '../../../src/core/fault.js';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import { ReloadCounter } from '../../../src/server/state/reload-metrics.js';
import { ReloadQueue } from '../../../src/server/state/reload-queue.js';
import type { Reload } from '../../../src/server/state/reload.js';
import type { ActiveSnapshot } from '../../../src/server/state/snapshot.js';
import { SnapshotHolder, swap } from '../../../src/server/state/swap.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { memoryLog } from '../../support/memory-log.js';

/** The outcome of a build: success, an outdated adapter, a fault that refuses the configuration, or an error. */
type BuildOutcome = 'fine' | { readonly outdatedId: string } | { readonly fault: string } | Error;

const core1 = { id: 'core1' } as AdapterInstance;

function snapshotOf(
  generation: number,
  outdatedId: string | undefined,
  closed: number[] = [],
): ActiveSnapshot {
  return {
    generation,
    adapters: new Map([['core1', core1]]),
    applications: new Map(),
    suspended: new Map(),
    outdated: new Map(outdatedId === undefined ? [] : [[outdatedId, 'it does not answer']]),
    desired: { adapters: [{ id: 'core1' }, { id: 'broken', pluginFault: 'its plugin cannot be used' }] },
    close: () => Promise.resolve(void closed.push(generation)),
  } as unknown as ActiveSnapshot;
}

function setUp(...outcomes: BuildOutcome[]) {
  const { log, lines } = memoryLog();
  const scheduler = createFakeScheduler();
  const closed: number[] = [];
  const live: number[] = [];
  const unrenewed: string[] = [];
  const builds: string[] = [];
  const current = new SnapshotHolder(snapshotOf(1, undefined, closed));
  const reload: Reload = async (cause, { noteSwap }) => {
    builds.push(typeof cause === 'string' ? cause : [...cause].join(' '));
    await Promise.resolve();
    const outcome = outcomes.shift() ?? 'fine';
    if (outcome instanceof Error) throw outcome;
    if (typeof outcome === 'object' && 'fault' in outcome) return [{ code: outcome.fault } as Fault];
    const outdatedId = outcome === 'fine' ? undefined : outcome.outdatedId;
    const generation = current.current().generation + 1;
    swap(current, snapshotOf(generation, outdatedId, closed), log);
    live.push(generation);
    unrenewed.push([...noteSwap()].join(' '));
    return [];
  };
  const reloader = new ReloadQueue({ current, reload, counter: new ReloadCounter(), scheduler, log });
  return { reloader, current, scheduler, closed, live, unrenewed, lines, builds };
}

const codesOf = (faults: readonly Fault[]): readonly string[] => faults.map(({ code }) => code);

describe('reloads', () => {
  it('let 36 adapters start at a time without a warning of Node.js (MaxListenersExceededWarning)', async () => {
    const { current, scheduler } = setUp();
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on('warning', note);
    try {
      const instance = { open: () => setTimeout(1), state: () => ({ name: 'STARTING' }) } as unknown;
      const reload: Reload = async (_cause, { stopping }) => {
        const starts = Array.from({ length: 36 }, () =>
          openInBackground(instance as AdapterInstance, stopping),
        );
        await Promise.all(starts);
        return [];
      };
      await new ReloadQueue({
        current,
        reload,
        counter: new ReloadCounter(),
        scheduler,
        log: memoryLog().log,
      }).reload();
      // Node.js emits warnings before the next turn of the event loop.
      await setImmediate();
    } finally {
      process.off('warning', note);
    }
    assert.deepEqual(warnings, []);
  });

  it('share the next build if they are requested while a build runs', async () => {
    const { reloader, builds } = setUp();
    const running = reloader.reload();
    await Promise.resolve();
    await Promise.all([running, ...Array.from({ length: 50 }, () => reloader.reload())]);
    assert.deepEqual(builds, ['files', 'files']);
  });

  it('run one at a time with rotations, and report each snapshot that becomes live', async () => {
    const { reloader, builds, live, closed } = setUp();
    const [, faults] = await Promise.all([reloader.renew(['a']), reloader.reload(), reloader.renew(['b'])]);
    assert.deepEqual([builds, live, closed, faults], [['a b', 'files'], [2, 3], [1, 2], []]);
  });

  it('log and throw a build error, and keep the live configuration (bug: the error was not logged)', async () => {
    const { reloader, current, lines } = setUp(new TypeError('boom'));
    await assert.rejects(reloader.reload(), /boom/);
    assert.equal(lines.at(-1)?.message, 'reload failed; keeping the live configuration');
    assert.equal(current.current().generation, 1);
    assert.deepEqual(await reloader.reload(), []);
  });

  it('are not retried after a refusal, unless Vault was unavailable', async () => {
    const { reloader, scheduler, builds } = setUp({ fault: 'schema' }, { fault: 'VAULT_SEALED' });
    assert.deepEqual(codesOf(await reloader.reload()), ['schema']);
    assert.equal(scheduler.next(), undefined);
    assert.deepEqual(codesOf(await reloader.reload()), ['VAULT_SEALED']);
    await scheduler.pass(5_000);
    assert.deepEqual([builds.length, scheduler.next()], [3, undefined]);
  });

  it('end with close(): the running build completes, and no other build starts', async () => {
    const { reloader, current, builds } = setUp();
    const running = reloader.reload();
    await Promise.resolve();
    const waiting = reloader.reload();
    await reloader.close();
    assert.deepEqual(await running, []);
    assert.equal(current.current().generation, 2);
    await assert.rejects(waiting, /stopping/);
    await assert.rejects(reloader.renew(['a']), /stopping/);
    assert.equal(builds.length, 1);
  });
});

describe('applyRecords', () => {
  it('builds once for all requests that arrive before the build, separately from reloads of the files', async () => {
    const { reloader, builds } = setUp();
    const running = reloader.applyRecords();
    await Promise.resolve();
    await Promise.all([running, reloader.applyRecords(), reloader.reload(), reloader.applyRecords()]);
    assert.deepEqual(builds, ['records', 'records', 'files']);
  });

  it('retries if the records cannot be read (bug: stored changes became live only with the next change)', async () => {
    const { reloader, scheduler, builds, current } = setUp(new Error('away'), new Error('still away'));
    await assert.rejects(reloader.applyRecords(), /away/);
    assert.equal(scheduler.next(), 5_000);
    await scheduler.pass(5_000);
    assert.deepEqual([builds.length, scheduler.next()], [2, 10_000]);
    await scheduler.pass(10_000);
    assert.deepEqual([builds, current.current().generation], [['records', 'records', 'records'], 2]);
    assert.equal(scheduler.next(), undefined);
  });

  it('marks no adapter as unrenewed after a failed read (bug: each letter of "records" was taken for an adapter)', async () => {
    const { reloader, unrenewed } = setUp(new Error('away'));
    await assert.rejects(reloader.applyRecords(), /away/);
    await reloader.renew(['core1']);
    assert.deepEqual(unrenewed, ['']);
  });

  it('does not mark the files as outdated if the records are refused', async () => {
    const { reloader, scheduler } = setUp({ fault: 'schema' });
    assert.deepEqual(codesOf(await reloader.applyRecords()), ['schema']);
    assert.deepEqual([reloader.isUpToDate(), scheduler.next()], [true, undefined]);
  });
});

describe('outdated adapters', () => {
  it('S-05 are retried with growing delays until they are up to date', async () => {
    const outdatedId = { outdatedId: 'core1' };
    const { reloader, scheduler, builds } = setUp(...Array<BuildOutcome>(6).fill(outdatedId));
    await reloader.renew(['core1', 'core2']);
    const waits: (number | undefined)[] = [];
    for (let next = scheduler.next(); next !== undefined; next = scheduler.next()) {
      waits.push(next);
      await scheduler.pass(next);
    }
    assert.deepEqual(waits, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    assert.deepEqual([builds[0], builds.at(-1)], ['core1 core2', 'core1']);
  });

  it('are not retried while the code of their plugin is broken', async () => {
    const { reloader, scheduler } = setUp({ outdatedId: 'broken' });
    await reloader.reload();
    assert.equal(scheduler.next(), undefined);
  });

  it('are retried after an error, with all adapters of the rotation (bug: such a rotation was lost)', async () => {
    const { reloader, scheduler, builds, live } = setUp(new TypeError('boom'), new TypeError('boom'));
    await assert.rejects(reloader.renew(['core1', 'core2']), /boom/);
    await scheduler.pass(5_000);
    await scheduler.pass(9_999);
    assert.equal(builds.length, 2);
    await scheduler.pass(1);
    assert.deepEqual(builds, ['core1 core2', 'core1 core2', 'core1 core2']);
    assert.deepEqual([live, scheduler.next()], [[2], undefined]);
  });

  it('are reported with each snapshot that becomes live meanwhile, because they use earlier secrets', async () => {
    const { reloader, unrenewed } = setUp(new TypeError('boom'));
    await assert.rejects(reloader.renew(['core1']), /boom/);
    await reloader.renew(['core2']);
    await reloader.renew(['core1']);
    assert.deepEqual(unrenewed, ['core1', '']);
  });

  it('need no retry if a reload has replaced them meanwhile', async () => {
    const { reloader, scheduler } = setUp(new TypeError('boom'));
    await assert.rejects(reloader.renew(['core1']), /boom/);
    await reloader.reload();
    assert.equal(scheduler.next(), undefined);
  });
});

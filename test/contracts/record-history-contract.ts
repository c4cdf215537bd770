import assert from 'node:assert/strict';
import { Problem } from '../../src/core/problem.js';
import type { PlatformStore } from '../../src/core/platform-state.js';
import { ACT_RETENTION_MS, type ChangeNote, MAX_RECORD_VERSIONS } from '../../src/core/record-history.js';
import type { Store } from '../../src/storage/store.js';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1);

const note = (name: string, more: Partial<ChangeNote> = {}): ChangeNote => ({
  by: { subject: name, issuer: 'https://id.example.com', name },
  at: START,
  ...more,
});
const until = START + HOUR_MS;

const isPending = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'confirmation_pending' && error.message.includes('ada');

/** Defines the tests of versions, confirmed commits and acts for every store. `open` returns an empty store. */
export function recordHistoryContract(open: () => Promise<Store>): void {
  let store: Store;
  let platform: PlatformStore;
  let adapters: PlatformStore['adapters'];

  before(async () => {
    store = await open();
    ({ platform } = store);
    ({ adapters } = platform);
  });
  after(() => store.close());

  const create = (name: string) =>
    adapters.create({ name, id: 'a'.repeat(24), document: { v: 1 } }, note('ada'));
  const documentOf = async (name: string) => (await adapters.find(name))?.document;
  const page = { skip: 0, limit: 25 };

  it('keeps each state with its author, time, reason and action, newest first', async () => {
    const made = await create('nso1');
    await adapters.update({ name: 'nso1' }, () => ({ v: 2 }), note('bob', { comment: 'faster' }));
    const restores = made?.revision ?? 0;
    await adapters.update(
      { name: 'nso1' },
      () => ({ v: 1 }),
      note('eve', { action: 'rolled-back', restores }),
    );
    const history = await adapters.versions('nso1', page);
    assert.ok(history);
    assert.deepEqual(
      history.versions.map(({ action, by, comment, restores }) => [action, by?.name, comment, restores]),
      [
        ['rolled-back', 'eve', null, restores],
        ['updated', 'bob', 'faster', null],
        ['created', 'ada', null, null],
      ],
    );
    assert.equal(history.total, 3);
    assert.equal(history.versions[0]?.at, START);
    assert.deepEqual((await adapters.version('nso1', restores + 1))?.document, { v: 2 });
    assert.equal(await adapters.version('nso1', 999_999), undefined);
    assert.equal(await adapters.versions('nobody', page), undefined);
    assert.equal(await adapters.versions('nso\0', page), undefined);
    assert.equal(await platform.profiles.versions('nso1', page), undefined);
  });

  it('returns one page of the versions', async () => {
    const history = await adapters.versions('nso1', { skip: 1, limit: 1 });
    assert.deepEqual([history?.total, history?.versions.map(({ action }) => action)], [3, ['updated']]);
  });

  it(`keeps the newest ${MAX_RECORD_VERSIONS} versions`, async () => {
    await create('busy');
    for (let at = 0; at < MAX_RECORD_VERSIONS + 3; at += 1)
      await adapters.update({ name: 'busy' }, () => ({ v: at }), note('ada'));
    const history = await adapters.versions('busy', { skip: 0, limit: 1000 });
    assert.deepEqual([history?.total, history?.versions.at(-1)?.action], [MAX_RECORD_VERSIONS, 'updated']);
  });

  it('keeps the versions of a removed record, and lists the record until it exists again', async () => {
    await create('gone');
    const removed = await adapters.remove({ name: 'gone' }, note('bob', { comment: 'unused' }));
    assert.equal(typeof removed, 'object');
    assert.deepEqual(
      (await adapters.removed()).map(({ name, by, comment }) => [name, by?.name, comment]),
      [['gone', 'bob', 'unused']],
    );
    const [last] = (await adapters.versions('gone', page))?.versions ?? [];
    assert.equal(last?.action, 'removed');
    assert.deepEqual((await adapters.version('gone', last.revision))?.document, { v: 1 });
    await create('gone');
    assert.deepEqual(await adapters.removed(), []);
    assert.equal((await adapters.versions('gone', page))?.total, 3);
  });

  it('reports an unconfirmed change in the state, and makes it permanent when it is confirmed', async () => {
    await create('kept');
    await adapters.update(
      { name: 'kept' },
      () => ({ v: 2 }),
      note('ada', { confirmBy: until, comment: 'test' }),
    );
    const commit = { kind: 'adapter', name: 'kept' } as const;
    assert.deepEqual((await platform.read()).pending, [
      { ...commit, by: note('ada').by, at: START, until, comment: 'test' },
    ]);
    assert.equal(await platform.revert(commit, { note: note('ada'), dueAt: until - 1 }), undefined);
    assert.equal((await platform.confirm(commit, note('bob')))?.until, until);
    assert.equal(await platform.confirm(commit, note('bob')), undefined);
    assert.equal(await platform.revert(commit, { note: note('bob') }), undefined);
    assert.deepEqual([await documentOf('kept'), (await platform.read()).pending], [{ v: 2 }, []]);
  });

  it('extends an unconfirmed change of the same author, and returns to the state before the first change', async () => {
    await create('back');
    const commit = { kind: 'adapter', name: 'back' } as const;
    await adapters.update({ name: 'back' }, () => ({ v: 2 }), note('ada', { confirmBy: until }));
    await adapters.update({ name: 'back' }, () => ({ v: 3 }), note('ada', { confirmBy: until + HOUR_MS }));
    assert.equal((await platform.commit(commit))?.until, until + HOUR_MS);
    const reverted = await platform.revert(commit, { note: { by: null, at: until }, dueAt: until + HOUR_MS });
    assert.deepEqual([reverted?.before, reverted?.after], [{ v: 3 }, { v: 1 }]);
    assert.deepEqual(await documentOf('back'), { v: 1 });
    const [last] = (await adapters.versions('back', page))?.versions ?? [];
    assert.deepEqual([last?.action, last?.by], ['reverted', null]);
  });

  it('confirms the pending change with a permanent change of the same author', async () => {
    await create('sure');
    await adapters.update({ name: 'sure' }, () => ({ v: 2 }), note('ada', { confirmBy: until }));
    await adapters.update({ name: 'sure' }, () => ({ v: 3 }), note('ada'));
    assert.deepEqual((await platform.read()).pending, []);
  });

  it('refuses changes of other callers while a change is unconfirmed', async () => {
    await create('mine');
    await adapters.update({ name: 'mine' }, () => ({ v: 2 }), note('ada', { confirmBy: until }));
    await assert.rejects(
      adapters.update({ name: 'mine' }, () => ({ v: 3 }), note('bob')),
      isPending,
    );
    await assert.rejects(adapters.remove({ name: 'mine' }, note('bob')), isPending);
    assert.deepEqual(await documentOf('mine'), { v: 2 });
    await adapters.remove({ name: 'mine' }, note('ada'));
    assert.deepEqual((await platform.read()).pending, []);
  });

  it('puts the pending change back when a later change is undone', async () => {
    await create('undo');
    const key = { kind: 'adapter', name: 'undo' } as const;
    await adapters.update({ name: 'undo' }, () => ({ v: 2 }), note('ada', { confirmBy: until }));
    const commit = await platform.commit(key);
    await adapters.update({ name: 'undo' }, () => ({ v: 3 }), note('ada'));
    await adapters.update({ name: 'undo' }, () => ({ v: 2 }), note('ada', { action: 'reverted', commit }));
    assert.deepEqual(await platform.commit(key), commit);
    await platform.revert(key, { note: note('ada') });
    assert.deepEqual(await documentOf('undo'), { v: 1 });
  });

  it('returns to the previously active profile, which cannot be deleted meanwhile', async () => {
    for (const name of ['day', 'night'])
      await platform.profiles.create({ name, id: 'b'.repeat(24), document: { id: name } }, note('ada'));
    await platform.activate('day', note('ada'));
    await platform.activate('night', note('ada', { confirmBy: until }));
    await assert.rejects(platform.activate('day', note('bob')), isNightPending);
    await assert.rejects(platform.profiles.remove({ name: 'day' }, note('ada')), isNightPending);
    const key = { kind: 'activation', name: 'night' } as const;
    const reverted = await platform.revert(key, { note: note('ada') });
    assert.deepEqual([reverted?.before, reverted?.after], ['night', 'day']);
    assert.equal((await platform.read()).profile?.name, 'day');
    // A command of the host, which has no author, ends the pending activation.
    await platform.activate('night', note('ada', { confirmBy: until }));
    await platform.activate(undefined);
    assert.deepEqual([(await platform.read()).profile, (await platform.read()).pending], [undefined, []]);
  });

  it('keeps the acts of operators for seven days', async () => {
    const nso1 = { kind: 'adapter', name: 'nso1' } as const;
    await platform.overrides(
      nso1,
      (overrides) => ({ ...overrides, wanted: 'paused' }),
      () => ({
        entry: { action: 'paused', until },
        note: note('ada', { at: START + HOUR_MS, comment: 'maintenance' }),
      }),
    );
    const actsFrom = async (from: number) =>
      (await platform.acts(from)).filter(({ about }) => about.name === 'nso1');
    assert.deepEqual(await actsFrom(START + HOUR_MS), [
      {
        ...{ about: nso1, action: 'paused', at: START + HOUR_MS, by: note('ada').by },
        ...{ reason: 'maintenance', until, detail: null },
      },
    ]);
    const at = START + HOUR_MS + ACT_RETENTION_MS;
    await adapters.update({ name: 'nso1' }, () => ({ v: 9 }), note('bob', { at }));
    assert.deepEqual(
      (await actsFrom(0)).map(({ action, about, by }) => [action, about.name, by?.name]),
      [
        ['paused', 'nso1', 'ada'],
        ['updated', 'nso1', 'bob'],
      ],
    );
  });
}

const isNightPending = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'confirmation_pending' && error.message.includes('"night"');

import assert from 'node:assert/strict';
import type { PlatformStore } from '../../src/core/platform-state.js';
import { Problem } from '../../src/core/problem.js';
import type { ChangeNote } from '../../src/core/record-history.js';
import type { Store } from '../../src/features/store.js';
import { omit } from '../../src/lib/omit.js';
import { ACT_RETENTION_MS, MAX_RECORD_VERSIONS } from '../../src/storage/record-versions.js';
import { column, columns } from '../support/columns.js';

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

/**
 * Defines the tests of versions, confirmed commits and acts for every store. `open` returns an empty store; `clock` is the clock by
 * which it undoes changes.
 */
export function recordHistoryContract(open: () => Promise<Store>, clock: 'database' | 'process'): void {
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
  const change = (name: string, v: number, by: ChangeNote) => adapters.update({ name }, () => ({ v }), by);
  const keyOf = (name: string) => ({ kind: 'adapter', name }) as const;
  const documentOf = async (name: string) => (await adapters.find(name))?.document;
  const page = { skip: 0, limit: 25 };

  for (const [member, kind] of [
    ['accessRules', 'access-rule'],
    ['limits', 'limit'],
  ] as const)
    it(`keeps the versions of a record of the kind ${kind} apart from those of other kinds`, async () => {
      const rules = platform[member];
      const name = `p-${kind}`;
      const id = 'b'.repeat(24);
      await platform.profiles.create({ name, id, document: {} }, note('ada'));
      await platform.activate(name, note('ada'));
      const made = await rules.create({ name, id, document: { v: 1 } }, note('ada'));
      await rules.update({ name, revision: made?.revision }, () => ({ v: 2 }), note('bob'));
      assert.equal(await rules.update({ name, revision: 0 }, () => ({ v: 3 })), 'stale');
      assert.deepEqual(column((await platform.read())[member], 'document'), [{ v: 2 }]);
      await rules.remove({ name }, note('eve', { comment: 'over' }));
      assert.deepEqual((await platform.read())[member], []);
      const history = await rules.versions(name, page);
      assert.deepEqual(
        history?.versions.map(({ action, by }) => [action, by?.name]),
        [
          ['removed', 'eve'],
          ['updated', 'bob'],
          ['created', 'ada'],
        ],
      );
      assert.deepEqual(column(await rules.removed(), 'name'), [name]);
      // A rule and a profile of one name are two records.
      assert.equal((await platform.read()).profile?.name, name);
      await platform.activate(undefined, note('ada'));
      await platform.profiles.remove({ name }, note('ada'));
      const acts = (await platform.acts(START)).filter(({ about }) => about.kind === kind);
      assert.deepEqual(column(acts, 'action'), ['created', 'updated', 'removed']);
    });

  it('keeps each state with its author, time, reason and action, newest first and page by page', async () => {
    const made = await create('nso1');
    await change('nso1', 2, note('bob', { comment: 'faster' }));
    const restores = made?.revision ?? 0;
    await change('nso1', 1, note('eve', { action: 'rolled-back', restores }));
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
    assert.deepEqual([history.total, history.versions[0]?.at], [3, START]);
    assert.deepEqual((await adapters.version('nso1', restores + 1))?.document, { v: 2 });
    assert.equal(await adapters.version('nso1', 999_999), undefined);
    assert.equal(await adapters.versions('nobody', page), undefined);
    assert.equal(await adapters.versions('nso\0', page), undefined);
    assert.equal(await platform.profiles.versions('nso1', page), undefined);
    const second = await adapters.versions('nso1', { skip: 1, limit: 1 });
    assert.deepEqual([second?.total, column(second?.versions, 'action')], [3, ['updated']]);
  });

  it(`keeps the newest ${MAX_RECORD_VERSIONS} versions`, async () => {
    await create('busy');
    for (let at = 0; at < MAX_RECORD_VERSIONS + 3; at += 1) await change('busy', at, note('ada'));
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
    await change('kept', 2, note('ada', { confirmBy: until, comment: 'test' }));
    const commit = keyOf('kept');
    const [pending] = (await platform.read()).pending;
    assert.ok(pending);
    assert.deepEqual(omit(pending, 'at', 'until'), { ...commit, by: note('ada').by, comment: 'test' });
    assert.equal(pending.until - pending.at, HOUR_MS);
    assert.deepEqual(await platform.revert([commit], { note: note('ada'), dueAt: until - 1 }), []);
    assert.deepEqual(column(await platform.confirm([commit], note('bob')), 'name'), ['kept']);
    assert.deepEqual(await platform.confirm([commit], note('bob')), []);
    assert.deepEqual(await platform.revert([commit], { note: note('bob') }), []);
    assert.deepEqual([await documentOf('kept'), (await platform.read()).pending], [{ v: 2 }, []]);
  });

  it('extends an unconfirmed change of the same author, and returns to the state before the first change', async () => {
    await create('back');
    const commit = keyOf('back');
    await change('back', 2, note('ada', { confirmBy: until }));
    await change('back', 3, note('ada', { confirmBy: until + HOUR_MS }));
    const extended = await platform.commit(commit);
    assert.equal((extended?.until ?? 0) - (extended?.at ?? 0), 2 * HOUR_MS);
    const [reverted] = await platform.revert([commit], { note: { by: null, at: until } });
    assert.deepEqual([reverted?.before, reverted?.after], [{ v: 3 }, { v: 1 }]);
    assert.deepEqual(await documentOf('back'), { v: 1 });
    const [last] = (await adapters.versions('back', page))?.versions ?? [];
    assert.deepEqual([last?.action, last?.by], ['reverted', null]);
  });

  it('undoes a change whose time has passed', async () => {
    await create('late');
    const commit = keyOf('late');
    await change('late', 2, note('ada', { confirmBy: START - 1 }));
    const reverted = await platform.revert([commit], { note: { by: null, at: START }, dueAt: START });
    assert.deepEqual(column(reverted, 'after'), [{ v: 1 }]);
  });

  if (clock === 'database')
    it('counts the time to confirm by the clock of the database (bug: a node whose clock was ahead undid it early)', async () => {
      await create('skew');
      const commit = keyOf('skew');
      await change('skew', 2, note('ada', { confirmBy: until }));
      const { pending, storeAheadMs } = await platform.read();
      const found = pending.find(({ name }) => name === 'skew');
      // The note says 2026-01-01, when the clock of the node was far behind.
      assert.ok((found?.at ?? 0) - storeAheadMs > START + HOUR_MS);
      const farAhead = START + 100 * 365 * 24 * HOUR_MS;
      const end = { note: { by: null, at: farAhead }, dueAt: farAhead };
      assert.deepEqual(await platform.revert([commit], end), []);
      await platform.confirm([commit], note('ada'));
    });

  it('confirms or undoes the changes and the activation of a profile in one step, all or none (bug: two transactions)', async () => {
    const keys = [
      { kind: 'profile', name: 'both' },
      { kind: 'activation', name: 'both' },
    ] as const;
    const pending = async () => (await platform.read()).pending.filter(({ name }) => name === 'both');
    const changeBoth = async () => {
      await platform.profiles.update({ name: 'both' }, () => ({ v: 2 }), note('ada', { confirmBy: until }));
      await platform.activate('both', note('ada', { confirmBy: until }));
    };
    await platform.profiles.create({ name: 'both', id: 'd'.repeat(24), document: { v: 1 } }, note('ada'));
    await changeBoth();
    const failing = {
      kind: 'activation',
      get name(): string {
        throw new Error('the store failed in the middle');
      },
    } as const;
    for (const end of [
      () => platform.revert([keys[0], failing], { note: note('bob') }),
      () => platform.confirm([keys[0], failing], note('bob')),
    ]) {
      await assert.rejects(end, /in the middle/);
      assert.equal((await pending()).length, 2);
    }
    const at = START + 2 * HOUR_MS;
    const reverted = await platform.revert(keys, { note: note('bob', { at }) });
    assert.deepEqual(columns(reverted, 'before', 'after'), [
      [{ v: 2 }, { v: 1 }],
      ['both', null],
    ]);
    assert.deepEqual(await pending(), []);
    assert.equal((await platform.acts(at)).filter(({ action }) => action === 'reverted').length, 2);
    await changeBoth();
    assert.equal((await platform.confirm(keys, note('bob'))).length, 2);
    await platform.activate(undefined, note('ada'));
  });

  it('confirms the pending change with a permanent change of the same author', async () => {
    await create('sure');
    await change('sure', 2, note('ada', { confirmBy: until }));
    await change('sure', 3, note('ada'));
    assert.deepEqual((await platform.read()).pending, []);
  });

  it('refuses changes of other callers while a change is unconfirmed', async () => {
    await create('mine');
    await change('mine', 2, note('ada', { confirmBy: until }));
    await assert.rejects(change('mine', 3, note('bob')), isPending);
    await assert.rejects(adapters.remove({ name: 'mine' }, note('bob')), isPending);
    assert.deepEqual(await documentOf('mine'), { v: 2 });
    await adapters.remove({ name: 'mine' }, note('ada'));
    assert.deepEqual((await platform.read()).pending, []);
  });

  it('puts the pending change back when a later change is undone', async () => {
    await create('undo');
    const key = keyOf('undo');
    await change('undo', 2, note('ada', { confirmBy: until }));
    const commit = await platform.commit(key);
    await change('undo', 3, note('ada'));
    await change('undo', 2, note('ada', { action: 'reverted', commit }));
    assert.deepEqual(await platform.commit(key), commit);
    await platform.revert([key], { note: note('ada') });
    assert.deepEqual(await documentOf('undo'), { v: 1 });
  });

  it('returns the pending commit that an update replaces, as it is at the time of the write (bug: an undo put back a commit that was confirmed)', async () => {
    await create('race');
    const key = keyOf('race');
    const replacedBy = async (change: ChangeNote) => {
      let replaced: unknown;
      await adapters.update(
        { name: 'race' },
        (document, commit) => {
          replaced = commit;
          return document;
        },
        change,
      );
      return replaced;
    };
    assert.equal(await replacedBy(note('ada', { confirmBy: until })), undefined);
    const commit = await platform.commit(key);
    assert.deepEqual(await replacedBy(note('ada', { confirmBy: until })), commit);
    await platform.confirm([key], note('bob'));
    assert.equal(await replacedBy(note('ada')), undefined);
  });

  it('keeps the revision if a write changes nothing (bug: all nodes were notified)', async () => {
    const revision = await platform.revision();
    const none = keyOf('none');
    assert.deepEqual(await platform.confirm([none], note('ada')), []);
    assert.deepEqual(await platform.revert([none], { note: note('ada') }), []);
    assert.equal(await adapters.update({ name: 'none' }, (document) => document, note('ada')), 'absent');
    assert.equal(await adapters.remove({ name: 'none' }, note('ada')), 'absent');
    assert.equal(await platform.activate('none', note('ada')), undefined);
    await platform.overrides(none, (overrides) => overrides);
    assert.equal(await platform.revision(), revision);
  });

  it('returns to the previously active profile, which cannot be deleted meanwhile', async () => {
    for (const name of ['day', 'night'])
      await platform.profiles.create({ name, id: 'b'.repeat(24), document: { id: name } }, note('ada'));
    await platform.activate('day', note('ada'));
    await platform.activate('night', note('ada', { confirmBy: until }));
    await assert.rejects(platform.activate('day', note('bob')), isNightPending);
    await assert.rejects(platform.profiles.remove({ name: 'day' }, note('ada')), isNightPending);
    const key = { kind: 'activation', name: 'night' } as const;
    const [reverted] = await platform.revert([key], { note: note('ada') });
    assert.deepEqual([reverted?.before, reverted?.after], ['night', 'day']);
    assert.equal((await platform.read()).profile?.name, 'day');
    // A command of the host, which has no author, ends the pending activation.
    await platform.activate('night', note('ada', { confirmBy: until }));
    await platform.activate(undefined);
    assert.deepEqual([(await platform.read()).profile, (await platform.read()).pending], [undefined, []]);
  });

  it('keeps the acts of operators for seven days', async () => {
    const nso1 = keyOf('nso1');
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
    await change('nso1', 9, note('bob', { at }));
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

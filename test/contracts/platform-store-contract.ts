import assert from 'node:assert/strict';
import { NO_OVERRIDES } from '../../src/core/component.js';
import { NO_STATE, type PlatformStore } from '../../src/core/platform-state.js';
import type { Store } from '../../src/features/store.js';
import { column } from '../support/columns.js';

const adapter = (name: string) => ({ name, id: 'a'.repeat(24), document: { name, properties: { a: null } } });

/**
 * Defines the tests of records, overrides and the active profile for every store. The first call of `open`
 * returns an empty store.
 */
export function platformStoreContract(open: () => Promise<Store>): void {
  let store: Store;
  let platform: PlatformStore;

  before(async () => {
    store = await open();
    ({ platform } = store);
  });
  after(() => store.close());

  const revisionAfter = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await platform.revision();
    await work();
    return (await platform.revision()) - before;
  };

  it('is empty at first', async () => {
    // The clock of a database of another process may differ.
    assert.deepEqual({ ...(await platform.read()), storeAheadMs: 0 }, NO_STATE);
  });

  it('stores a record unchanged and rejects a duplicate name', async () => {
    const made = await platform.adapters.create(adapter('nso1'));
    assert.deepEqual(made, { ...adapter('nso1'), revision: 1 });
    assert.equal(await platform.adapters.create(adapter('nso1')), undefined);
    assert.deepEqual(await platform.adapters.find('nso1'), made);
    assert.equal(await platform.profiles.find('nso1'), undefined);
    assert.equal(await platform.adapters.find('nso\0'), undefined);
  });

  it('lists records by name in the same order for every database', async () => {
    for (const name of ['b', 'Z', 'a-1', 'ä']) await platform.adapters.create(adapter(name));
    const names = (await platform.adapters.list()).map(({ name }) => name);
    assert.deepEqual(names, ['Z', 'a-1', 'b', 'nso1', 'ä']);
    for (const name of ['b', 'Z', 'a-1', 'ä']) await platform.adapters.remove({ name });
  });

  it('increments the revision with every change of the state', async () => {
    assert.equal(await revisionAfter(() => platform.adapters.create(adapter('other'))), 1);
    assert.equal(await revisionAfter(() => platform.adapters.update({ name: 'other' }, (one) => one)), 1);
    assert.equal(await revisionAfter(() => platform.adapters.remove({ name: 'other' })), 1);
    assert.equal(await revisionAfter(() => platform.adapters.list()), 0);
  });

  it('changes a record only at the revision that the caller read', async () => {
    const change = () => ({ changed: true });
    const { adapters } = platform;
    assert.equal(await adapters.update({ name: 'nobody' }, change), 'absent');
    assert.equal(await adapters.update({ name: 'nso1', revision: 7 }, change), 'stale');
    const changed = { ...adapter('nso1'), revision: 2, document: { changed: true } };
    assert.deepEqual(await adapters.update({ name: 'nso1', revision: 1 }, change), changed);
    assert.equal(await adapters.remove({ name: 'nso1', revision: 1 }), 'stale');
    assert.equal((await adapters.find('nso1'))?.revision, 2);
  });

  it('uses no revision of a name twice (bug: a caller with the deleted record could change the new one)', async () => {
    const { adapters } = platform;
    const seen = await adapters.create(adapter('again'));
    await adapters.remove({ name: 'again' });
    await adapters.create(adapter('again'));
    assert.equal(await adapters.update({ name: 'again', revision: seen?.revision }, (one) => one), 'stale');
    assert.equal(await adapters.remove({ name: 'again', revision: seen?.revision }), 'stale');
    await adapters.remove({ name: 'again' });
  });

  it('loses none of several concurrent changes', async () => {
    const count = (document: Readonly<Record<string, unknown>>) => ({ n: Number(document['n'] ?? 0) + 1 });
    await platform.adapters.create(adapter('counted'));
    await Promise.all(Array.from({ length: 20 }, () => platform.adapters.update({ name: 'counted' }, count)));
    assert.deepEqual((await platform.adapters.find('counted'))?.document, { n: 20 });
    await platform.adapters.remove({ name: 'counted' });
  });

  it('accepts exactly one of several concurrent creates of a name', async () => {
    const create = () => platform.adapters.create(adapter('one'));
    const made = await Promise.all(Array.from({ length: 20 }, create));
    assert.equal(made.filter(Boolean).length, 1);
    await platform.adapters.remove({ name: 'one' });
  });

  it('stores the overrides of components and deletes them with the adapter', async () => {
    const nso1 = { kind: 'adapter', name: 'nso1' } as const;
    const paused = { wanted: 'paused', levels: { file: 'debug' } } as const;
    await platform.overrides(nso1, (overrides) => ({ ...overrides, ...paused }));
    await platform.overrides(nso1, (overrides) => ({ ...overrides, restarts: overrides.restarts + 1 }));
    const goBack = { at: 1_700_000_000_000, levels: { console: 'warn' } } as const;
    const request = { by: null, at: 1, reason: 'maintenance' };
    const scheduled = { wanted: 'refusing', from: 1_700_000_000_000, request } as const;
    await platform.overrides(nso1, (overrides) => ({ ...overrides, goBack, scheduled }));
    const application = { kind: 'application', name: 'nso1' } as const;
    await platform.overrides(application, (overrides) => ({ ...overrides, wanted: 'stopped' }));
    const { overrides: allOverrides, adapters } = await platform.read();
    assert.deepEqual(allOverrides.adapter.get('nso1'), { ...paused, restarts: 1, goBack, scheduled });
    assert.deepEqual(allOverrides.application.get('nso1'), { ...NO_OVERRIDES, wanted: 'stopped' });
    assert.deepEqual(column(adapters, 'name'), ['nso1']); // prettier-ignore
    await platform.adapters.remove({ name: 'nso1' });
    assert.equal((await platform.read()).overrides.adapter.size, 0);
  });

  it('has one active profile until that profile is deleted', async () => {
    assert.equal(await platform.activate('lab'), undefined);
    await platform.profiles.create({ name: 'lab', id: 'b'.repeat(24), document: { id: 'lab' } });
    assert.deepEqual(await platform.activate('lab'), { previous: undefined, replaced: undefined });
    assert.equal((await platform.read()).profile?.name, 'lab');
    await platform.profiles.remove({ name: 'lab' });
    assert.equal((await platform.read()).profile, undefined);
    assert.deepEqual(await platform.activate(undefined), { previous: undefined, replaced: undefined });
  });
}

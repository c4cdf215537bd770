import assert from 'node:assert/strict';
import {
  applyEdit,
  type FormState,
  type Json,
  openForm,
  withLoaded,
} from '../../../console/src/form/model/index.js';
import {
  type Clash,
  locatedClashes,
  type OpenClash,
  openClashesOf,
  withChoices,
  withNewer,
} from '../../../console/src/task/clashes.js';
import { withEdits, remove, set } from '../form/edit.js';

const SCHEMA = {
  type: 'object',
  properties: {
    'hold-time': { type: 'integer' },
    day: { type: 'string' },
    interface: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, mtu: { type: 'integer' } } },
      'x-yang': { keys: ['name'] },
    },
  },
};

/** A draft that a person saved. */
interface Saved {
  readonly data: Json;
  readonly by: string;
}

interface Merged {
  readonly form: FormState;
  readonly open: readonly OpenClash[];
}

/** Adopts a newer draft as the page does. */
function adopt({ form, open }: Merged, newer: Saved): Merged {
  const { state, conflicts } = withLoaded(form, newer.data);
  const clashes = openClashesOf(conflicts, { by: newer.by, document: state.data });
  return { form: state, open: withNewer(open, { state, clashes }, newer.data) };
}

const saved = (data: Json, by = 'bob'): Saved => ({ data, by });
const shownOf = (clashes: readonly Clash[]) =>
  clashes.map(({ pointer, by, shown: { mine, theirs } }) => [pointer, by, mine, theirs]);

describe('values that two people changed differently', () => {
  const port = (name: string, mtu: number) => ({ name, mtu });
  const interfaces = (mtu: number, other = 1500) => [port('eth0', other), port('eth1', mtu)];
  const first = saved({ 'hold-time': 90, interface: interfaces(1500) });
  const edited = (pointer: string, value: Json): Merged => ({
    form: withEdits(openForm({ schema: SCHEMA, data: first.data }), set(pointer, value)),
    open: [],
  });

  it('fault 4: stay open when the other person saves again without changing them', () => {
    const second = saved({ 'hold-time': 180, interface: interfaces(1500) });
    const third = saved({ 'hold-time': 180, day: 'Monday', interface: interfaces(1500) }, 'carol');
    const merged = adopt(adopt(edited('/hold-time', 100), second), third);
    assert.deepEqual(shownOf(locatedClashes(merged.form, merged.open)), [['/hold-time', 'bob', 100, 180]]);
    const fourth = saved({ 'hold-time': 200, day: 'Monday', interface: interfaces(1500) }, 'carol');
    const again = adopt(merged, fourth);
    assert.deepEqual(shownOf(locatedClashes(again.form, again.open)), [['/hold-time', 'carol', 100, 200]]);
  });

  it('fault 5: keep what was entered after the merge, when the own value is chosen', () => {
    const second = saved({ 'hold-time': 180, interface: interfaces(1500) });
    const { form, open } = adopt(edited('/hold-time', 100), second);
    const corrected = withEdits(form, set('/hold-time', 110));
    const clashes = locatedClashes(corrected, open);
    assert.deepEqual(shownOf(clashes), [['/hold-time', 'bob', 110, 180]]);
    assert.equal(withChoices(corrected, clashes, {}), corrected);
    assert.deepEqual(locatedClashes(withEdits(form, set('/hold-time', 180)), open), []);
  });

  it('fault 5: belong to their entry after another entry was inserted above', () => {
    const second = saved({ 'hold-time': 90, interface: interfaces(9000) });
    const { form, open } = adopt(edited('/interface/1/mtu', 1400), second);
    const added = { kind: 'add', pointer: '/interface', value: port('lo0', 1), at: 0 } as const;
    const inserted = applyEdit(form, added);
    const clashes = locatedClashes(inserted, open);
    assert.deepEqual(shownOf(clashes), [['/interface/2/mtu', 'bob', 1400, 9000]]);
    const { data } = withChoices(inserted, clashes, { '/interface/2/mtu': 'theirs' });
    assert.deepEqual((data as { interface: Json }).interface, [{ name: 'lo0', mtu: 1 }, ...interfaces(9000)]);
  });

  it('leave the next entry alone when an entry that this person removed comes back', () => {
    const second = saved({ 'hold-time': 90, interface: interfaces(1500, 9000) });
    const removed = withEdits(openForm({ schema: SCHEMA, data: first.data }), remove('/interface/0'));
    const { form, open } = adopt({ form: removed, open: [] }, second);
    const clashes = locatedClashes(form, open);
    assert.equal(clashes.length, 1);
    const { data } = withChoices(form, clashes, { [clashes[0]?.pointer ?? '']: 'theirs' });
    assert.deepEqual((data as { interface: Json }).interface, [port('eth1', 1500), port('eth0', 9000)]);
  });

  it('show no secret', () => {
    const items = { properties: { pw: { type: 'string', writeOnly: true } } };
    const schema = { properties: { users: { type: 'array', items } } };
    const state = openForm({ schema, data: { users: [{ pw: 'S1' }] } });
    const conflict = { pointer: '/users', base: [], ours: [{ pw: 'S1' }], theirs: [{ pw: 'S2' }] };
    const open = openClashesOf([conflict], { by: 'bob', document: state.data });
    const [clash] = locatedClashes(state, open);
    assert.deepEqual(clash?.shown.theirs, [{ pw: 'hidden' }]);
  });
});

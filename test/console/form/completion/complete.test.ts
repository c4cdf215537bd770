import assert from 'node:assert/strict';
import {
  type FormState,
  type Json,
  openForm,
  rowAt,
  undo,
} from '../../../../console/src/form/model/index.js';
import { clear, set, withEdits } from '../edit.js';

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const number = (value: number) => ({ type: 'integer', default: value });

/** Opens a form whose result is sent. */
function opened(schema: object, data: Json = {}, uiSchema: object = {}): FormState {
  return openForm({ schema, uiSchema, data }, { computes: true });
}

const CONDITIONAL = object(
  { mode: { enum: ['static', 'dhcp'] } },
  {
    if: { properties: { mode: { const: 'static' } }, required: ['mode'] },
    then: object({ address: { type: 'string' } }),
    else: object({ lease: number(60) }),
  },
);

describe('a form that fills in values', () => {
  it('fills in defaults and required constants, also of objects, and counts no change', () => {
    const schema = object(
      {
        kind: { const: 'x' },
        other: { const: 'y' },
        mtu: number(1500),
        port: object({ up: { default: true } }),
      },
      { required: ['kind'] },
    );
    const state = opened(schema);
    assert.deepEqual(state.data, { kind: 'x', mtu: 1500, port: { up: true } });
    assert.equal(state.data, state.loaded);
    assert.equal(rowAt(state, '/mtu')?.isDefault, true);
    assert.equal(rowAt(withEdits(state, set('/mtu', 9000)), '/mtu')?.isDefault, false);
  });

  it('keeps the values that it is opened with', () => {
    const schema = object({ mtu: number(1500), vlan: number(1) });
    assert.deepEqual(opened(schema, { mtu: 9000 }).data, { mtu: 9000, vlan: 1 });
  });

  it('creates no optional object that would lack a member, and fills it in when it has a value', () => {
    const peer = object({ name: { type: 'string' }, weight: number(10) }, { required: ['name'] });
    const state = opened(object({ peer }));
    assert.deepEqual(state.data, {});
    assert.deepEqual(withEdits(state, set('/peer/name', 'a')).data, { peer: { name: 'a', weight: 10 } });
  });

  it('leaves a default empty that the person removed, also after other edits and in moved entries', () => {
    const schema = object({
      peers: { type: 'array', items: object({ weight: number(10), name: { type: 'string' } }) },
    });
    const added = withEdits(
      opened(schema),
      { kind: 'add', pointer: '/peers' },
      { kind: 'add', pointer: '/peers' },
    );
    assert.deepEqual(added.data, { peers: [{ weight: 10 }, { weight: 10 }] });
    const cleared = withEdits(added, set('/peers/1/name', 'b'), clear('/peers/1/weight'));
    const moved = withEdits(cleared, { kind: 'move', pointer: '/peers/1', to: 0 }, set('/peers/1/name', 'a'));
    assert.deepEqual(moved.data, { peers: [{ name: 'b' }, { weight: 10, name: 'a' }] });
  });

  it('fills in no default of another type, and nothing into a form of a YANG model', () => {
    assert.deepEqual(opened(object({ mtu: { type: 'integer', default: null } })).data, {});
    assert.deepEqual(opened(object({ mtu: { ...number(1500), 'x-yang': { type: 'uint16' } } })).data, {});
  });

  it('shows defaults only, if the form says so', () => {
    assert.deepEqual(opened(object({ mtu: number(1500) }), {}, { 'ui:defaults': 'show' }).data, {});
  });

  it('does not open a recursive schema for its defaults', () => {
    const node = object({ size: number(1), next: { $ref: '#/$defs/node' } });
    assert.deepEqual(opened({ $ref: '#/$defs/node', $defs: { node } }).data, { size: 1 });
  });
});

describe('a form with conditions', () => {
  const address = set('/address', '192.0.2.1');

  it('drops the values of hidden fields, and restores them with their fields', () => {
    const state = withEdits(opened(CONDITIONAL), set('/mode', 'static'), address, set('/mode', 'dhcp'));
    assert.deepEqual(state.data, { mode: 'dhcp', lease: 60 });
    assert.deepEqual(withEdits(state, set('/mode', 'static')).data, { mode: 'static', address: '192.0.2.1' });
    assert.deepEqual(undo(state).data, { mode: 'static', address: '192.0.2.1' });
  });

  it('drops a hidden value of the document as a change, and keeps members that no condition names', () => {
    const state = opened(CONDITIONAL, { mode: 'dhcp', address: 'a', other: 1 });
    assert.deepEqual(state.data, { mode: 'dhcp', lease: 60, other: 1 });
    assert.deepEqual(state.loaded, { mode: 'dhcp', lease: 60, address: 'a', other: 1 });
  });

  it('keeps hidden values, if the form says so', () => {
    const state = opened(CONDITIONAL, { mode: 'dhcp', address: 'a' }, { 'ui:hiddenValues': 'keep' });
    assert.deepEqual(state.data, { mode: 'dhcp', address: 'a', lease: 60 });
  });

  it('drops what a dependency showed', () => {
    const schema = object({ vlan: { type: 'integer' } }, { dependentSchemas: { vlan: object({ tag: {} }) } });
    const state = withEdits(opened(schema), set('/vlan', 5), set('/tag', 'x'), clear('/vlan'));
    assert.deepEqual(state.data, {});
  });
});

describe('a form with calculated values', () => {
  const schema = object({
    lines: { type: 'array', items: object({ count: {}, price: {}, sum: {} }) },
    total: { type: 'number' },
  });
  const uiSchema = {
    lines: { items: { sum: { 'ui:calculate': { '*': [{ var: 'count' }, { var: 'price' }] } } } },
    total: { 'ui:calculate': { '+': [{ map: [{ var: '/lines' }, { var: 'sum' }] }] } },
  };

  it('calculates each entry and then the total, after each edit', () => {
    const state = opened(
      schema,
      {
        lines: [
          { count: 2, price: 1.1 },
          { count: 1, price: 3 },
        ],
      },
      uiSchema,
    );
    assert.deepEqual(state.data, {
      lines: [
        { count: 2, price: 1.1, sum: 2.2 },
        { count: 1, price: 3, sum: 3 },
      ],
      total: 5.2,
    });
    assert.equal((withEdits(state, set('/lines/0/count', 3)).data as { total: number }).total, 6.3);
    assert.equal(rowAt(state, '/total')?.readOnly, true);
  });

  it('calculates in the entries of a list with the name items', () => {
    const items = { type: 'array', items: object({ count: {}, twice: {} }) };
    const twice = { 'ui:calculate': { '*': [{ var: 'count' }, 2] } };
    const state = opened(object({ items }), { items: [{ count: 4 }] }, { items: { items: { twice } } });
    assert.deepEqual(state.data, { items: [{ count: 4, twice: 8 }] });
  });

  it('removes a value whose sources are absent', () => {
    const state = opened(schema, { lines: [{ count: 2, price: 1 }] }, uiSchema);
    assert.deepEqual(withEdits(state, clear('/lines/0/price')).data, { lines: [{ count: 2 }] });
  });
});

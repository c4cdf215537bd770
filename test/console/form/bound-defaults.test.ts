import assert from 'node:assert/strict';
import {
  bindingsOf,
  changesOf,
  defaultFrom,
  documentText,
  type Json,
  openForm,
  readJson,
  undo,
  withDefault,
} from '../../../console/src/form/model/index.js';
import { column } from '../../support/columns.js';
import { plain } from './apply-patch.js';
import { clear, withEdits, set } from './edit.js';
import { exampleForm, rowOf, SCHEMA, TEXT } from './example-form.js';

describe('a default from a binding', () => {
  const readAt = (source: object, answer: Json) => {
    const vlan = { 'binding:target': '/default', 'binding:source': source };
    const [binding] = bindingsOf(openForm({ schema: SCHEMA, bindingSchema: { properties: { vlan } } }));
    assert.ok(binding);
    return defaultFrom(binding, answer);
  };

  it('is the value in the response, or the first of several values', () => {
    assert.equal(readAt({}, 7), 7);
    assert.equal(readAt({}, { value: 7 }), 7);
    assert.equal(readAt({ propertyPointer: '/a/b' }, { a: { b: 'x' } }), 'x');
    const list = readJson('{"results": [{"id": 18446744073709551615}, {"id": 2}]}');
    const found = readAt({ propertyPointer: '/results', keyPointer: '/id' }, list);
    assert.equal(String(plain(found)), String(plain(readJson('18446744073709551615'))));
  });

  it('is undefined when the response has no scalar value', () => {
    for (const answer of [null, [], {}, { value: [1] }, { value: null }] as Json[])
      assert.equal(readAt({}, answer), undefined, JSON.stringify(answer));
  });

  it('fills an empty field as a change that can be undone, and keeps all other bytes', () => {
    const state = withDefault(exampleForm(), '/vlan', 42);
    const row = rowOf(state, '/vlan');
    assert.deepEqual([row.value, row.defaultValue, row.changed], [42, 42, true]);
    assert.deepEqual(column(changesOf(state), 'pointer'), ['/vlan']);
    assert.match(documentText(state), /12345678901234567890.*1e3/s);
    const undone = undo(state);
    assert.deepEqual(plain(undone.data), plain(readJson(TEXT)));
    assert.equal(rowOf(undone, '/vlan').defaultValue, 42);
  });

  it('overrides the default of the schema, and remains available after the field is cleared', () => {
    assert.equal(rowOf(exampleForm(), '/vlan').defaultValue, 1);
    const cleared = withEdits(withDefault(exampleForm(), '/vlan', 42), clear('/vlan'));
    assert.deepEqual([rowOf(cleared, '/vlan').filled, rowOf(cleared, '/vlan').defaultValue], [false, 42]);
  });

  it('creates a missing document', () => {
    assert.deepEqual(plain(withDefault(openForm({ schema: SCHEMA }), '/vlan', 42).data), { vlan: 42 });
  });

  it('fills the entries of a list that have no value', () => {
    const state = withDefault(exampleForm(), '/interfaces/*/mtu', 1400);
    const mtu = ['0', '1', '2'].map((at) => rowOf(state, `/interfaces/${at}/mtu`).value);
    assert.deepEqual(mtu, [1500, 1400, 9000]);
  });

  it('never replaces a value that was loaded, typed or cleared', () => {
    const loaded = exampleForm();
    const typed = withEdits(loaded, set('/vlan', 5));
    const takenAway = withEdits(typed, clear('/vlan'));
    const cleared = withEdits(loaded, clear('/name'));
    assert.equal(withDefault(loaded, '/name', 'bonn').data, loaded.data);
    assert.equal(withDefault(typed, '/vlan', 42).data, typed.data);
    assert.equal(withDefault(takenAway, '/vlan', 42).data, takenAway.data);
    assert.equal(withDefault(undo(typed), '/vlan', 42).data, loaded.data);
    assert.equal(withDefault(cleared, '/name', 'bonn').data, cleared.data);
  });

  it('creates no container, selects no alternative, and does not change a read-only form', () => {
    const state = exampleForm();
    for (const path of ['/location/city', '/access/password', '/interfaces', '/nowhere/at/all'])
      assert.equal(withDefault(state, path, 'x').data, state.data, path);
    const fixed = openForm({ schema: SCHEMA, data: readJson(TEXT) }, { readOnly: true });
    const told = withDefault(fixed, '/vlan', 42);
    assert.deepEqual([told.data === fixed.data, rowOf(told, '/vlan').defaultValue], [true, 42]);
  });
});

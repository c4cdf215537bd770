import assert from 'node:assert/strict';
import {
  type FormState,
  openForm,
  reveal,
  rowsOf,
  withFilter,
  withOpen,
} from '../../../console/src/form/model/index.js';
import { column } from '../../support/columns.js';
import { clear, withEdits, set } from './edit.js';
import { exampleForm, SCHEMA } from './example-form.js';

function found(state: FormState, filter: string): readonly string[] {
  return rowsOf(withFilter(state, filter)).rows.flatMap(({ id, hit }) => (hit ? [id] : []));
}

describe('the filter of a form', () => {
  it('finds names, titles, descriptions and values, ignoring case', () => {
    assert.deepEqual(found(exampleForm(), 'NAME of'), ['/name']);
    assert.deepEqual(found(exampleForm(), 'eth1'), ['/interfaces/1/id']);
    assert.deepEqual(found(exampleForm(), '"the site"'), ['/name']);
    assert.deepEqual(found(exampleForm(), 'legacy'), ['/legacy']);
  });

  it('accepts every printable ASCII character and the names of YANG nodes', () => {
    const names = ['hold-time', 'ietf-ip', 'a.b', 'x[1]', 'tail'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const state = openForm({ schema: { type: 'object', properties } });
    for (const name of names) assert.deepEqual(found(state, name), [`/${name}`]);
    for (let code = 0x20; code < 0x7f; code += 1) {
      const character = String.fromCharCode(code);
      const expected = names.filter((name) => name.includes(character)).map((name) => `/${name}`);
      if (/[a-z0-9.[\]-]/.test(character)) assert.deepEqual(found(state, character), expected, character);
      else rowsOf(withFilter(state, character));
    }
  });

  it('keeps the ancestors of a hit, and counts hits', () => {
    const { rows, hits } = rowsOf(withFilter(exampleForm(), 'peer'));
    assert.equal(hits, 3);
    assert.deepEqual(column(rows.slice(0, 4), 'id'), [
      '/interfaces',
      '/interfaces/0',
      '/interfaces/0/config',
      '/interfaces/0/config/peer',
    ]);
    const places = rows.slice(0, 4).map((row) => `${row.level} ${row.position}/${row.setSize}`);
    assert.deepEqual(places, ['1 1/1', '2 1/3', '3 1/1', '4 1/1']);
  });

  it('expands and collapses the found rows', () => {
    const state = withFilter(exampleForm(), 'interfaces');
    assert.deepEqual(column(rowsOf(state).rows, 'id'), ['/interfaces']);
    assert.deepEqual(column(rowsOf(withOpen(state, '/interfaces', true)).rows, 'id'), [
      '/interfaces',
      '/interfaces/0',
      '/interfaces/1',
      '/interfaces/2',
    ]);
    assert.equal(rowsOf(withOpen(withFilter(state, 'peer'), '/interfaces', false)).rows.length, 1);
  });

  it('finds paths', () => {
    assert.deepEqual(found(exampleForm(), 'config/peer'), [
      '/interfaces/0/config/peer',
      '/interfaces/1/config/peer',
      '/interfaces/2/config/peer',
    ]);
    assert.deepEqual(found(exampleForm(), 'room/number').slice(0, 1), ['/location/room/number']);
  });

  it('finds fields of empty containers and lists that can be filled in', () => {
    const empty = openForm({ schema: SCHEMA });
    assert.deepEqual(found(empty, 'peer'), ['/interfaces/0/config/peer']);
    const filled = withEdits(empty, set('/interfaces/0/config/peer', 'y'));
    assert.deepEqual(filled.data, { interfaces: [{ config: { peer: 'y' } }] });
  });

  it('finds by type and state, and combines all words', () => {
    assert.deepEqual(found(exampleForm(), 'type:boolean'), ['/enabled']);
    assert.deepEqual(found(exampleForm(), 'is:required').slice(0, 3), [
      '/name',
      '/interfaces',
      '/interfaces/0/id',
    ]);
    assert.deepEqual(found(exampleForm(), 'is:filled mtu'), ['/interfaces/0/mtu', '/interfaces/2/mtu']);
    const edited = withEdits(withEdits(exampleForm(), set('/vlan', 7)), clear('/name'));
    assert.deepEqual(found(edited, 'is:changed'), ['/name', '/vlan']);
    assert.deepEqual(found(edited, 'is:changed type:integer'), ['/vlan']);
  });

  it('treats the characters of patterns literally', () => {
    assert.deepEqual(found(exampleForm(), '.*('), []);
    assert.deepEqual(found(exampleForm(), '['), []);
  });

  it('is cleared when a row is revealed', () => {
    const state = reveal(withFilter(exampleForm(), 'eth1'), '/location/room/number');
    assert.equal(state.filter, '');
    assert.notEqual(rowsOf(state).indexOf('/location/room/number'), -1);
  });
});

import assert from 'node:assert/strict';
import {
  changesAgainst,
  changesOf,
  openForm,
  readJson,
  withoutSecrets,
} from '../../../console/src/form/model/index.js';
import { columns } from '../../support/columns.js';
import { withEdits, set } from './edit.js';

const SCHEMA = {
  type: 'object',
  properties: {
    gateway: { type: 'string', title: 'Gateway' },
    port: {
      type: 'array',
      title: 'Ports',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, vlan: { type: 'integer', title: 'VLAN' } },
      },
      'x-yang': { keys: ['name'] },
    },
  },
};

describe('the changes against a base document', () => {
  it('include what a saved draft changed, although the draft was loaded', () => {
    const proposal = readJson('{"port": [{"name": "eth0", "vlan": 100}, {"name": "eth1"}]}');
    const ports = '"port": [{"name": "eth0", "vlan": 100}, {"name": "eth1"}]';
    const draft = readJson(`{"gateway": "192.0.2.1", ${ports}}`);
    const state = withEdits(openForm({ schema: SCHEMA, data: draft }), set('/port/0/vlan', 200));
    assert.equal(changesOf(state).length, 1);
    assert.deepEqual(columns(changesAgainst(state, proposal), 'kind', 'path', 'before', 'after'), [
      ['changed', ['Ports', '[eth0]', 'VLAN'], 100, 200],
      ['added', ['Gateway'], undefined, '192.0.2.1'],
    ]);
  });

  it('name removed values by the labels of the base', () => {
    const base = readJson('{"port": [{"name": "eth0"}, {"name": "eth1"}]}');
    const state = openForm({ schema: SCHEMA, data: readJson('{"port": [{"name": "eth1"}]}') });
    assert.deepEqual(columns(changesAgainst(state, base), 'kind', 'path', 'loadedPointer'), [
      ['removed', ['Ports', '[eth0]'], '/port/0'],
    ]);
    assert.deepEqual(changesAgainst(state, readJson('{"port": [{"name": "eth1"}]}')), []);
  });
});

describe('the values of a form without its secrets', () => {
  const schema = {
    type: 'object',
    properties: {
      users: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } },
        },
      },
    },
  };
  const state = openForm({ schema, data: readJson('{"users": [{"name": "ada", "password": "not-shown"}]}') });

  it('hide a secret, also inside a list and an entry of it', () => {
    for (const pointer of ['', '/users', '/users/0', '/users/0/password'])
      assert.doesNotMatch(
        JSON.stringify(withoutSecrets(state, pointer, 'hidden') ?? null),
        /not-shown/,
        pointer,
      );
    assert.deepEqual(withoutSecrets(state, '/users', 'hidden'), [{ name: 'ada', password: 'hidden' }]);
  });
});

import assert from 'node:assert/strict';
import { draftOf, type FormDraft } from '../../../console/src/design/draft.js';
import {
  addField,
  removeField,
  renameField,
  setRequired,
  titleOf,
} from '../../../console/src/design/field-edits.js';
import { kindOf } from '../../../console/src/design/field-kinds.js';
import { moveField } from '../../../console/src/design/move-field.js';
import { outlineOf } from '../../../console/src/design/outline.js';

const DRAFT = draftOf({
  name: 'port',
  schema: {
    type: 'object',
    required: ['name', 'vlan'],
    properties: {
      name: { type: 'string' },
      group: { type: 'object', properties: { inner: { type: 'string' } } },
      vlan: { type: 'integer', title: 'VLAN' },
      list: { type: 'array', items: { type: 'object', properties: {} } },
    },
  },
  uiSchema: { vlan: { 'ui:help': 'of the port' }, 'ui:order': ['name', 'group', 'vlan', 'list'] },
  bindingSchema: { properties: { vlan: { 'binding:method': 'GET' } } },
});

const names = (draft: FormDraft): readonly string[] => outlineOf(draft).children.map(({ name }) => name);

function moved(draft: FormDraft, pointer: string, way: 'up' | 'down' | 'into' | 'out') {
  const move = moveField(draft, pointer, way);
  assert.ok('edited' in move, 'why' in move ? move.why : '');
  return move.edited;
}

describe('editing the fields of a form', () => {
  it('adds a field under a free name, at the end of the displayed order', () => {
    const once = addField(DRAFT, '', { name: 'vlan', kind: kindOf('lines') });
    assert.equal(once.pointer, '/properties/vlan2');
    assert.deepEqual(names(once.draft), ['name', 'group', 'vlan', 'list', 'vlan2']);
    assert.deepEqual(once.draft.uiSchema['vlan2'], { 'ui:widget': 'textarea' });
    assert.equal(titleOf('vlanId-of_port'), 'Vlan id of port');
  });

  it('removes a field from every document, and selects its neighbor', () => {
    const { draft, pointer } = removeField(DRAFT, '/properties/vlan');
    assert.equal(pointer, '/properties/list');
    assert.deepEqual(names(draft), ['name', 'group', 'list']);
    assert.deepEqual(draft.schema['required'], ['name']);
    assert.deepEqual(draft.uiSchema, { 'ui:order': ['name', 'group', 'list'] });
    assert.deepEqual(draft.bindingSchema, { properties: {} });
  });

  it('renames a field in every document, and keeps its position', () => {
    const { draft, pointer } = renameField(DRAFT, '/properties/vlan', 'vid');
    assert.equal(pointer, '/properties/vid');
    assert.deepEqual(names(draft), ['name', 'group', 'vid', 'list']);
    assert.deepEqual(draft.schema['required'], ['name', 'vid']);
    assert.deepEqual(draft.uiSchema['vid'], { 'ui:help': 'of the port' });
    assert.deepEqual(draft.bindingSchema, { properties: { vid: { 'binding:method': 'GET' } } });
  });

  it('refuses the name of another field', () => {
    assert.equal(renameField(DRAFT, '/properties/vlan', 'name').draft, DRAFT);
  });

  it('moves a field among its neighbors and updates ui:order', () => {
    const up = moved(DRAFT, '/properties/vlan', 'up');
    assert.deepEqual(names(up.draft), ['name', 'vlan', 'group', 'list']);
    assert.deepEqual(up.draft.uiSchema['ui:order'], ['name', 'vlan', 'group', 'list']);
    const top = moveField(DRAFT, '/properties/name', 'up');
    assert.ok('why' in top);
  });

  it('moves a field into the preceding group and out again, with its help text and "required" entry', () => {
    const into = moved(DRAFT, '/properties/vlan', 'into');
    assert.equal(into.pointer, '/properties/group/properties/vlan');
    assert.deepEqual(into.draft.schema['required'], ['name']);
    assert.deepEqual(into.draft.uiSchema['group'], { vlan: { 'ui:help': 'of the port' } });
    const out = moved(into.draft, into.pointer, 'out');
    assert.equal(out.pointer, '/properties/vlan');
    assert.deepEqual(out.draft.schema['required'], ['name', 'vlan']);
    assert.deepEqual(out.draft.uiSchema['vlan'], { 'ui:help': 'of the port' });
  });

  it('moves a field into the item schema of a list', () => {
    const form = moved(moved(DRAFT, '/properties/vlan', 'down').draft, '/properties/vlan', 'into');
    assert.equal(form.pointer, '/properties/list/items/properties/vlan');
  });

  it('orders members whose names are numbers', () => {
    const numbers = draftOf({ schema: { properties: { 1: {}, 2: {} } } });
    const { draft } = moved(numbers, '/properties/2', 'up');
    assert.deepEqual(names(draft), ['2', '1']);
  });

  it('removes "required" with its last name', () => {
    const one = setRequired(setRequired(DRAFT, '/properties/name', false), '/properties/vlan', false);
    assert.equal(Object.hasOwn(one.schema, 'required'), false);
  });
});

import assert from 'node:assert/strict';
import { draftOf } from '../../../console/src/design/draft.js';
import { copyOfField, duplicateField, pasteField } from '../../../console/src/design/field-copy.js';

const FORM = draftOf({
  schema: {
    type: 'object',
    required: ['hold-time'],
    properties: {
      'hold-time': { type: 'integer', title: 'Hold time' },
      mtu: { type: 'integer', title: 'MTU' },
      timers: { type: 'object', properties: { up: { type: 'integer' } } },
    },
    allOf: [
      {
        if: { properties: { mtu: { const: 9000 } }, required: ['mtu'] },
        then: { properties: { reason: { type: 'string', title: 'Why' } } },
      },
    ],
  },
  uiSchema: { 'hold-time': { 'ui:help': 'seconds' } },
  bindingSchema: { properties: { 'hold-time': { 'binding:target': '/enum' } } },
});

const EMPTY = draftOf({ schema: { type: 'object', properties: {} } });

describe('a copied field', () => {
  it('is pasted behind the selected field with a free name and its entries in all documents', () => {
    const pasted = pasteField(FORM, '/properties/mtu', copyOfField(FORM, '/properties/hold-time') ?? '');
    assert.ok(pasted);
    const { draft, pointer } = pasted;
    assert.equal(pointer, '/properties/hold-time2');
    const properties = draft.schema['properties'] as object;
    assert.deepEqual(Object.keys(properties), ['hold-time', 'mtu', 'hold-time2', 'timers']);
    assert.deepEqual((properties as Record<string, unknown>)['hold-time2'], {
      type: 'integer',
      title: 'Hold time2',
    });
    assert.deepEqual(draft.uiSchema['hold-time2'], { 'ui:help': 'seconds' });
    assert.deepEqual((draft.bindingSchema['properties'] as Record<string, unknown>)['hold-time2'], {
      'binding:target': '/enum',
    });
    assert.deepEqual(draft.schema['required'], ['hold-time', 'hold-time2']);
  });

  it('keeps its name and its title in another form, and goes into a selected group', () => {
    const copy = copyOfField(FORM, '/properties/hold-time') ?? '';
    assert.deepEqual(pasteField(EMPTY, '', copy)?.draft.schema['properties'], {
      'hold-time': { type: 'integer', title: 'Hold time' },
    });
    const found = pasteField(FORM, '/properties/timers', copy)?.pointer;
    assert.equal(found, '/properties/timers/properties/hold-time');
  });

  it('has the condition of the original when it is a duplicate', () => {
    const copied = duplicateField(FORM, '/allOf/0/then/properties/reason');
    assert.equal(copied?.pointer, '/allOf/0/then/properties/reason2');
  });

  it('is refused unless the text is one', () => {
    for (const text of ['', 'hold-time', '{"type":"string"}', '{"gatehouse.field":{"name":"a"}}', '[1]'])
      assert.equal(pasteField(FORM, '', text), undefined, text);
    assert.equal(copyOfField(FORM, ''), undefined);
  });
});

import assert from 'node:assert/strict';
import { layoutOf, openForm, rowAt } from '../../../../console/src/form/model/index.js';

const SCHEMA = {
  type: 'object',
  properties: {
    title: { type: 'string', title: 'Title', default: 'Title' },
    mode: { title: 'Mode', enum: ['Title', 'other'] },
  },
};
const UI = {
  'ui:pages': [{ title: 'Title', fields: ['title'] }],
  mode: { 'ui:help': 'Which', 'ui:enumNames': ['One', 'Two'] },
  'ui:translations': { de: { Title: 'Titel', Mode: 'Art', Which: 'Welche', One: 'Eins', Two: '' } },
};

describe('the translations of a form', () => {
  it('replace titles, help and names of options, and no values and names of members', () => {
    const state = openForm({ schema: SCHEMA, uiSchema: UI }, { language: 'de-AT', computes: true });
    assert.equal(rowAt(state, '/title')?.title, 'Titel');
    assert.equal(rowAt(state, '/title')?.value, 'Title');
    const mode = rowAt(state, '/mode');
    assert.deepEqual([mode?.title, mode?.help], ['Art', 'Welche']);
    assert.deepEqual(mode?.editor.kind === 'select' && mode.editor.options, [
      { value: 'Title', label: 'Eins' },
      { value: 'other', label: 'Two' },
    ]);
    assert.deepEqual(
      layoutOf(state, '').pages.map(({ title, fields }) => [title, fields]),
      [['Titel', ['title']]],
    );
  });

  it('leave a form in another language as it is', () => {
    const state = openForm({ schema: SCHEMA, uiSchema: UI }, { language: 'fr' });
    assert.equal(state.form.document.root, SCHEMA);
  });
});

import assert from 'node:assert/strict';
import { draftOf } from '../../../console/src/design/draft.js';
import { errorTextsOf, setErrorText } from '../../../console/src/design/error-texts.js';
import { column } from '../../support/columns.js';

const FORM = draftOf({
  schema: {
    type: 'object',
    required: ['vlan-id'],
    properties: { 'vlan-id': { type: 'integer', minimum: 1, maximum: 4094 }, note: { type: 'string' } },
  },
});
const AT = '/properties/vlan-id';

describe('the own error texts of a field', () => {
  it('are offered for the keywords that the field has', () => {
    assert.deepEqual(column(errorTextsOf(FORM, AT), 'keyword'), ['required', 'minimum', 'maximum']);
    assert.deepEqual(errorTextsOf(FORM, '/properties/note'), []);
  });

  it('are stored as ui:errors, and removed when they are empty', () => {
    const set = setErrorText(FORM, AT, { keyword: 'maximum', text: 'VLANs end at 4094.' });
    assert.deepEqual(set.uiSchema, { 'vlan-id': { 'ui:errors': { maximum: 'VLANs end at 4094.' } } });
    assert.deepEqual(errorTextsOf(set, AT).at(-1), { keyword: 'maximum', text: 'VLANs end at 4094.' });
    assert.deepEqual(setErrorText(set, AT, { keyword: 'maximum', text: '' }).uiSchema, {});
  });
});

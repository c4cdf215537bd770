import assert from 'node:assert/strict';
import { draftOf } from '../../../console/src/design/draft.js';
import { copyOfField, pasteField } from '../../../console/src/design/field-copy.js';
import {
  addLanguage,
  languagesOf,
  removeLanguage,
  setTranslations,
  translationsOf,
} from '../../../console/src/design/translations.js';

const FORM = draftOf({
  schema: {
    type: 'object',
    title: 'Order',
    properties: {
      description: { type: 'string', title: 'Text / note' },
      mode: { title: 'Mode', enum: ['a', 'b'] },
    },
    'x-refused': [{ title: 'data' }],
  },
  uiSchema: {
    'ui:pages': [{ title: 'First', description: 'Order', fields: ['mode'] }],
    description: { 'ui:widget': 'textarea', 'ui:errors': { type: 'Write a text.' } },
    mode: { 'ui:enumNames': ['Access', 'Trunk'] },
  },
});
const TEXTS = ['Order', 'Text / note', 'Mode', 'First', 'Write a text.', 'Access', 'Trunk'];

describe('the translations of a form in the designer', () => {
  it('have every text of the schema and the uiSchema once, and no data', () => {
    const { texts, unused } = translationsOf(addLanguage(FORM, 'de'), 'de');
    assert.deepEqual(
      texts.map(({ text }) => text),
      TEXTS,
    );
    assert.ok(texts.every(({ translation }) => translation === ''));
    assert.deepEqual(unused, []);
  });

  it('are added, changed and removed by language', () => {
    const added = addLanguage(addLanguage(FORM, 'de'), 'ja');
    assert.deepEqual(languagesOf(added), ['de', 'ja']);
    assert.equal(addLanguage(added, 'ja'), added);
    const set = setTranslations(added, 'de', [{ text: 'Text / note', translation: 'Notiz' }]);
    assert.equal(translationsOf(set, 'de').texts[1]?.translation, 'Notiz');
    assert.equal(translationsOf(set, 'ja').texts[1]?.translation, '');
    const unset = setTranslations(set, 'de', [{ text: 'Text / note', translation: '' }]);
    assert.deepEqual(unset.uiSchema['ui:translations'], { de: {}, ja: {} });
    const none = removeLanguage(removeLanguage(set, 'de'), 'ja');
    assert.deepEqual(none.uiSchema, FORM.uiSchema);
  });

  it('list the translations of texts that the form no longer has', () => {
    const set = setTranslations(FORM, 'de', [{ text: 'Modus', translation: 'Art' }]);
    assert.deepEqual(translationsOf(set, 'de').unused, [{ text: 'Modus', translation: 'Art' }]);
  });

  it('go with a copied field into the languages of another form, whose own ones stay', () => {
    const source = setTranslations(FORM, 'de', [
      { text: 'Mode', translation: 'Art' },
      { text: 'Trunk', translation: 'Stamm' },
      { text: 'Order', translation: 'Bestellung' },
    ]);
    const copied = copyOfField(
      setTranslations(source, 'fr', [{ text: 'Mode', translation: 'Genre' }]),
      '/properties/mode',
    );
    const target = setTranslations(draftOf({ schema: { type: 'object', properties: {} } }), 'de', [
      { text: 'Trunk', translation: 'Fernleitung' },
    ]);
    assert.deepEqual(pasteField(target, '', copied ?? '')?.draft.uiSchema['ui:translations'], {
      de: { Trunk: 'Fernleitung', Mode: 'Art' },
    });
  });
});

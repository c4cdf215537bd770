import assert from 'node:assert/strict';
import { setShownWhen } from '../../../console/src/design/conditions.js';
import { draftOf, type FormDraft } from '../../../console/src/design/draft.js';
import { renameField } from '../../../console/src/design/field-edits.js';
import { moveField } from '../../../console/src/design/move-field.js';
import {
  addSection,
  moveSection,
  removeSection,
  sectionsOf,
  setSection,
  setSectionText,
} from '../../../console/src/design/sections.js';

const FORM = draftOf({
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      mtu: { type: 'integer' },
      group: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
    },
  },
});

/** A form with the sections Interface (mtu, name) and Limits. */
function sectioned(): FormDraft {
  const two = addSection(addSection(FORM, '', 'Interface'), '', 'Limits');
  return setSection(setSection(two, '', { name: 'mtu', index: 0 }), '', { name: 'name', index: 0 });
}

const words = (draft: FormDraft, container = ''): readonly string[] =>
  sectionsOf(draft, container).map(({ title, fields }) => `${title}: ${fields.join(' ')}`);

describe('the sections of a form', () => {
  it('list their fields in the order of the outline, also after a field moves', () => {
    assert.deepEqual(words(sectioned()), ['Interface: name mtu', 'Limits: ']);
    const moved = moveField(sectioned(), '/properties/mtu', 'up');
    assert.ok('edited' in moved);
    assert.deepEqual(words(moved.edited.draft), ['Interface: mtu name', 'Limits: ']);
  });

  it('have a field once, and follow its name', () => {
    const moved = setSection(sectioned(), '', { name: 'mtu', index: 1 });
    assert.deepEqual(words(moved), ['Interface: name', 'Limits: mtu']);
    assert.deepEqual(words(renameField(moved, '/properties/mtu', 'size').draft), [
      'Interface: name',
      'Limits: size',
    ]);
    const out = setSection(moved, '', { name: 'mtu', index: undefined });
    assert.deepEqual(words(out), ['Interface: name', 'Limits: ']);
  });

  it('are moved, renamed, described and removed', () => {
    const described = setSectionText(sectioned(), '', { index: 1, part: 'description', text: 'RFC 8343' });
    assert.equal(sectionsOf(described, '')[1]?.description, 'RFC 8343');
    const renamed = setSectionText(described, '', { index: 1, part: 'title', text: 'Sizes' });
    const first = moveSection(renamed, '', { index: 1, by: -1 });
    assert.deepEqual(words(first), ['Sizes: ', 'Interface: name mtu']);
    assert.equal(moveSection(first, '', { index: 0, by: -1 }), first);
    const none = removeSection(removeSection(first, '', 0), '', 0);
    assert.deepEqual(none.uiSchema, {});
  });

  it('keep a field of a group whose condition changes', () => {
    const group = '/properties/group';
    const inGroup = setSection(addSection(FORM, group, 'All'), group, { name: 'b', index: 0 });
    const { draft } = setShownWhen(inGroup, `${group}/properties/b`, { field: 'a', operator: 'isFilled' });
    assert.deepEqual(words(draft, group), ['All: b']);
  });
});

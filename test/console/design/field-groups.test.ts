import assert from 'node:assert/strict';
import { setShownWhen } from '../../../console/src/design/conditions.js';
import { draftOf, type FormDraft } from '../../../console/src/design/draft.js';
import { removeField, renameField } from '../../../console/src/design/field-edits.js';
import {
  addGroup,
  groupsOf,
  moveGroup,
  removeGroup,
  setGroup,
  setGroupText,
} from '../../../console/src/design/field-groups.js';
import { moveField } from '../../../console/src/design/move-field.js';

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

for (const kind of ['sections', 'pages'] as const) {
  const form = { kind, container: '' };
  /** A form with the groups Interface (mtu, name) and Limits. */
  const grouped = (): FormDraft => {
    const two = addGroup(addGroup(FORM, form, 'Interface'), form, 'Limits');
    return setGroup(setGroup(two, form, { name: 'mtu', index: 0 }), form, { name: 'name', index: 0 });
  };
  const words = (draft: FormDraft, container = ''): readonly string[] =>
    groupsOf(draft, { kind, container }).map(({ title, fields }) => `${title}: ${fields.join(' ')}`);

  describe(`the ${kind} of a form`, () => {
    it('list their fields in the order of the outline, also after a field moves', () => {
      assert.deepEqual(words(grouped()), ['Interface: name mtu', 'Limits: ']);
      const moved = moveField(grouped(), '/properties/mtu', 'up');
      assert.ok('edited' in moved);
      assert.deepEqual(words(moved.edited.draft), ['Interface: mtu name', 'Limits: ']);
    });

    it('have a field once, follow its name, and lose a field that is removed or moved into a group', () => {
      const moved = setGroup(grouped(), form, { name: 'mtu', index: 1 });
      assert.deepEqual(words(moved), ['Interface: name', 'Limits: mtu']);
      assert.deepEqual(words(renameField(moved, '/properties/mtu', 'size').draft), [
        'Interface: name',
        'Limits: size',
      ]);
      const out = setGroup(moved, form, { name: 'mtu', index: undefined });
      assert.deepEqual(words(out), ['Interface: name', 'Limits: ']);
      assert.deepEqual(words(removeField(moved, '/properties/mtu').draft), ['Interface: name', 'Limits: ']);
      const last = setGroup(grouped(), form, { name: 'group', index: 1 });
      const inner = moveField(last, '/properties/group/properties/a', 'out');
      assert.ok('edited' in inner);
      const into = moveField(inner.edited.draft, '/properties/a', 'into');
      assert.ok('edited' in into);
      assert.deepEqual(words(into.edited.draft), ['Interface: name mtu', 'Limits: group']);
    });

    it('are moved, renamed, described and removed', () => {
      const described = setGroupText(grouped(), form, { index: 1, part: 'description', text: 'RFC 8343' });
      assert.equal(groupsOf(described, form)[1]?.description, 'RFC 8343');
      const renamed = setGroupText(described, form, { index: 1, part: 'title', text: 'Sizes' });
      const first = moveGroup(renamed, form, { index: 1, by: -1 });
      assert.deepEqual(words(first), ['Sizes: ', 'Interface: name mtu']);
      assert.equal(moveGroup(first, form, { index: 0, by: -1 }), first);
      const none = removeGroup(removeGroup(first, form, 0), form, 0);
      assert.deepEqual(none.uiSchema, {});
    });

    it('keep a field whose condition changes', () => {
      const group = '/properties/group';
      const of = { kind, container: group };
      const inGroup = setGroup(addGroup(FORM, of, 'All'), of, { name: 'b', index: 0 });
      const { draft } = setShownWhen(inGroup, `${group}/properties/b`, { field: 'a', operator: 'isFilled' });
      assert.deepEqual(words(draft, group), ['All: b']);
    });

    it('are edited in ui:options if they are written there', () => {
      const written = draftOf({
        ...FORM,
        uiSchema: { 'ui:options': { [kind]: [{ title: 'All', fields: ['mtu'] }] } },
      });
      const { draft } = renameField(written, '/properties/mtu', 'size');
      const ui = setGroup(draft, form, { name: 'name', index: 0 }).uiSchema;
      assert.deepEqual(ui, { 'ui:options': { [kind]: [{ title: 'All', fields: ['name', 'size'] }] } });
    });
  });
}

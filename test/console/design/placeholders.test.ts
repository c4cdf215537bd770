import assert from 'node:assert/strict';
import { draftOf, type FormDraft } from '../../../console/src/design/draft.js';
import { renameField } from '../../../console/src/design/field-edits.js';
import { lintForm } from '../../../console/src/design/lint/lint-form.js';
import { placeField } from '../../../console/src/design/move-field.js';
import { placeholderFields, valuePathOf } from '../../../console/src/design/placeholders.js';
import { choicesOf, EMPTY_BINDING, setChoices } from '../../../console/src/design/query-bindings.js';
import { column } from '../../support/columns.js';

const PORT = '/properties/links/items/properties/port';
const FORM = draftOf({
  schema: {
    type: 'object',
    properties: {
      site: { type: 'string', title: 'Site' },
      tags: { type: 'array', title: 'Tags', items: { type: 'string' } },
      others: {
        type: 'array',
        title: 'Others',
        items: { type: 'object', properties: { name: { type: 'string', title: 'Name' } } },
      },
      links: {
        type: 'array',
        title: 'Links',
        items: {
          type: 'object',
          properties: {
            device: { type: 'string', title: 'Device' },
            port: { type: 'string', title: 'Port' },
          },
        },
      },
      timers: { type: 'object', title: 'Timers', properties: {} },
    },
  },
});

const bound = (pointer: string, path: string): FormDraft =>
  setChoices(FORM, pointer, { ...EMPTY_BINDING, adapter: 'nso1.example.com', path });

const pathAt = (draft: FormDraft, pointer: string): unknown => {
  const choices = choicesOf(draft, pointer);
  return typeof choices === 'string' ? choices : choices.path;
};

describe('the fields that a query can depend on', () => {
  it('are single values outside of other lists, with * for the same entry', () => {
    assert.equal(valuePathOf(PORT), '/links/*/port');
    const found = placeholderFields(FORM, PORT).map(({ placeholder, title }) => `${title} ${placeholder}`);
    assert.deepEqual(found, ['Site /site', 'Device /links/*/device']);
    assert.deepEqual(column(placeholderFields(FORM, '/properties/site'), 'placeholder'), []);
  });

  it('are named anew in the path of the query when they are renamed or moved', () => {
    const form = bound(PORT, '/restconf/{/links/*/device}/{/site}');
    const renamed = renameField(form, '/properties/site', 'location').draft;
    assert.equal(pathAt(renamed, PORT), '/restconf/{/links/*/device}/{/location}');
    const list = renameField(form, '/properties/links', 'lines').draft;
    const actual = pathAt(list, '/properties/lines/items/properties/port');
    assert.equal(actual, '/restconf/{/lines/*/device}/{/site}');
    const moved = placeField(form, '/properties/site', { container: '/properties/timers' });
    assert.ok('edited' in moved);
    assert.equal(pathAt(moved.edited.draft, PORT), '/restconf/{/links/*/device}/{/timers/site}');
  });

  it('are checked: a query that depends on a field that does not exist is an error', () => {
    const form = setChoices(FORM, '/properties/site', {
      ...EMPTY_BINDING,
      adapter: 'nso1.example.com',
      path: '/restconf/{/region}',
    });
    assert.match(
      lintForm(form)
        .map(({ message }) => message)
        .join('\n'),
      /The query of "site" depends on \/region, but there is no such field/,
    );
  });
});

import assert from 'node:assert/strict';
import { draftOf, type StoredForm } from '../../../console/src/design/draft.js';
import { lintForm } from '../../../console/src/design/lint/lint-form.js';
import { nearWord } from '../../../console/src/design/lint/suggest-keyword.js';

const SOUND: Partial<StoredForm> = {
  schema: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', title: 'Name', pattern: '^[a-z]+$' } },
    examples: [{ name: 'abc' }],
    'x-refused': [{}],
  },
  uiSchema: { 'ui:order': ['name'], name: { 'ui:placeholder': 'abc' } },
};

function linted(change: Partial<StoredForm>): string {
  return lintForm(draftOf({ ...SOUND, ...change }))
    .map(({ kind, part, pointer, message }) => `${kind} ${part}${pointer} ${message}`)
    .join('\n');
}

const withField = (field: object, more: object = {}): Partial<StoredForm> => ({
  schema: { type: 'object', properties: { name: { title: 'Name', ...field } }, ...more },
});

describe('lintForm', () => {
  it('reports nothing when all documents agree', () => {
    assert.equal(linted({}), '');
  });

  const cases: readonly (readonly [form: Partial<StoredForm>, found: RegExp])[] = [
    [withField({ tpye: 'string' }), /warning schema\/properties\/name\/tpye .*Did you mean "type"/],
    [withField({ type: 'strin' }), /error schema\/properties\/name\/type "type" must/],
    [withField({ pattern: '(?=a)b' }), /error schema.*look-around/],
    [withField({}, { required: ['nmae'] }), /"nmae" is required, but/],
    [withField({ type: 'string', properties: { a: { title: 'A' } } }), /cannot be reached/],
    [withField({}, { then: {} }), /have no effect without "if"/],
    [withField({}, { $defs: { one: {} } }), /\$defs\/one This definition is not used/],
    [withField({ minLength: 5, maxLength: 2 }), /minLength 5 is greater than maxLength 2/],
    [{ schema: { properties: { name: {} } } }, /warning schema\/properties\/name "name" has no title/],
    [{ uiSchema: { nam: {} } }, /uiSchema\/nam .*not a field.* Did you mean "name"/],
    [{ uiSchema: { name: { 'ui:widgt': 'x' } } }, /Did you mean "ui:widget"/],
    [{ uiSchema: { 'ui:order': ['nmae'] } }, /contains "nmae"[^]*does not contain "name"/],
    [
      { uiSchema: { 'ui:pages': [{ fields: ['name', 'nmae'] }] } },
      /warning uiSchema\/ui:pages\/0\/fields\/1 "ui:pages" contains "nmae"/,
    ],
    [{ bindingSchema: { properties: { nobody: {} } } }, /error bindingSchema\/properties\/nobody/],
    [{ bindingSchema: { properties: { name: {} } } }, /no link with an "href"/],
    [{ struct: { items: [{ title: 'Old One' }] } }, /"Old One"[^]*does not contain "name"/],
    [
      withField({ type: 'string' }, { examples: [{ name: 1 }] }),
      /Example 1 should be accepted: \/name must be string/,
    ],
    [withField({}, { 'x-refused': [{}] }), /should be refused, but is accepted/],
  ];
  for (const [form, found] of cases)
    it(`reports: ${found.source}`, () => {
      assert.match(linted(form), found);
    });

  it('matches a struct entry by its title in camel case', () => {
    assert.equal(linted({ struct: { items: [{ title: 'Name' }] } }), '');
  });

  it('does not report rare keywords and extension keywords as misspelled', () => {
    assert.equal(linted(withField({ $anchor: 'a', 'x-pattern': 1, _id: '/properties/name' })), '');
    assert.equal(nearWord('titel', ['title', 'type']), 'title');
    assert.equal(nearWord('Required', ['required']), 'required');
    assert.equal(nearWord('color', ['items']), undefined);
  });
});

import assert from 'node:assert/strict';
import { draftOf, type StoredForm } from '../../../console/src/design/draft.js';
import { lintForm } from '../../../console/src/design/lint/lint-form.js';
import { nearWord } from '../../../console/src/design/lint/suggest-keyword.js';
import { setMessages } from '../../../console/src/text/text.js';
import { messagesOf } from '../../support/console-texts.js';

before(() => {
  setMessages(messagesOf('en'));
});

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

  const cases: readonly (readonly [what: string, form: Partial<StoredForm>, found: RegExp])[] = [
    [
      'a misspelled keyword',
      withField({ tpye: 'string' }),
      /warning schema\/properties\/name\/tpye .*Did you mean "type"/,
    ],
    ['an unknown type', withField({ type: 'strin' }), /error schema\/properties\/name\/type "type" must/],
    ['a pattern that RE2 does not support', withField({ pattern: '(?=a)b' }), /error schema.*look-around/],
    [
      'a required field that does not exist',
      withField({}, { required: ['nmae'] }),
      /"nmae" is required, but/,
    ],
    [
      'a field below a field that is not an object',
      withField({ type: 'string', properties: { a: { title: 'A' } } }),
      /cannot be reached/,
    ],
    ['a "then" without "if"', withField({}, { then: {} }), /have no effect without "if"/],
    [
      'an unused definition',
      withField({}, { $defs: { one: {} } }),
      /\$defs\/one This definition is not used/,
    ],
    [
      'a range without values',
      withField({ minLength: 5, maxLength: 2 }),
      /minLength 5 is greater than maxLength 2/,
    ],
    [
      'a field without a label',
      { schema: { properties: { name: {} } } },
      /warning schema\/properties\/name "name" has no title/,
    ],
    [
      'a uiSchema entry for an unknown field',
      { uiSchema: { nam: {} } },
      /uiSchema\/nam .*not a field.* Did you mean "name"/,
    ],
    [
      'a misspelled key of the uiSchema',
      { uiSchema: { name: { 'ui:widgt': 'x' } } },
      /Did you mean "ui:widget"/,
    ],
    [
      'a ui:order that lacks a field',
      { uiSchema: { 'ui:order': ['nmae'] } },
      /contains "nmae"[^]*does not contain "name"/,
    ],
    [
      'a binding of an unknown field',
      { bindingSchema: { properties: { nobody: {} } } },
      /error bindingSchema\/properties\/nobody/,
    ],
    ['a binding without a link', { bindingSchema: { properties: { name: {} } } }, /no link with an "href"/],
    [
      'a struct with different fields',
      { struct: { items: [{ title: 'Old One' }] } },
      /"Old One"[^]*does not contain "name"/,
    ],
    [
      'an example that is refused',
      withField({ type: 'string' }, { examples: [{ name: 1 }] }),
      /Example 1 should be accepted: \/name must be string/,
    ],
    [
      'a counter-example that is accepted',
      withField({}, { 'x-refused': [{}] }),
      /should be refused, but is accepted/,
    ],
  ];
  it('reports each fault', () => {
    for (const [what, form, found] of cases) assert.match(linted(form), found, what);
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

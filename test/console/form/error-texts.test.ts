import assert from 'node:assert/strict';
import { checkAll, type Json, openForm } from '../../../console/src/form/model/index.js';
import { errorText } from '../../../console/src/form/view/error-text.js';
import { setMessages } from '../../../console/src/text/text.js';
import { languages, messagesOf } from '../../support/console-texts.js';

/** A schema and a value that breaks it, for each keyword with errors of its own. */
const BROKEN: Readonly<Record<string, readonly [schema: object, value: Json]>> = {
  ...Object.fromEntries(
    ['object', 'array', 'string', 'boolean', 'null', 'integer', 'number'].map((type) => [
      `type ${type}`,
      [{ type }, type === 'string' || type === 'object' ? 1 : 'x'],
    ]),
  ),
  enum: [{ enum: ['a', 'b'] }, 'x'],
  const: [{ const: 'a' }, 'x'],
  minimum: [{ minimum: 2 }, 1],
  maximum: [{ maximum: 2 }, 3],
  exclusiveMinimum: [{ exclusiveMinimum: 2 }, 2],
  exclusiveMaximum: [{ exclusiveMaximum: 2 }, 2],
  multipleOf: [{ multipleOf: 4 }, 3],
  minLength: [{ minLength: 3 }, 'x'],
  maxLength: [{ maxLength: 1 }, 'xx'],
  pattern: [{ pattern: '^a$' }, 'x'],
  ...Object.fromEntries(
    [
      ...[
        'email',
        'idn-email',
        'ipv4',
        'ipv6',
        'date',
        'date-time',
        'time',
        'duration',
        'uri',
        'iri',
        'hostname',
      ],
      ...[
        'idn-hostname',
        'uuid',
        'regex',
        'json-pointer',
        'relative-json-pointer',
        'uri-template',
        'uri-reference',
      ],
    ].map((format) => [`format ${format}`, [{ format }, '\\ [{"']]),
  ),
  minItems: [{ minItems: 1 }, []],
  maxItems: [{ maxItems: 1 }, [1, 2]],
  uniqueItems: [{ uniqueItems: true }, [1, 1]],
  items: [{ prefixItems: [{}], items: false }, [1, 2]],
  unevaluatedItems: [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2]],
  contains: [{ contains: { const: 1 } }, [2]],
  maxContains: [{ contains: { const: 1 }, maxContains: 1 }, [1, 1]],
  required: [{ required: ['a'] }, {}],
  dependentRequired: [{ dependentRequired: { a: ['b'] } }, { a: 1 }],
  minProperties: [{ minProperties: 1 }, {}],
  maxProperties: [{ maxProperties: 1 }, { a: 1, b: 2 }],
  propertyNames: [{ propertyNames: { maxLength: 1 } }, { ab: 1 }],
  additionalProperties: [{ additionalProperties: false }, { a: 1 }],
  unevaluatedProperties: [{ unevaluatedProperties: false }, { a: 1 }],
  'false schema': [{ properties: { a: false } }, { a: 1 }],
  not: [{ not: { const: 1 } }, 1],
  anyOf: [{ anyOf: [{ type: 'integer', minimum: 5 }, { const: 'auto' }] }, 'x'],
  oneOf: [{ oneOf: [{ type: 'integer' }, { minimum: 0 }] }, 1],
};

describe('the texts of errors', () => {
  for (const language of languages())
    it(`say what to do for each keyword of JSON Schema, in ${language}`, () => {
      setMessages(messagesOf(language));
      const raw = Object.entries(BROKEN).flatMap(([keyword, [schema, value]]) => {
        const state = checkAll(openForm({ schema, data: value }));
        assert.ok(state.errors.length > 0, keyword);
        return state.errors
          .filter((error) => errorText(state, error) === error.message)
          .map(({ message }) => `${keyword}: ${message}`);
      });
      assert.deepEqual(raw, []);
    });

  it('names what each alternative of a union wants', () => {
    setMessages(messagesOf('en'));
    const [schema, data] = BROKEN['anyOf'] ?? assert.fail();
    const state = checkAll(openForm({ schema, data }));
    assert.deepEqual(
      state.errors.map((error) => errorText(state, error)),
      ['Enter a whole number, or: Must be auto'],
    );
  });

  after(() => {
    setMessages(messagesOf('en'));
  });
});

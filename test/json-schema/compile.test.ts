import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pointerTo, valueAt } from '../../src/core/pointer.js';
import type { JsonSchema } from '../../src/core/schema.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { VIOLATION_LIMIT } from '../../src/json-schema/violations.js';

const text = { type: 'string' };
const closed = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  ...more,
  properties,
});
const violationsOf = (schema: JsonSchema, value: unknown) =>
  compileSchema(schema)(value).violations.map(({ pointer, keyword, message }) => [pointer, keyword, message]);

const credentials = closed({
  auth: {
    type: 'object',
    discriminator: { propertyName: 'type' },
    oneOf: [
      closed({ type: { type: 'string', const: 'none' } }, { required: ['type'] }),
      closed(
        { type: { type: 'string', const: 'basic' }, password: text, realm: { type: 'string', default: 'x' } },
        { required: ['type', 'password'] },
      ),
      closed({ type: { type: 'string', enum: ['bearer', 'token'] } }, { required: ['type'] }),
    ],
  },
});

interface Row {
  readonly what: string;
  readonly schema: JsonSchema;
  readonly value: unknown;
  readonly violations: readonly (readonly [pointer: string, keyword: string, message: string])[];
}

const propertyRow = (
  what: string,
  rule: object,
  ...[value, expected]: [unknown, readonly [string, string]]
): Row => ({
  what,
  schema: closed({ a: rule }),
  value: { a: value },
  violations: [['/a', ...expected]],
});

const rows: readonly Row[] = [
  {
    what: 'an unknown member, with the known members and a suggestion',
    schema: closed({ path: text, accept: text, contentType: text }),
    value: { acept: 'x' },
    violations: [
      [
        '/acept',
        'additionalProperties',
        'is not known here; known: path, accept, contentType; did you mean "accept"?',
      ],
    ],
  },
  {
    what: 'an unknown member without a suggestion',
    schema: closed({ path: text }),
    value: { 'a/b~c': 1, __proto__x: 1 },
    violations: [
      ['/__proto__x', 'additionalProperties', 'is not known here; known: path'],
      ['/a~1b~0c', 'additionalProperties', 'is not known here; known: path'],
    ],
  },
  {
    what: 'an own __proto__ as an unknown member',
    schema: closed({}),
    value: JSON.parse('{"__proto__": {"x": 1}}'),
    violations: [['/__proto__', 'additionalProperties', 'is not known here']],
  },
  {
    what: 'an unevaluated member, with the known members of all subschemas',
    schema: {
      type: 'object',
      unevaluatedProperties: false,
      properties: { a: text },
      allOf: [{ properties: { b: text } }],
    },
    value: { c: 1 },
    violations: [['/c', 'unevaluatedProperties', 'is not known here; known: a, b']],
  },
  {
    what: 'missing members, also those that every object inherits',
    schema: closed({ a: text, toString: text }, { required: ['a', 'toString'] }),
    value: {},
    violations: [
      ['/a', 'required', 'is missing'],
      ['/toString', 'required', 'is missing'],
    ],
  },
  {
    what: 'a member that another member needs',
    schema: closed({ a: text, b: text }, { dependentRequired: { a: ['b'] } }),
    value: { a: '' },
    violations: [['/b', 'dependentRequired', 'is missing; "a" needs it']],
  },
  propertyRow('a string', text, 1, ['type', 'must be a string']),
  propertyRow('an integer', { type: 'integer' }, 1.5, ['type', 'must be an integer']),
  propertyRow('an array or null', { type: ['array', 'null'] }, 'x', ['type', 'must be an array or null']),
  propertyRow('a flag', { type: 'boolean' }, 'x', ['type', 'must be true or false']),
  propertyRow('an enumeration', { enum: ['GET', 'POST'] }, 'PUT', [
    'enum',
    'must be one of GET, POST; did you mean "POST"?',
  ]),
  propertyRow('a constant', { const: true }, false, ['const', 'must be true']),
  propertyRow('a pattern', { type: 'string', pattern: '^x' }, 'y', ['pattern', 'must match the pattern ^x']),
  propertyRow('a hint', { type: 'string', pattern: '^x', minLength: 3, 'x-hint': 'must start with x' }, 'y', [
    'minLength',
    'must start with x',
  ]),
  propertyRow(
    'a hint, of another type',
    { type: 'string', pattern: '^x', 'x-hint': 'must start with x' },
    1,
    ['type', 'must be a string'],
  ),
  propertyRow('a format', { type: 'string', format: 'date-time' }, 'y', [
    'format',
    'must be a date and time such as 2024-01-31T12:00:00Z',
  ]),
  propertyRow('a rare format', { type: 'string', format: 'duration' }, 'y', [
    'format',
    'must be of the format "duration"',
  ]),
  propertyRow('a minimum', { type: 'integer', minimum: 1 }, 0, ['minimum', 'must be at least 1']),
  propertyRow('a maximum', { type: 'integer', maximum: 9 }, 10, ['maximum', 'must be at most 9']),
  propertyRow('bounds that are excluded', { type: 'number', exclusiveMinimum: 0 }, 0, [
    'exclusiveMinimum',
    'must be more than 0',
  ]),
  propertyRow('bounds that are excluded', { type: 'number', exclusiveMaximum: 0 }, 0, [
    'exclusiveMaximum',
    'must be less than 0',
  ]),
  propertyRow('a multiple', { type: 'number', multipleOf: 5 }, 3, ['multipleOf', 'must be a multiple of 5']),
  propertyRow('an empty string', { type: 'string', minLength: 1 }, '', ['minLength', 'must not be empty']),
  propertyRow('a short string', { type: 'string', minLength: 2 }, '', [
    'minLength',
    'must have at least 2 characters',
  ]),
  propertyRow('a long string', { type: 'string', maxLength: 2 }, 'abc', [
    'maxLength',
    'must have at most 2 characters',
  ]),
  propertyRow('too few items', { type: 'array', minItems: 1 }, [], ['minItems', 'must have at least 1 item']),
  propertyRow(
    'too many items',
    { type: 'array', maxItems: 1 },
    [1, 2],
    ['maxItems', 'must have at most 1 item'],
  ),
  propertyRow('too few members', { type: 'object', minProperties: 1 }, {}, [
    'minProperties',
    'must have at least 1 member',
  ]),
  propertyRow('too many members', { type: 'object', maxProperties: 0 }, { x: 1 }, [
    'maxProperties',
    'must have at most 0 members',
  ]),
  propertyRow(
    'items that repeat',
    { type: 'array', uniqueItems: true },
    [1, 1],
    ['uniqueItems', 'must not contain the same item twice'],
  ),
  propertyRow(
    'a missing item',
    { type: 'array', contains: { const: 1 } },
    [2, 3],
    ['contains', 'does not contain the required item'],
  ),
  propertyRow('a form that is forbidden', { not: { const: 1 } }, 1, ['not', 'is not allowed in this form']),
  propertyRow('a value that is never allowed', false as unknown as object, 1, [
    'false schema',
    'is not allowed here',
  ]),
  propertyRow('forms of other types', { anyOf: [text, { type: 'null' }] }, 1, [
    'type',
    'must be a string or null',
  ]),
  propertyRow('forms with a hint', { oneOf: [text, { type: 'integer' }], 'x-hint': 'must be a port' }, true, [
    'oneOf',
    'must be a port',
  ]),
  propertyRow('no matching form', { oneOf: [{ const: 1 }, { const: 2 }] }, 3, [
    'oneOf',
    'matches none of the allowed forms',
  ]),
  propertyRow('two matching forms', { oneOf: [{ minimum: 1, type: 'number' }, { type: 'integer' }] }, 3, [
    'oneOf',
    'matches several forms, but exactly one is allowed',
  ]),
  {
    what: 'the errors of the intended form',
    schema: closed({ a: { anyOf: [text, closed({ b: text }, { required: ['b'] })] } }),
    value: { a: {} },
    violations: [['/a/b', 'required', 'is missing']],
  },
  {
    what: 'the failed condition, without its "if" keyword',
    schema: closed(
      { a: text, b: text },
      { if: { properties: { a: { const: 'x' } } }, then: { properties: { b: { const: 'y' } } } },
    ),
    value: { a: 'x', b: 'z' },
    violations: [['/b', 'const', 'must be y']],
  },
  {
    what: 'an invalid member name',
    schema: {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[a-z]+$', 'x-hint': 'is no name' },
    },
    value: { A: 1, b: 1 },
    violations: [['/A', 'propertyNames', 'is no name']],
  },
  {
    what: 'an unknown tag',
    schema: credentials,
    value: { auth: { type: 'digest' } },
    violations: [['/auth/type', 'discriminator', 'must be one of none, basic, bearer, token']],
  },
  {
    what: 'a tag that is not a string',
    schema: credentials,
    value: { auth: { type: 1 } },
    violations: [['/auth/type', 'discriminator', 'must be one of none, basic, bearer, token']],
  },
  {
    what: 'a missing tag',
    schema: credentials,
    value: { auth: {} },
    violations: [['/auth/type', 'required', 'is missing']],
  },
  {
    what: 'the members of the variant that the tag selects, and its defaults',
    schema: credentials,
    value: { auth: { type: 'basic', pasword: 'x' } },
    violations: [
      ['/auth/password', 'required', 'is missing'],
      [
        '/auth/pasword',
        'additionalProperties',
        'is not known here; known: type, password, realm; did you mean "password"?',
      ],
    ],
  },
];

describe('compileSchema', () => {
  it('describes each kind of violation', () => {
    for (const { what, schema, value, violations } of rows)
      assert.deepEqual(violationsOf(schema, value), violations, what);
  });

  it('accepts a valid value, and fills in defaults, nested and below discriminators', () => {
    const value = { auth: { type: 'basic', password: 'x' } };
    assert.deepEqual(violationsOf(credentials, value), []);
    assert.deepEqual(value, { auth: { type: 'basic', password: 'x', realm: 'x' } });
    const deep = {};
    compileSchema(closed({ a: closed({ b: { type: 'integer', default: 7 } }, { default: {} }) }))(deep);
    assert.deepEqual(deep, { a: { b: 7 } });
  });

  it('collects the pointers of secrets and paths separately in each call', () => {
    const secret = { type: 'string', 'x-secret': true };
    const validate = compileSchema({
      type: 'object',
      properties: {
        key: secret,
        off: { type: 'string', 'x-secret': false },
        file: { type: ['string', 'null'], 'x-path': true },
      },
      additionalProperties: { $ref: '#/$defs/member' },
      $defs: { member: { type: 'array', items: secret } },
    });
    const expected = { violations: [], secrets: ['/key', '/a~1b/1'], paths: ['/file'] };
    const value = { key: 'x', off: 'x', file: 'x', 'a/b': ['', 'y'].map(String) };
    assert.deepEqual(new Set(validate(value).secrets), new Set([...expected.secrets, '/a~1b/0']));
    assert.deepEqual(validate({ key: 'x', file: 'f' }), {
      violations: [],
      secrets: ['/key'],
      paths: ['/file'],
    });
    assert.deepEqual(validate({ file: null }), { violations: [], secrets: [], paths: [] });
    assert.deepEqual(validate({ key: 1 }).secrets, []);
  });

  it('refuses an invalid schema', () => {
    assert.throws(() => compileSchema({ type: 'sting' }));
    assert.throws(() => compileSchema({ type: 'object', propertys: {} }), /strict mode/);
    assert.throws(() => compileSchema({ type: 'object', required: ['a'] }), /strict mode/);
  });

  it('lets schemas share a $id', () => {
    compileSchema({ $id: 'urn:gatehouse:test', type: 'string' });
    assert.equal(compileSchema({ $id: 'urn:gatehouse:test', type: 'null' })('').violations.length, 1);
  });

  it('limits the number of violations', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `k${at}`);
    const value = Object.fromEntries(names.map((name) => [name, 1]));
    assert.equal(violationsOf(closed({ accept: text }), value).length, VIOLATION_LIMIT);
  });

  it('never repeats a value in a violation', () => {
    const secretText = 'hunter2hunter2';
    const schema = closed({
      a: { type: 'string', pattern: '^x', maxLength: 2, format: 'uri' },
      b: { enum: ['u', 'v'] },
      c: { const: 1 },
      d: { type: 'array', uniqueItems: true, items: { type: 'integer' } },
      e: { oneOf: [{ type: 'integer' }, { const: 'w' }] },
      f: credentials,
    });
    const value = {
      a: secretText,
      b: secretText,
      c: secretText,
      d: [secretText, secretText],
      e: secretText,
      f: { auth: { type: secretText } },
    };
    const found = violationsOf(schema, value);
    assert.equal(found.length, 9);
    assert.ok(!JSON.stringify(found).includes(secretText));
  });

  it('points to an existing value, or to a missing member of an existing parent (property)', () => {
    const node = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.dictionary(fc.string(), tie('value')),
        fc.array(tie('value')),
      ),
    })).value;
    const schema: JsonSchema = {
      type: 'object',
      required: ['need'],
      properties: { need: { type: 'string' } },
      additionalProperties: { $ref: '#/$defs/node' },
      $defs: {
        node: {
          type: ['object', 'array'],
          items: { $ref: '#/$defs/node' },
          additionalProperties: { $ref: '#/$defs/node' },
        },
      },
    };
    const validate = compileSchema(schema);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), node), (value) => {
        for (const { pointer, keyword } of validate(value).violations) {
          if (keyword === 'required') assert.equal(pointer, pointerTo('', 'need'));
          else assert.notEqual(valueAt(value, pointer), undefined, pointer);
        }
      }),
    );
  });
});

describe('compileSchema with a third-party schema of draft-07', () => {
  const schema: JsonSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    properties: {
      // Has no type, an unknown keyword, and a pattern that is invalid in Unicode mode.
      port: { minimum: 1, colour: 'blue' },
      name: { type: 'string', pattern: '^[\\w-.]+\\-$', 'x-secret': true },
      login: { $ref: '#/definitions/login' },
    },
    definitions: { login: { properties: { user: { default: 'ada' } }, dependencies: { user: ['key'] } } },
  };

  it('applies the keywords of draft-07 and the x- keywords of gatehouse', () => {
    const value = { port: 0, name: 'a-', login: { user: 'bo' } };
    const { violations, secrets } = compileSchema(schema)(value);
    assert.deepEqual(
      violations.map(({ pointer }) => pointer),
      ['/login/key', '/port'],
    );
    assert.deepEqual(secrets, ['/name']);
  });

  it('fills in defaults', () => {
    const value = { login: {} };
    compileSchema(schema)(value);
    assert.deepEqual(value, { login: { user: 'ada' } });
  });

  it('stays strict for the same schema without $schema', () => {
    assert.throws(() => compileSchema({ ...schema, $schema: undefined }), /strict mode/);
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonSchema } from '../../src/core/schema.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import { VIOLATION_LIMIT } from '../../src/json-schema/violations.js';
import { pointerTo, valueAt } from '../../src/json/pointer.js';
import { column } from '../support/columns.js';

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

/** The violation of a rule at a pointer. */
type Said = readonly [pointer: string, keyword: string, message: string];
type Row = readonly [schema: JsonSchema, value: unknown, ...violations: readonly Said[]];

/** A rule of the member `a`, with a value that violates it. */
const member = (rule: object, value: unknown, ...[keyword, message]: readonly [string, string]): Row => [
  closed({ a: rule }),
  { a: value },
  ['/a', keyword, message],
];

const ROWS: readonly Row[] = [
  [
    closed({ path: text, accept: text, contentType: text }),
    { acept: 'x' },
    [
      '/acept',
      'additionalProperties',
      'is not known here; known: path, accept, contentType; did you mean "accept"?',
    ],
  ],
  [
    closed({ path: text }),
    { 'a/b~c': 1, __proto__x: 1 },
    ['/__proto__x', 'additionalProperties', 'is not known here; known: path'],
    ['/a~1b~0c', 'additionalProperties', 'is not known here; known: path'],
  ],
  [
    closed({}),
    JSON.parse('{"__proto__": {"x": 1}}'),
    ['/__proto__', 'additionalProperties', 'is not known here'],
  ],
  [
    {
      type: 'object',
      unevaluatedProperties: false,
      properties: { a: text },
      allOf: [{ properties: { b: text } }],
    },
    { c: 1 },
    ['/c', 'unevaluatedProperties', 'is not known here; known: a, b'],
  ],
  [
    closed({ a: text, toString: text }, { required: ['a', 'toString'] }),
    {},
    ['/a', 'required', 'is missing'],
    ['/toString', 'required', 'is missing'],
  ],
  [
    closed({ a: text, b: text }, { dependentRequired: { a: ['b'] } }),
    { a: '' },
    ['/b', 'dependentRequired', 'is missing; "a" needs it'],
  ],
  member(text, 1, 'type', 'must be a string'),
  member({ type: 'integer' }, 1.5, 'type', 'must be an integer'),
  member({ type: 'object', 'x-type-hint': 'send lists' }, [], 'type', 'must be an object; send lists'),
  member({ type: ['array', 'null'] }, 'x', 'type', 'must be an array or null'),
  member({ type: 'boolean' }, 'x', 'type', 'must be true or false'),
  member({ enum: ['GET', 'POST'] }, 'PUT', 'enum', 'must be one of GET, POST; did you mean "POST"?'),
  member({ const: true }, false, 'const', 'must be true'),
  member({ type: 'string', pattern: '^x' }, 'y', 'pattern', 'must match the pattern ^x'),
  member(
    { type: 'string', pattern: '^x', minLength: 3, 'x-hint': 'must start with x' },
    'y',
    'minLength',
    'must start with x',
  ),
  member({ type: 'string', pattern: '^x', 'x-hint': 'must start with x' }, 1, 'type', 'must be a string'),
  member(
    { type: 'string', format: 'date-time' },
    'y',
    'format',
    'must be a date and time such as 2024-01-31T12:00:00Z',
  ),
  member({ type: 'string', format: 'duration' }, 'y', 'format', 'must be of the format "duration"'),
  member({ type: 'integer', minimum: 1 }, 0, 'minimum', 'must be at least 1'),
  member({ type: 'integer', maximum: 9 }, 10, 'maximum', 'must be at most 9'),
  member({ type: 'number', exclusiveMinimum: 0 }, 0, 'exclusiveMinimum', 'must be more than 0'),
  member({ type: 'number', exclusiveMaximum: 0 }, 0, 'exclusiveMaximum', 'must be less than 0'),
  member({ type: 'number', multipleOf: 5 }, 3, 'multipleOf', 'must be a multiple of 5'),
  member({ type: 'string', minLength: 1 }, '', 'minLength', 'must not be empty'),
  member({ type: 'string', minLength: 2 }, '', 'minLength', 'must have at least 2 characters'),
  member({ type: 'string', maxLength: 2 }, 'abc', 'maxLength', 'must have at most 2 characters'),
  member({ type: 'array', minItems: 1 }, [], 'minItems', 'must have at least 1 item'),
  member({ type: 'array', maxItems: 1 }, [1, 2], 'maxItems', 'must have at most 1 item'),
  member({ type: 'object', minProperties: 1 }, {}, 'minProperties', 'must have at least 1 member'),
  member({ type: 'object', maxProperties: 0 }, { x: 1 }, 'maxProperties', 'must have at most 0 members'),
  member({ type: 'array', uniqueItems: true }, [1, 1], 'uniqueItems', 'must not contain the same item twice'),
  member({ type: 'array', contains: { const: 1 } }, [2, 3], 'contains', 'does not contain the required item'),
  member({ not: { const: 1 } }, 1, 'not', 'is not allowed in this form'),
  member(false as unknown as object, 1, 'false schema', 'is not allowed here'),
  member({ anyOf: [text, { type: 'null' }] }, 1, 'type', 'must be a string or null'),
  member({ oneOf: [text, { type: 'integer' }], 'x-hint': 'must be a port' }, true, 'oneOf', 'must be a port'),
  member({ oneOf: [{ const: 1 }, { const: 2 }] }, 3, 'oneOf', 'matches none of the allowed forms'),
  member(
    { oneOf: [{ minimum: 1, type: 'number' }, { type: 'integer' }] },
    3,
    'oneOf',
    'matches several forms, but exactly one is allowed',
  ),
  [
    closed({ a: { anyOf: [text, closed({ b: text }, { required: ['b'] })] } }),
    { a: {} },
    ['/a/b', 'required', 'is missing'],
  ],
  [
    closed(
      { a: text, b: text },
      { if: { properties: { a: { const: 'x' } } }, then: { properties: { b: { const: 'y' } } } },
    ),
    { a: 'x', b: 'z' },
    ['/b', 'const', 'must be y'],
  ],
  [
    {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[a-z]+$', 'x-hint': 'is no name' },
    },
    { A: 1, b: 1 },
    ['/A', 'propertyNames', 'is no name'],
  ],
  [
    credentials,
    { auth: { type: 'digest' } },
    ['/auth/type', 'discriminator', 'must be one of none, basic, bearer, token'],
  ],
  [
    credentials,
    { auth: { type: 1 } },
    ['/auth/type', 'discriminator', 'must be one of none, basic, bearer, token'],
  ],
  [credentials, { auth: {} }, ['/auth/type', 'required', 'is missing']],
  [
    credentials,
    { auth: { type: 'basic', pasword: 'x' } },
    ['/auth/password', 'required', 'is missing'],
    [
      '/auth/pasword',
      'additionalProperties',
      'is not known here; known: type, password, realm; did you mean "password"?',
    ],
  ],
];

describe('compileSchema', () => {
  for (const [schema, value, ...violations] of ROWS)
    it(`describes: ${violations.map((said) => said.join(' ')).join('; ')}`, () => {
      assert.deepEqual(violationsOf(schema, value), violations);
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
    const { secrets } = validate({ key: 'x', off: 'x', file: 'x', 'a/b': ['', 'y'] });
    assert.deepEqual([...secrets].sort(), ['/a~1b/0', '/a~1b/1', '/key']);
    const found = validate({ key: 'x', file: 'f' });
    assert.deepEqual(found, { violations: [], secrets: ['/key'], paths: ['/file'] });
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
    const auth = { type: secretText };
    const value = Object.fromEntries(['a', 'b', 'c', 'e'].map((name) => [name, secretText]));
    const found = violationsOf(schema, { ...value, d: [secretText, secretText], f: { auth } });
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
    const inner = { $ref: '#/$defs/node' };
    const validate = compileSchema({
      type: 'object',
      required: ['need'],
      properties: { need: { type: 'string' } },
      additionalProperties: inner,
      $defs: { node: { type: ['object', 'array'], items: inner, additionalProperties: inner } },
    });
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
    assert.deepEqual(column(violations, 'pointer'), ['/login/key', '/port']);
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

import assert from 'node:assert/strict';
import type { JsonSchema } from '../../src/core/schema.js';
import { compileSchema } from '../../src/json-schema/compile.js';

const closed = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  ...more,
  properties,
});

const adviceFor = (schema: JsonSchema, value: unknown) =>
  compileSchema(schema)(value).violations.map(({ advice }) => advice);

const member = (rule: object, value: unknown) => adviceFor(closed({ a: rule }), { a: value });

describe('the advice of a violation', () => {
  for (const [rule, value, advice] of [
    [
      { type: 'integer', 'x-unit': 'seconds', minimum: 1, maximum: 60, default: 30 },
      '30s',
      'Write the seconds as a whole number from 1 to 60, for example 30.',
    ],
    [{ type: 'integer' }, '30', 'Write the number without quotes.'],
    [{ type: 'integer', minimum: 1, maximum: 256 }, 300, 'Write a number from 1 to 256.'],
    [
      { type: 'string', pattern: '^\\d+\\.\\d$', default: '2023.2' },
      2023.2,
      "Put it in quotes: '2023.2'. Without quotes, it is a number.",
    ],
    [
      { type: 'string', pattern: '^.+:\\d+$', 'x-hint': 'must be host:port, for example a:1' },
      3000,
      'Write host:port, for example a:1.',
    ],
    [{ type: 'boolean' }, 'yes', 'Write true or false, without quotes.'],
    [
      closed({ b: true, c: true }),
      [],
      'Write an object with the keys b, c; in YAML, without "- " before them.',
    ],
    [{ type: 'array' }, 'x', 'Write a list: [ITEM, ITEM], or in YAML one line "- ITEM" for each item.'],
  ] as const)
    it(`is: ${advice}`, () => {
      assert.deepEqual(member(rule, value), [advice]);
    });

  it('describes a missing member by description, hint and values', () => {
    const schema = closed(
      {
        a: { type: 'string', description: 'Name of the user.' },
        b: { type: 'string', 'x-hint': 'must be a name' },
        c: { enum: ['x', 'y'] },
        d: {},
      },
      { required: ['a', 'b', 'c', 'd'] },
    );
    assert.deepEqual(adviceFor(schema, {}), [
      'Add "a": Name of the user.',
      'Add "b": It must be a name.',
      'Add "c": Use x, y.',
      'Add "d".',
    ]);
  });

  it('describes a member that a condition requires by the schema around the condition', () => {
    const schema = closed(
      { url: { type: 'string', description: 'The URL.' }, urls: { type: 'array' } },
      { if: { required: ['urls'], properties: { urls: true } }, else: { required: ['url'], properties: { url: true } } },
    ); // prettier-ignore
    assert.deepEqual(adviceFor(schema, {}), ['Add "url": The URL.']);
  });

  it('lists the values of a missing tag', () => {
    const variant = (type: string) => closed({ type: { const: type } }, { required: ['type'] });
    const schema = closed({
      auth: {
        type: 'object',
        discriminator: { propertyName: 'type' },
        oneOf: [variant('none'), variant('basic')],
      },
    });
    assert.deepEqual(adviceFor(schema, { auth: {} }), ['Add "type": Use none, basic.']);
  });

  it('does not repeat the value, which may be a secret', () => {
    for (const value of ['hunter22', 4711, ['hunter22'], { hunter22: 1 }])
      for (const type of ['string', 'integer', 'boolean', 'object', 'array', 'null'])
        assert.doesNotMatch(member({ type }, value).join(), /hunter22|4711/);
  });

  it('names the nearest object that has an unknown member, from where the member is', () => {
    const schema = closed({ properties: closed({ tags: { type: 'array' } }) });
    const { violations } = compileSchema(closed({ properties: schema }))({ properties: { tags: [] } });
    assert.deepEqual(
      violations.map(({ pointer, message }) => [pointer, message]),
      [['/properties/tags', 'is not known here; known: properties; "properties" has it']],
    );
  });
});

import assert from 'node:assert/strict';
import { catalogueSchema, completeAdapterSchema } from '../../src/config/complete-adapter-schema.js';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

interface Completed {
  readonly $schema: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const complete = (options: Readonly<Record<string, unknown>>): Completed =>
  completeAdapterSchema(options) as unknown as Completed;

describe('the schema of an adapter as clients send it', () => {
  it('has the schema of its plugin in the place of the options, and its draft', () => {
    const { $schema, properties } = complete({
      $schema: 'http://draft',
      properties: { a: { type: 'string' } },
    });
    assert.equal($schema, 'http://draft');
    assert.deepEqual(properties['options']?.['properties'], { a: { type: 'string' } });
    assert.equal(complete({}).$schema, DRAFT);
  });

  it('refers to parts of that schema where they are now, and to nothing else otherwise', () => {
    const parts = [{ $ref: '#' }, { $ref: '#/$defs/x' }, { $ref: '#x' }, { $ref: 'other#/a' }, { $ref: 1 }];
    const { properties } = complete({ anyOf: parts, not: null });
    assert.deepEqual(properties['options']?.['anyOf'], [
      { $ref: '#/properties/options' },
      { $ref: '#/properties/options/$defs/x' },
      { $ref: '#x' },
      { $ref: 'other#/a' },
      { $ref: 1 },
    ]);
    assert.equal(properties['options']['not'], null);
  });

  it('leaves out what stands elsewhere in what they send', () => {
    const { properties, required } = complete({});
    for (const key of ['plugin', 'brokers', 'groups', 'log']) {
      assert.ok(!Object.hasOwn(properties, key), key);
    }
    assert.deepEqual(required, []);
    assert.ok(properties['auth'] && properties['tls']);
  });
});

describe('the schema of a catalogue adapter as clients send it', () => {
  it('is that of its own settings', () => {
    const properties = { properties: { type: 'object', required: ['host'] } };
    assert.deepEqual(catalogueSchema({ $schema: 'http://draft', $defs: { x: {} }, properties }), {
      $schema: 'http://draft',
      $defs: { x: {} },
      type: 'object',
      required: ['host'],
    });
    assert.deepEqual(catalogueSchema({}), { $schema: DRAFT, $defs: {}, type: 'object' });
  });
});

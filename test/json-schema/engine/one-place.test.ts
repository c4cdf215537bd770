import assert from 'node:assert/strict';
import { validatorOf } from './validator-of.js';

describe('one edited field of a form', () => {
  const schema = {
    properties: {
      interfaces: {
        type: 'array',
        uniqueItems: true,
        items: {
          required: ['name'],
          properties: { name: { type: 'string', title: 'Name' }, mtu: { type: 'integer', minimum: 68 } },
          if: { properties: { name: { const: 'lo' } } },
          then: { properties: { mtu: { const: 65536 } } },
        },
      },
    },
  };
  const errorsAt = (data: unknown, pointer: string): readonly string[] =>
    validatorOf(schema)
      .validateAt(data, pointer)
      .errors.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);

  it('is told its own errors and none of its neighbours', () => {
    const data = { interfaces: [{ name: 1, mtu: 1 }, { name: 'lo', mtu: 1 }] }; // prettier-ignore
    assert.deepEqual(errorsAt(data, '/interfaces/0/mtu'), ['/interfaces/0/mtu minimum']);
    assert.deepEqual(errorsAt(data, '/interfaces/1/mtu'), [
      '/interfaces/1/mtu minimum',
      '/interfaces/1/mtu const',
    ]);
    assert.deepEqual(errorsAt(data, '/interfaces/0/name'), ['/interfaces/0/name type']);
  });

  it('is told that it is missing', () => {
    assert.deepEqual(errorsAt({ interfaces: [{}] }, '/interfaces/0/name'), ['/interfaces/0 required']);
    assert.deepEqual(errorsAt({ interfaces: [{}] }, '/interfaces/0/mtu'), []);
  });

  it('costs a part of the whole', () => {
    const data = { interfaces: Array.from({ length: 500 }, (_, at) => ({ name: `eth${at}`, mtu: 1500 })) };
    const validator = validatorOf(schema);
    assert.ok(validator.validateAt(data, '/interfaces/7/mtu').steps * 5 < validator.validate(data).steps);
  });
});

import assert from 'node:assert/strict';
import { validatorOf } from './validator-of.js';

describe('validateAt', () => {
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

  it('reports the errors of the edited field and not of its neighbors', () => {
    const data = { interfaces: [{ name: 1, mtu: 1 }, { name: 'lo', mtu: 1 }] }; // prettier-ignore
    assert.deepEqual(errorsAt(data, '/interfaces/0/mtu'), ['/interfaces/0/mtu minimum']);
    assert.deepEqual(errorsAt(data, '/interfaces/1/mtu'), [
      '/interfaces/1/mtu minimum',
      '/interfaces/1/mtu const',
    ]);
    assert.deepEqual(errorsAt(data, '/interfaces/0/name'), ['/interfaces/0/name type']);
  });

  it('reports a missing field only if it is required', () => {
    assert.deepEqual(errorsAt({ interfaces: [{}] }, '/interfaces/0/name'), ['/interfaces/0 required']);
    assert.deepEqual(errorsAt({ interfaces: [{}] }, '/interfaces/0/mtu'), []);
  });

  it('takes less than a fifth of the steps of a full validation', () => {
    const data = { interfaces: Array.from({ length: 500 }, (_, at) => ({ name: `eth${at}`, mtu: 1500 })) };
    const validator = validatorOf(schema);
    assert.ok(validator.validateAt(data, '/interfaces/7/mtu').steps * 5 < validator.validate(data).steps);
  });
});

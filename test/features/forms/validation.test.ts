import assert from 'node:assert/strict';
import { type FormsApi, openFormsApi } from '../../support/forms-api.js';

const VLAN = {
  type: 'object',
  required: ['name'],
  properties: {
    vlan: { type: 'integer', maximum: 4094, title: 'VLAN' },
    name: { type: 'string', title: 'Name' },
  },
};

describe('validation of form data', function () {
  this.timeout(30_000);
  let api: FormsApi;

  before(async () => (api = await openFormsApi()));

  after(() => api.close());

  it('validateData answers in the shape that clients expect, with the errors also as structured details', async () => {
    const sent = { jsonSchema: VLAN, formData: { vlan: 4095 } };
    const { status, body } = await api.call('post', '/validate-data', sent);
    assert.equal(status, 200);
    const required = "must have required property 'name'";
    assert.deepEqual(body, {
      status: 200,
      validation: {
        valid: false,
        errors: [`Name: The form data ${required}`, 'VLAN: /vlan must be <= 4094'],
        details: [
          { instancePath: '', keyword: 'required', message: required, title: 'Name' },
          { instancePath: '/vlan', keyword: 'maximum', message: 'must be <= 4094', title: 'VLAN' },
        ],
        truncated: false,
        dialect: 'https://json-schema.org/draft/2020-12/schema',
      },
      message: 'Form data is not valid.',
    });
    const valid = await api.call('post', '/validate-data', { jsonSchema: VLAN, formData: { name: 'x' } });
    const { message, validation } = valid.body;
    assert.deepEqual([message, validation.valid, validation.errors], ['Form data is valid.', true, []]);
  });

  it('validateForm applies the schema of the form, draft-07 by default', async () => {
    await api.call('post', '/forms', { name: 'v', schema: VLAN });
    const { body } = await api.call('post', '/validate-form/v', { formData: { name: 1 } });
    assert.deepEqual(body.validation.errors, ['Name: /name must be string']);
    assert.equal(body.validation.dialect, 'http://json-schema.org/draft-07/schema');
  });

  it('validateForm answers 404 inside a 200 response for an unknown form', async () => {
    const { status, body } = await api.call('post', '/validate-form/none', { formData: {} });
    assert.deepEqual([status, body], [200, { status: 404, message: 'Form not found' }]);
  });

  it('validateForm reports the pointer into the form when its schema is invalid', async () => {
    await api.call('post', '/forms', { name: 'w', schema: { properties: { a: { type: 'strin' } } } });
    const { status, body } = await api.call('post', '/validate-form/w', { formData: {} });
    assert.deepEqual([status, body.code], [400, 'schema_invalid']);
    assert.equal(body.errors[0]?.pointer, '/schema/properties/a/type');
  });

  it('validateData rejects invalid bodies with the same codes as every other operation', async () => {
    const refusals: readonly [body: string, code: string, detail: RegExp][] = [
      ['{', 'invalid_json', /^The body is not well-formed JSON/],
      ['{"jsonSchema":{},"jsonSchema":{}}', 'invalid_json', /^\/jsonSchema occurs twice/],
      ['[]', 'invalid_request', /^The body must be an object/],
      ['{"jsonSchema":{},"formDta":1}', 'invalid_request', /^\/formDta is not known here.*and 1 more/],
      ['{"jsonSchema":7,"formData":1}', 'schema_invalid', /^\/jsonSchema must be an object, true or false/],
      [JSON.stringify({ jsonSchema: {}, formData: 'x'.repeat(262_144) }), 'body_too_large', /larger than/],
    ];
    for (const [sent, code, detail] of refusals) {
      const { body } = await api.call('post', '/validate-data', sent);
      assert.equal(body.code, code);
      assert.match(body.detail, detail);
    }
  });

  it('decode rejects a schema whose references expand beyond the limit', async () => {
    const $defs = { long: { description: 'x'.repeat(200_000) } };
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, at) => [`p${at}`, { $ref: '#/$defs/long' }]),
    );
    const { status, body } = await api.call('post', '/decode', { jsonSchema: { properties, $defs } });
    assert.deepEqual([status, body.code], [422, 'schema_too_costly']);
  });

  it('decode refuses every body that its schema refuses', async () => {
    const ofNumber = { properties: { a: { 'binding:method': 7 } } };
    for (const [jsonSchema, bindingSchema, code, pointer] of [
      ['x', null, 'schema_invalid', '/jsonSchema'],
      [[null], null, 'schema_invalid', '/jsonSchema'],
      [{}, 1, 'invalid_request', '/bindingSchema'],
      [{}, { properties: null }, 'invalid_request', '/bindingSchema/properties'],
      [{}, ofNumber, 'invalid_request', '/bindingSchema/properties/a/binding:method'],
    ] as const) {
      const sent = { jsonSchema, bindingSchema };
      const { status, body } = await api.call('post', '/decode', sent);
      assert.deepEqual([status, body.code, body.errors[0]?.pointer], [400, code, pointer]);
    }
  });

  it('decode takes a bindingSchema of null as absent, as its schema says', async () => {
    const { status, body } = await api.call('post', '/decode', { jsonSchema: true, bindingSchema: null });
    assert.deepEqual([status, body.jsonSchema], [200, true]);
  });

  it('decode resolves the references and bindings of a plain schema', async () => {
    const { body } = await api.call('post', '/decode', {
      jsonSchema: { properties: { site: { $ref: '#/$defs/site' } }, $defs: { site: { type: 'string' } } },
      bindingSchema: {
        properties: {
          site: { 'binding:method': 'GET', 'binding:hyperSchema': { base: '/a/', links: [{ href: 'b' }] } },
        },
      },
    });
    assert.deepEqual(body.jsonSchema.properties['site'], {
      type: 'string',
      'x-binding': { method: 'GET', href: '/a/b' },
    });
  });
});

import assert from 'node:assert/strict';
import type { SchemaValidationResult } from '../../../src/json-schema/validator-pool/schema-validator.js';
import { column, columns } from '../../support/columns.js';
import { type FormsApi, openFormsApi } from '../../support/forms-api.js';
import { yang11 } from '../../support/yang.js';

const MTU = yang11(
  'port',
  `container port {
     leaf kind { type enumeration { enum ether; enum serial; } default ether; }
     leaf mtu { type uint16; must ". >= 68 or ../kind = 'serial'" { error-message "An Ethernet MTU is at least 68."; } }
     leaf peer { when "../kind = 'serial'"; type leafref { path "../../names"; } }
   }
   leaf-list names { type string; }`,
);

const FAR_AND_NEAR = [
  yang11('far', 'leaf-list names { type string; }'),
  yang11('near', 'import far { prefix f; } leaf n { type leafref { path "/f:names"; } }'),
];

interface Converted {
  readonly schemas: readonly { readonly schema: object }[];
}

interface Reply {
  readonly message: string;
  readonly validation: Pick<SchemaValidationResult, 'valid' | 'yang'> & {
    readonly errors: readonly string[];
    readonly details: readonly Record<'instancePath' | 'keyword' | 'appTag', string>[];
  };
}

describe('validateData with a schema from YANG', () => {
  let api: FormsApi;
  let schema: object;

  before(async () => {
    api = await openFormsApi();
    const answer = await api.call('post', '/yangToSchema', { yangData: [MTU] });
    assert.equal(answer.status, 200, answer.text);
    const [first] = (JSON.parse(answer.text) as Converted).schemas;
    schema = first?.schema ?? {};
  });

  after(() => api.close());

  async function validate(formData: unknown, jsonSchema = schema): Promise<Reply> {
    const answer = await api.call('post', '/validate-data', { jsonSchema, formData });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as Reply;
  }

  it('evaluates must, and reports its error-message at the node', async () => {
    const { validation } = await validate({ 'port:port': { mtu: 67 } });
    assert.equal(validation.valid, false);
    assert.equal(validation.yang, 'checked');
    assert.deepEqual(validation.errors, [
      '/port:port/mtu violates must ". >= 68 or ../kind = \'serial\'": An Ethernet MTU is at least 68.',
    ]);
    assert.deepEqual(columns(validation.details, 'instancePath', 'keyword', 'appTag'), [
      ['/port:port/mtu', 'must', 'must-violation'],
    ]);
  });

  it('evaluates when with defaults, and finds the instances of leafrefs', async () => {
    const refused = await validate({ 'port:port': { peer: 'a' } });
    assert.deepEqual(column(refused.validation.details, 'keyword'), ['when', 'require-instance']);
    const accepted = await validate({ 'port:port': { kind: 'serial', peer: 'a' }, 'port:names': ['a'] });
    assert.deepEqual([accepted.validation.valid, accepted.validation.yang], [true, 'checked']);
  });

  it('names the base of an identityref whose identities were not given', async () => {
    const text = yang11('m', 'identity base; leaf a { type identityref { base base; } }');
    const answer = await api.call('post', '/yangToSchema', { yangData: [text] });
    const made = (JSON.parse(answer.text) as Converted).schemas[0]?.schema;
    const { validation } = await validate({ 'm:a': 'x:y' }, made);
    assert.match(
      validation.errors.join(),
      /no identity derived from m:base is known; convert the module together/,
    );
  });

  it('validates the data of a form that was made from YANG in the same way', async () => {
    const created = await api.call('post', '/forms', { name: 'port', schema });
    assert.equal(created.status, 200, created.text);
    const answer = await api.call('post', '/validate-form/port', {
      formData: { 'port:port': { mtu: 1 } },
    });
    const { validation } = JSON.parse(answer.text) as Reply;
    assert.deepEqual(column(validation.details, 'instancePath'), ['/port:port/mtu']);
  });

  it('says that the model is not stored, and validates by the schema alone', async () => {
    const unknown = structuredClone(schema) as { 'x-yang': { model: string } };
    unknown['x-yang'].model = '0'.repeat(64);
    const { validation, message } = await validate({ 'port:port': { mtu: 67 } }, unknown);
    assert.deepEqual([validation.valid, validation.yang], [true, 'model-missing']);
    assert.match(message, /convert the modules again/);
  });

  it('validates a string as a document of XML, by the model alone', async () => {
    const xml = (mtu: number) => `<port xmlns="urn:port"><mtu>${mtu}</mtu><x/></port>`;
    const { validation } = await validate(xml(67));
    assert.deepEqual([validation.valid, validation.yang], [false, 'checked']);
    assert.deepEqual(columns(validation.details, 'instancePath', 'keyword'), [
      ['/port:port/x', 'member'],
      ['/port:port/mtu', 'must'],
    ]);
    const accepted = await validate(xml(1500).replace('<x/>', ''));
    assert.deepEqual([accepted.validation.valid, accepted.message], [true, 'Form data is valid.']);
    const plain = await validate(xml(1500), { type: 'object' });
    assert.equal(plain.validation.valid, false);
  });

  it('refuses a document of XML whose model is not stored', async () => {
    const unknown = structuredClone(schema) as { 'x-yang': { model: string } };
    unknown['x-yang'].model = '0'.repeat(64);
    const { validation } = await validate('<port xmlns="urn:port"/>', unknown);
    assert.deepEqual([validation.valid, validation.yang], [false, 'model-missing']);
    assert.match(validation.errors.join(), /convert the modules again/);
  });

  it('leaves rules about the data of other modules unchecked, because the document cannot contain that data', async () => {
    const answer = await api.call('post', '/yangToSchema', { yangData: FAR_AND_NEAR });
    const near = (JSON.parse(answer.text) as Converted).schemas[1]?.schema;
    const { validation } = await validate({ 'near:n': 'x' }, near);
    assert.deepEqual([validation.valid, validation.yang], [true, 'checked']);
  });

  it('checks references between the modules of a datastore', async () => {
    const answer = await api.call('post', '/yangToSchema', { yangData: FAR_AND_NEAR, target: 'datastore' });
    const datastore = (JSON.parse(answer.text) as Converted).schemas[0]?.schema;
    const { validation } = await validate({ 'far:names': ['a'], 'near:n': 'x' }, datastore);
    assert.deepEqual(
      [validation.yang, validation.details.map(({ instancePath, keyword }) => [instancePath, keyword])],
      ['checked', [['/near:n', 'require-instance']]],
    );
    const found = await validate({ 'far:names': ['x'], 'near:n': 'x' }, datastore);
    assert.deepEqual([found.validation.valid, found.validation.yang], [true, 'checked']);
  });
});

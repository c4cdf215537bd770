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
    [schema] = (await convert(MTU)) as [object];
  });

  after(() => api.close());

  /** Posts a body, and returns the JSON of the successful reply. */
  async function post(path: string, body: object): Promise<unknown> {
    const { status, text } = await api.call('post', path, body);
    assert.equal(status, 200, text);
    return JSON.parse(text) as unknown;
  }

  /** Returns the schemas of modules, or with the target the schema of the datastore. */
  async function convert(yangData: string | readonly string[], more: object = {}) {
    const { schemas } = (await post('/yangToSchema', { yangData: [yangData].flat(), ...more })) as Converted;
    return schemas.map((one) => one.schema);
  }

  const validate = async (formData: unknown, jsonSchema: object | undefined = schema): Promise<Reply> =>
    (await post('/validate-data', { jsonSchema, formData })) as Reply;

  /** Validates data, and returns the outcome with the place and the keyword of each violation. */
  const outcomeOf = async (formData: unknown, jsonSchema?: object) => {
    const { valid, yang, details } = (await validate(formData, jsonSchema)).validation;
    return [valid, yang, ...details.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)];
  };

  const withoutModel = () => {
    const unknown = structuredClone(schema) as { 'x-yang': { model: string } };
    unknown['x-yang'].model = '0'.repeat(64);
    return unknown;
  };

  it('evaluates must, and reports its error-message at the node', async () => {
    const { valid, yang, errors, details } = (await validate({ 'port:port': { mtu: 67 } })).validation;
    assert.deepEqual([valid, yang], [false, 'checked']);
    const must = 'must ". >= 68 or ../kind = \'serial\'"';
    assert.deepEqual(errors, [`/port:port/mtu violates ${must}: An Ethernet MTU is at least 68.`]);
    const [detail] = columns(details, 'instancePath', 'keyword', 'appTag');
    assert.deepEqual(detail, ['/port:port/mtu', 'must', 'must-violation']);
  });

  it('evaluates when with defaults, and finds the instances of leafrefs', async () => {
    const peer = '/port:port/peer';
    const refused = [false, 'checked', `${peer} when`, `${peer} require-instance`];
    assert.deepEqual(await outcomeOf({ 'port:port': { peer: 'a' } }), refused);
    const serial = { 'port:port': { kind: 'serial', peer: 'a' }, 'port:names': ['a'] };
    assert.deepEqual(await outcomeOf(serial), [true, 'checked']);
  });

  it('names the base of an identityref whose identities were not given', async () => {
    const text = yang11('m', 'identity base; leaf a { type identityref { base base; } }');
    const [made] = await convert(text);
    const { validation } = await validate({ 'm:a': 'x:y' }, made);
    const unknown = /no identity derived from m:base is known; convert the module together/;
    assert.match(validation.errors.join(), unknown);
  });

  it('validates the data of a form that was made from YANG in the same way', async () => {
    await post('/forms', { name: 'port', schema });
    const formData = { 'port:port': { mtu: 1 } };
    const { validation } = (await post('/validate-form/port', { formData })) as Reply;
    assert.deepEqual(column(validation.details, 'instancePath'), ['/port:port/mtu']);
  });

  it('says that the model is not stored, and validates by the schema alone', async () => {
    const { validation, message } = await validate({ 'port:port': { mtu: 67 } }, withoutModel());
    assert.deepEqual([validation.valid, validation.yang], [true, 'model-missing']);
    assert.match(message, /convert the modules again/);
  });

  it('validates a string as a document of XML, by the model alone', async () => {
    const xml = (mtu: number) => `<port xmlns="urn:port"><mtu>${mtu}</mtu><x/></port>`;
    const refused = [false, 'checked', '/port:port/x member', '/port:port/mtu must'];
    assert.deepEqual(await outcomeOf(xml(67)), refused);
    const accepted = await validate(xml(1500).replace('<x/>', ''));
    assert.deepEqual([accepted.validation.valid, accepted.message], [true, 'Form data is valid.']);
    assert.equal((await validate(xml(1500), { type: 'object' })).validation.valid, false);
  });

  it('refuses a document of XML whose model is not stored', async () => {
    const { validation } = await validate('<port xmlns="urn:port"/>', withoutModel());
    assert.deepEqual([validation.valid, validation.yang], [false, 'model-missing']);
    assert.match(validation.errors.join(), /convert the modules again/);
  });

  it('leaves rules about the data of other modules unchecked, because the document cannot contain that data', async () => {
    const [, near] = await convert(FAR_AND_NEAR);
    assert.deepEqual(await outcomeOf({ 'near:n': 'x' }, near), [true, 'checked']);
  });

  it('checks references between the modules of a datastore', async () => {
    const [datastore] = await convert(FAR_AND_NEAR, { target: 'datastore' });
    const refused = [false, 'checked', '/near:n require-instance'];
    assert.deepEqual(await outcomeOf({ 'far:names': ['a'], 'near:n': 'x' }, datastore), refused);
    const found = await outcomeOf({ 'far:names': ['x'], 'near:n': 'x' }, datastore);
    assert.deepEqual(found, [true, 'checked']);
  });
});

import assert from 'node:assert/strict';
import type { Form, FormVersion } from '../../src/core/form.js';
import { valueAt } from '../../src/core/pointer.js';
import { type SchemaSubtree, SUBTREE } from '../../src/core/schema-subtrees.js';
import { callUrl } from '../support/call.js';
import { largeModule } from '../support/large-module.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const MODULE = largeModule({ areas: 20, parts: 10, leaves: 8 });
const PART = '/properties/device-model:device/properties/area-20/properties/part-20-7';
const SMALL = { type: 'object', properties: { vlan: { type: 'integer' } } };

/** All members of the replies of this test. */
interface FormReply extends Form {
  readonly partial?: boolean;
  readonly bytes?: number;
  readonly subtrees: readonly SchemaSubtree[];
  readonly truncated: boolean;
  readonly schemas: readonly Pick<Form, 'schema' | 'uiSchema'>[];
  readonly doc: Form;
  readonly code: string;
}

interface ListedVersion extends Omit<FormVersion, 'json'> {
  readonly form: Form;
  readonly bytes?: number;
}

describe('a form with a large schema from YANG', function () {
  this.timeout(60_000);
  let testServer: TestServer;
  let form: Form;

  const call = async (method: string, path: string, body?: unknown) => {
    const token = testServer.issueToken(method === 'GET' ? 'viewer' : 'admin');
    const url = `${testServer.url}/json-forms${path}`;
    const reply = await callUrl(url, { method, token, ...(body !== undefined && { body }) });
    return { ...reply, body: reply.json as FormReply };
  };
  const create = async (body: object): Promise<Form> => (await call('POST', '/forms', body)).body.doc;

  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
    const { schemas } = (await call('POST', '/yangToSchema', { yangData: [MODULE] })).body;
    const { schema = {}, uiSchema = {} } = schemas[0] ?? {};
    form = await create({ name: 'device', schema, uiSchema });
  });
  after(() => testServer.close());

  it('is returned as a whole unless the caller asks for a part', async () => {
    assert.ok(JSON.stringify(form).length > 500_000);
    assert.deepEqual((await call('GET', `/forms/${form.id}`)).body, form);
    assert.deepEqual((await call('GET', `/forms/${form.id}?schema=whole`)).body, form);
    const { status, body } = await call('GET', `/forms/${form.id}?schema=none`);
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
  });

  it('is returned in part by its id and its name, to every reader', async () => {
    for (const key of [form.id, 'device']) {
      const { body, text } = await call('GET', `/forms/${key}?schema=partial`);
      const { schema, uiSchema } = body;
      const bytes = Buffer.byteLength(JSON.stringify(form));
      assert.deepEqual(body, { ...form, schema, uiSchema, partial: true, bytes });
      assert.ok(text.length < 200_000);
      assert.deepEqual(valueAt(schema, '/x-yang'), valueAt(form.schema, '/x-yang'));
      const area = PART.slice(0, PART.lastIndexOf('/properties'));
      assert.equal(valueAt(schema, `${PART}/${SUBTREE}`) ?? valueAt(schema, `${area}/${SUBTREE}`), true);
      assert.equal(valueAt(schema, `${PART}/properties/value-20-7-3`), undefined);
    }
  });

  it('has subtrees at a pointer and for a search, which a caller gets once', async () => {
    const path = `/forms/${form.id}/subtrees?pointer=${encodeURIComponent(PART)}`;
    const { body, headers } = await call('GET', path);
    assert.equal(body.subtrees[0]?.pointer, PART);
    const value = '/properties/value-20-7-3';
    assert.deepEqual(valueAt(body.subtrees[0].schema, value), valueAt(form.schema, PART + value));
    const again = await callUrl(`${testServer.url}/json-forms${path}`, {
      method: 'GET',
      token: testServer.issueToken('admin'),
      headers: { 'if-none-match': String(headers['etag']) },
    });
    assert.equal(again.status, 304);
    const found = (await call('GET', `/forms/device/subtrees?search=mtu-18-5`)).body;
    assert.ok(
      found.subtrees.some(({ pointer }) => pointer.endsWith('/part-18-5/properties/entry-18-5/items')),
    );
    assert.equal(found.truncated, false);
  });

  it('refuses other pointers, unknown forms, and forms that are shown whole', async () => {
    for (const query of ['', 'pointer=/properties', 'pointer=/nothing', 'pointer=/a&search=b']) {
      const { status, body } = await call('GET', `/forms/${form.id}/subtrees?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_request'], query);
    }
    const missing = await call('GET', '/forms/none/subtrees?search=mtu');
    assert.deepEqual([missing.status, missing.body.code], [404, 'form_not_found']);
    const small = await create({ name: 'small', schema: SMALL });
    assert.equal((await call('GET', '/forms/small/subtrees?search=vlan')).status, 400);
    assert.deepEqual((await call('GET', '/forms/small?schema=partial')).body, small);
    assert.equal((await call('GET', '/forms/none?schema=partial')).text, 'null');
  });

  it('is returned as a whole when its schema does not come from YANG or has bindings', async () => {
    const schema = { ...form.schema, 'x-yang': undefined };
    const plain = await create({ name: 'plain', schema });
    assert.deepEqual((await call('GET', '/forms/plain?schema=partial')).body, plain);
    const source = { propertyPointer: '/a', keyPointer: '/b' };
    const bindingSchema = { properties: { name: { 'binding:target': '/enum', 'binding:source': source, 'binding:link': 'a', 'binding:hyperSchema': { links: [{ rel: 'a', href: '/x' }] } } } }; // prettier-ignore
    const bound = await create({ name: 'bound', schema: form.schema, bindingSchema });
    assert.deepEqual((await call('GET', '/forms/bound?schema=partial')).body, bound);
  });

  it('has a history without schemas, and each state by its number', async () => {
    const { id } = await create({ name: 'renamed', schema: form.schema });
    await call('PUT', `/forms/${id}`, { options: { name: 'once' } });
    // The new state is shown, not the one in memory.
    assert.equal((await call('GET', `/forms/${id}?schema=partial`)).body.name, 'once');
    await call('PUT', `/forms/${id}`, { options: { name: 'twice' } });
    assert.equal((await call('GET', `/forms/${id}?schema=partial`)).body.name, 'twice');
    const history = async (query: string) =>
      (await call('GET', `/forms/${id}/history?${query}`)).json as readonly ListedVersion[];
    const whole = await history('');
    assert.deepEqual(
      await history('schema=none'),
      whole.map((entry) => ({
        ...entry,
        bytes: Buffer.byteLength(JSON.stringify(entry.form)),
        form: { ...entry.form, schema: {}, uiSchema: {} },
      })),
    );
    assert.deepEqual(await history('revision=1'), [whole[1]]);
    assert.deepEqual(await history('revision=9'), []);
    const refused = await call('GET', `/forms/${id}/history?revision=0`);
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
    const missing = await call('GET', '/forms/none/history?schema=none');
    assert.deepEqual([missing.status, missing.body.code], [404, 'form_not_found']);
  });
});

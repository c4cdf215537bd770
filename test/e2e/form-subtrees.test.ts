import assert from 'node:assert/strict';
import type { Form } from '../../src/features/forms/form-store.js';
import { SUBTREE } from '../../src/form-model/schema-subtrees.js';
import { valueAt } from '../../src/json/pointer.js';
import { largeModule } from '../support/large-module.js';
import { assertMembers } from '../support/members.js';
import { callsTo, refusalOf } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const MODULE = largeModule({ areas: 20, parts: 10, leaves: 8 });
const AREA = '/properties/device-model:device/properties/area-20';
const PART = `${AREA}/properties/part-20-7`;
const VALUE = '/properties/value-20-7-3';
const SMALL = { type: 'object', properties: { vlan: { type: 'integer' } } };

describe('a form with a large schema from YANG', () => {
  let testServer: TestServer;
  let form: Form;

  const { call, ask } = callsTo(() => testServer);
  const get = <T = unknown>(path: string): Promise<T> => ask<T>(`GET /json-forms/forms/${path}`);
  const create = async (body: object): Promise<Form> =>
    (await ask<{ doc: Form }>('POST /json-forms/forms', body)).doc;

  before(async () => {
    testServer = await startTestServer();
    interface Converted {
      readonly schemas: readonly [Pick<Form, 'schema' | 'uiSchema'>];
    }
    const { schemas } = await ask<Converted>('POST /json-forms/yangToSchema', { yangData: [MODULE] });
    const [{ schema, uiSchema }] = schemas;
    form = await create({ name: 'device', schema, uiSchema });
  });
  after(() => testServer.close());

  it('is returned as a whole unless a reader asks for a part', async () => {
    const bytes = Buffer.byteLength(JSON.stringify(form));
    assert.ok(bytes > 500_000);
    assert.deepEqual(await get('device'), form);
    const { text, json } = await call('GET /json-forms/forms/device?schema=partial', { roles: ['viewer'] });
    const { schema, uiSchema } = json as Form;
    assert.deepEqual(json, { ...form, schema, uiSchema, partial: true, bytes });
    assert.ok(text.length < 200_000);
    assert.deepEqual(valueAt(schema, '/x-yang'), valueAt(form.schema, '/x-yang'));
    assert.equal(valueAt(schema, `${PART}/${SUBTREE}`) ?? valueAt(schema, `${AREA}/${SUBTREE}`), true);
    assert.equal(valueAt(schema, `${PART}${VALUE}`), undefined);
  });

  it('has subtrees at a pointer and for a search, which a caller gets once', async () => {
    const route = `GET /json-forms/forms/${form.id}/subtrees?pointer=${encodeURIComponent(PART)}` as const;
    const { json, headers } = await call(route);
    assertMembers(json, { subtrees: { 0: { pointer: PART } } });
    const { subtrees } = json as { subtrees: readonly [{ schema: object }] };
    assert.deepEqual(valueAt(subtrees[0].schema, VALUE), valueAt(form.schema, PART + VALUE));
    const again = await call(route, { headers: { 'if-none-match': String(headers['etag']) } });
    assert.equal(again.status, 304);
    const found = await get<{ subtrees: readonly { pointer: string }[]; truncated: boolean }>(
      'device/subtrees?search=mtu-18-5',
    );
    const entry = '/part-18-5/properties/entry-18-5/items';
    assert.ok(found.subtrees.some(({ pointer }) => pointer.endsWith(entry)));
    assert.equal(found.truncated, false);
  });

  it('refuses other queries, unknown forms, and subtrees of forms that are shown whole', async () => {
    await create({ name: 'small', schema: SMALL });
    for (const [path, status, code] of [
      [`${form.id}?schema=none`, 400, 'invalid_request'],
      ...['', 'pointer=/properties', 'pointer=/nothing', 'pointer=/a&search=b'].map(
        (query) => [`${form.id}/subtrees?${query}`, 400, 'invalid_request'] as const,
      ),
      ['small/subtrees?search=vlan', 400, 'invalid_request'],
      ['none/subtrees?search=mtu', 404, 'form_not_found'],
      [`${form.id}/history?revision=0`, 400, 'invalid_request'],
      ['none/history?schema=none', 404, 'form_not_found'],
    ] as const)
      assert.deepEqual(refusalOf(await call(`GET /json-forms/forms/${path}`)), [status, code], path);
    assert.equal(await get('none?schema=partial'), null);
  });

  it('is returned as a whole when it is small, does not come from YANG or has bindings', async () => {
    const source = { propertyPointer: '/a', keyPointer: '/b' };
    const links = [{ rel: 'a', href: '/x' }];
    const binding = { 'binding:target': '/enum', 'binding:source': source, 'binding:link': 'a' };
    for (const [name, members] of Object.entries({
      little: { schema: SMALL },
      plain: { schema: { ...form.schema, 'x-yang': undefined } },
      bound: {
        schema: form.schema,
        bindingSchema: { properties: { name: { ...binding, 'binding:hyperSchema': { links } } } },
      },
    }))
      assert.deepEqual(await create({ name, ...members }), await get(`${name}?schema=partial`));
  });

  it('has a history without schemas, and each state by its number', async () => {
    const { id } = await create({ name: 'renamed', schema: form.schema });
    for (const name of ['once', 'twice']) {
      await ask(`PUT /json-forms/forms/${id}`, { options: { name } });
      // The new state is shown, not the one in memory.
      assertMembers(await get(`${id}?schema=partial`), { name });
    }
    const whole = await get<readonly { form: Form }[]>(`${id}/history`);
    const withoutSchemas = whole.map((entry) => ({
      ...entry,
      bytes: Buffer.byteLength(JSON.stringify(entry.form)),
      form: { ...entry.form, schema: {}, uiSchema: {} },
    }));
    assert.deepEqual(await get(`${id}/history?schema=none`), withoutSchemas);
    assert.deepEqual(await get(`${id}/history?revision=1`), [whole[1]]);
    assert.deepEqual(await get(`${id}/history?revision=9`), []);
  });
});

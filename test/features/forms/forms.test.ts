import assert from 'node:assert/strict';
import { column, columns } from '../../support/columns.js';
import { type FormsApi, openFormsApi } from '../../support/forms-api.js';

/**
 * The whole record that a client of the platform sends for a new form. Members that the server sets are
 * empty.
 */
const CLIENT_RECORD = {
  ...{ id: '', name: 't1', description: 'd1', version: '' },
  struct: { type: 'object', description: '', items: [] },
  schema: { title: 't1', description: '', type: 'object', required: [], properties: {} },
  ...{ uiSchema: {}, bindingSchema: {}, validationSchema: {} },
  ...{ created: '', createdBy: '', lastUpdated: '', lastUpdatedBy: '' },
};
const BEGIN = '2026-01-01T00:00:00.000Z';
const ISSUER = 'https://idp.test';

describe('JSON forms', () => {
  let api: FormsApi;

  beforeEach(async () => (api = await openFormsApi()));

  afterEach(() => api.close());

  const formOf = async (key: string) => (await api.call('get', `/forms/${key}`)).body;
  const update = (key: string, options: object) => api.call('put', `/forms/${key}`, { options });
  const create = async (name: string): Promise<string> =>
    (await api.call('post', '/forms', { name })).body.doc.id;

  it('createForm accepts the whole record of a client and sets the members that the server owns', async () => {
    const { status, body } = await api.call('post', '/forms', CLIENT_RECORD);
    assert.equal(status, 200);
    const { status: word, n, doc } = body;
    assert.deepEqual([word, n], ['success', 1]);
    assert.match(doc.id, /^[0-9a-f]{24}$/);
    assert.deepEqual(doc, {
      ...{ ...CLIENT_RECORD, id: doc.id, version: '2020.1', bindingGrant: null },
      ...{ created: BEGIN, createdBy: 'ada', createdByIssuer: ISSUER, createdByName: 'ada' },
      ...{ lastUpdated: BEGIN, lastUpdatedBy: 'ada', lastUpdatedByIssuer: ISSUER, lastUpdatedByName: 'ada' },
    });
  });

  it('createForm fills in members that are absent or null', async () => {
    const { body } = await api.call('post', '/forms', { name: 'a', description: null, uiSchema: null });
    const { description, struct, schema, uiSchema, bindingSchema, validationSchema } = body.doc;
    assert.deepEqual([description, struct, schema, uiSchema, bindingSchema, validationSchema], [null, {}, {}, {}, {}, {}]); // prettier-ignore
  });

  it('createForm reports a duplicate name with status 200 and the message that clients expect', async () => {
    await create('a');
    const { status, body } = await api.call('post', '/forms', { name: 'a' });
    const failure = { status: 'failure', message: 'JSON form with this name already exists' };
    assert.deepEqual([status, body], [200, failure]);
  });

  it('createForm rejects unknown and invalid fields with a pointer to each', async () => {
    const bindingSchema = { properties: { a: { 'binding:metod': 'GET' } } };
    const sent = { name: '', struct: [], extra: 1, $set: {}, bindingSchema };
    const { status, body } = await api.call('post', '/forms', sent);
    assert.equal(status, 400);
    const binding = '/bindingSchema/properties/a/binding:metod';
    assert.deepEqual(column(body.errors, 'pointer'), ['/$set', binding, '/extra', '/name', '/struct']);
  });

  it('createForm accepts bindings together with other members of the schema', async () => {
    const bindingSchema = { type: 'object', properties: { a: { 'binding:method': 'GET', properties: {} } } };
    const { body } = await api.call('post', '/forms', { name: 'a', bindingSchema });
    assert.deepEqual(body.doc.bindingSchema, bindingSchema);
  });

  it('createForm rejects names that a database cannot store', async () => {
    for (const name of ['a\0b', 'a'.repeat(513)])
      assert.equal((await api.call('post', '/forms', { name })).body.code, 'invalid_request');
    for (const name of ['a\ud800', '\udc00'])
      assert.equal((await api.call('post', '/forms', { name })).body.code, 'invalid_json');
    assert.equal((await api.call('post', '/forms', { name: '😀' })).body.status, 'success');
  });

  it('createForm rejects a form that is too large', async () => {
    const large = { name: 'a', uiSchema: { a: 'x'.repeat(65_536) } };
    const { status, body } = await api.call('post', '/forms', large);
    assert.deepEqual([status, body.code], [413, 'body_too_large']);
  });

  it('getForms returns all forms in a bare list, oldest first, with tags that getFormById omits', async () => {
    assert.deepEqual((await api.call('get', '/forms?include=_id&limit=0')).list, []);
    const ids = [await create('b'), await create('a')];
    const { list } = await api.call('get', '/forms');
    assert.deepEqual(columns(list, 'id', 'name', 'tags'), [
      [ids[0], 'b', []],
      [ids[1], 'a', []],
    ]);
    assert.equal('tags' in (await api.call('get', '/forms/a')).body, false);
  });

  it('getFormById finds a form by id and by name and answers null for an unknown form', async () => {
    const id = await create('a name/with {signs}');
    assert.equal((await formOf(id)).id, id);
    assert.equal((await api.call('get', `/forms/${encodeURIComponent('a name/with {signs}')}`)).body.id, id);
    for (const key of ['none', 'f'.repeat(24), '__proto__']) {
      const { status, text } = await api.call('get', `/forms/${key}`);
      assert.deepEqual([status, text], [200, 'null']);
    }
  });

  it('updateForm merges the given fields and keeps the rest', async () => {
    const id = await create('a');
    await update(id, { description: 'new', uiSchema: { a: 1 } });
    await api.clock.pass(1000);
    const { status, body } = await update('a', { name: 'b', schema: { title: 'b' } });
    assert.deepEqual([status, body], [200, { status: 'success', message: 'Form updated' }]);
    const { name, description, uiSchema, schema, created, lastUpdated } = await formOf(id);
    assert.deepEqual([name, description, uiSchema, schema], ['b', 'new', { a: 1 }, { title: 'b' }]);
    assert.deepEqual([created, lastUpdated], [BEGIN, '2026-01-01T00:00:01.000Z']);
  });

  it('F5: updateForm accepts no field that the server owns, no operator and no prototype', async () => {
    const id = await create('a');
    const before = await formOf(id);
    const people = { createdBy: 'eve', lastUpdatedBy: 'eve' };
    const owned = { id: 'f'.repeat(24), _id: 1, created: 'x', version: '9', ...people };
    assert.equal((await update(id, owned)).status, 200);
    assert.deepEqual(await formOf(id), before);
    const operators = [{ $set: { name: 'x' } }, { $where: '1' }, { name: { $ne: null } }];
    const types = [{ name: ['x'] }, { description: 5 }, { schema: 'x' }, { struct: true }];
    for (const options of [...operators, ...types])
      assert.equal((await update(id, options)).body.code, 'invalid_request');
    const prototype = '{"options": {"__proto__": {"name": "x"}}}';
    const { body } = await api.call('put', `/forms/${id}`, prototype);
    assert.equal(body.errors[0]?.pointer, '/options/__proto__');
    assert.deepEqual(await formOf(id), before);
  });

  it('updateForm rejects unknown forms and duplicate names', async () => {
    await create('a');
    const id = await create('b');
    const unknown = await update('c', {});
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'form_not_found']);
    const taken = await update(id, { name: 'a' });
    assert.deepEqual([taken.status, taken.body.code], [409, 'form_name_taken']);
  });

  it('getFormHistory returns the previous revisions, newest first, up to the limit', async () => {
    const id = await create('a');
    for (const description of ['1', '2', '3', '4', '5']) await update(id, { description });
    const { list } = await api.call('get', '/forms/a/history');
    const revisions = list.map(({ revision, form }) => `${revision}: ${form.description}`);
    assert.deepEqual(revisions, ['5: 4', '4: 3', '3: 2']);
    assert.equal((await api.call('get', '/forms/b/history')).body.code, 'form_not_found');
  });

  it('deleteForms deletes by id and reports the number of deleted forms', async () => {
    const ids = [await create('a'), await create('b'), await create('c')];
    const { body } = await api.call('delete', '/forms', { ids: [ids[0], ids[1], 'none', 'c', '\0'] });
    assert.deepEqual(body, { status: 'success', n: 2, deleted: 2 });
    assert.equal((await api.call('get', '/forms')).list.length, 1);
    assert.equal((await api.call('delete', '/forms', { ids: 'all' })).status, 400);
  });

  it('writes an audit record for every change and for no read', async () => {
    const id = await create('a');
    await api.call('get', '/forms');
    await api.call('post', '/forms', { name: 'a' });
    await update(id, {});
    await api.call('delete', '/forms', { ids: [id] });
    assert.deepEqual(columns(api.records, 'operation', 'target', 'outcome'), [
      ['json-forms.createForm', '/json-forms/forms a', id],
      ['json-forms.createForm', '/json-forms/forms a', 'form_name_taken'],
      ['json-forms.updateForm', `/json-forms/forms/${id}`, id],
      ['json-forms.deleteForms', `/json-forms/forms ${id}`, '1'],
    ]);
    const [created, refused, updated] = api.records;
    assert.deepEqual([created?.before, refused?.before, refused?.after], ['', '', '']);
    assert.match(created?.after ?? '', /^digest of .*"name":"a"/);
    assert.equal(updated?.before, created?.after);
    assert.notEqual(updated?.after, '');
  });
});

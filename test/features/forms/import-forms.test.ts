import assert from 'node:assert/strict';
import { importForms } from '../../../src/features/forms/import-forms.js';
import { compileSchema } from '../../../src/json-schema/compile.js';
import { column } from '../../support/columns.js';
import { type FormsApi, openFormsApi } from '../../support/forms-api.js';
import { assertMembers } from '../../support/members.js';
import { operationCall } from '../../support/operation-call.js';

describe('importForms', () => {
  let api: FormsApi;

  beforeEach(async () => (api = await openFormsApi()));

  afterEach(() => api.close());

  const send = (forms: readonly unknown[], query = '') =>
    api.call('post', `/import/forms${query}`, { forms });
  const names = async (): Promise<readonly string[]> =>
    (await api.call('get', '/forms')).list.map(({ name }) => name);

  it('adds forms that getForms returned, with new ids, and reports each one', async () => {
    await api.call('post', '/forms', { name: 'a', schema: { title: 'A' } });
    const [exported] = (await api.call('get', '/forms')).list;
    const { status, body } = await send([exported, { ...exported, _id: 'old' }]);
    assert.equal(status, 200);
    assert.deepEqual([body.status, body.message], ['success', '2 forms imported successfully']);
    assertMembers(body.imported, [
      { success: true, original: { _id: exported!.id }, created: { name: 'a (1)' } },
      { success: true, original: { _id: 'old' }, created: { name: 'a (2)' } },
    ]);
    const id = body.imported[0]?.created?._id ?? '';
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.notEqual(id, exported!.id);
    assert.deepEqual((await api.call('get', `/forms/${id}`)).body.schema, { title: 'A' });
  });

  it('answers at the path of older clients', async () => {
    const { body } = await api.call('post', '/forms/import', { forms: [{ name: 'a' }] });
    assert.equal(body.message, '1 form imported successfully');
  });

  it('F5: adds nothing when one form is invalid and reports each fault with its pointer', async () => {
    const forms = [{ name: 'a' }, { nam: 'b' }, { name: 'c', schema: 'x' }];
    const { status, body } = await send(forms);
    assert.equal(status, 400);
    assert.deepEqual(column(body.errors, 'pointer'), ['/forms/1/nam', '/forms/1/name', '/forms/2/schema']);
    const detail = /^Nothing was imported: \/forms\/1\/nam is not known here.* \(and 2 more errors\)\.$/;
    assert.match(body.detail, detail);
    assert.deepEqual(await names(), []);
  });

  it('adds the valid forms with ?partial=true and reports the reason for each rejected form', async () => {
    const forms = [{ name: 'a' }, { nam: 'b' }, { name: 'a' }];
    const { status, body } = await send(forms, '?partial=true');
    assert.equal(status, 200);
    assert.deepEqual([body.status, body.message], ['success', '2 of 3 forms imported']);
    assertMembers(body.imported, [
      { success: true, created: { name: 'a' } },
      { success: false, created: null, message: /^\/forms\/1\/nam is not known here/ },
      { success: true, created: { name: 'a (1)' } },
    ]);
    assert.deepEqual(await names(), ['a', 'a (1)']);
  });

  it('refuses a value of partial that is neither true nor false, and imports nothing', async () => {
    for (const value of ['yes', 'TRUE', 'null']) {
      const { status, body } = await send([{ name: 'a' }], `?partial=${value}`);
      assert.deepEqual([status, body.errors[0]?.pointer], [400, '/query/partial'], value);
    }
    assert.deepEqual(await names(), []);
  });

  it('treats names that differ in case or normalization as different names', async () => {
    const forms = ['É', 'E\u0301', 'é', 'e\u0301', 'ﬁ', 'fi'].map((name) => ({ name }));
    await send(forms);
    assert.deepEqual(await names(), column(forms, 'name'));
  });

  it('accepts an empty list', async () => {
    const { body } = await send([]);
    assert.deepEqual(body, { status: 'success', message: '0 forms imported successfully', imported: [] });
  });

  it('yields to other requests while it checks many forms (bug: a body of a megabyte stopped the server for a second)', async () => {
    let [turns, isOver] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    const forms = Array.from({ length: 1_000 }, () => ({}));
    const deps = { compile: compileSchema } as unknown as Parameters<typeof importForms.handle>[1];
    const importing = Promise.resolve(importForms.handle(operationCall({ body: { forms } }), deps));
    setImmediate(count);
    await assert.rejects(importing, /and 999 more/);
    isOver = true;
    assert.ok(turns >= 90, String(turns));
  });

  it('adds nothing when the import exceeds the maximum number of forms', async () => {
    await api.close();
    api = await openFormsApi({ formLimits: () => ({ maxBytes: 1000, maxForms: 2, maxVersions: 0 }) });
    const forms = ['a', 'b', 'c'].map((name) => ({ name }));
    const { status, body } = await send(forms);
    assert.deepEqual([status, body.code], [409, 'too_many_forms']);
    assert.deepEqual(await names(), []);
  });
});

import assert from 'node:assert/strict';
import { form, formId, LIMITS } from '../../support/form.js';
import { type FormsApi, openFormsApi } from '../../support/forms-api.js';

describe('getForms with a query', () => {
  let api: FormsApi;

  beforeEach(async () => {
    api = await openFormsApi();
    const forms = Array.from({ length: 600 }, (_, at) =>
      form(at, { name: `é ${at}`, createdBy: at % 200 === 7 ? 'Ben' : 'ada', schema: { title: `t${at}` } }),
    );
    await api.store.import(forms, LIMITS);
  });

  afterEach(() => api.close());

  const found = async (query: Record<string, string>): Promise<readonly string[]> => {
    const { status, list } = await api.call('get', `/forms?${new URLSearchParams(query).toString()}`);
    assert.equal(status, 200);
    assert.ok(list.every(({ tags }) => tags?.length === 0));
    return list.map(({ name }) => name);
  };

  it('returns the forms after those to skip, at most the limit', async () => {
    assert.deepEqual(await found({ limit: '2' }), ['é 0', 'é 1']);
    assert.deepEqual(await found({ skip: '499', limit: '3' }), ['é 499', 'é 500', 'é 501']);
    assert.deepEqual(await found({ skip: '598' }), ['é 598', 'é 599']);
    assert.deepEqual(await found({ skip: '600' }), []);
    assert.equal((await found({ skip: '1', limit: '0' })).length, 599);
  });

  it('filters by the id and by the name', async () => {
    assert.deepEqual(await found({ equals: formId(501), equalsField: 'id' }), ['é 501']);
    assert.deepEqual(await found({ 'equals[name]': 'é 2' }), ['é 2']);
    assert.deepEqual(await found({ contains: 'É 59', containsField: 'name', skip: '1', limit: '2' }), ['é 590', 'é 591']); // prettier-ignore
    assert.deepEqual(await found({ contains: '9', containsField: 'name', 'startsWith[id]': '0', limit: '2' }), ['é 9', 'é 19']); // prettier-ignore
    assert.deepEqual(await found({ contains: 'none', containsField: 'name' }), []);
  });

  it('filters by fields that only the document has', async () => {
    assert.deepEqual(await found({ equals: 'Ben', equalsField: 'createdBy' }), ['é 7', 'é 207', 'é 407']);
    const second = { equals: 'Ben', equalsField: 'createdBy', skip: '1', limit: '1' };
    assert.deepEqual(await found(second), ['é 207']);
    assert.deepEqual(await found({ equals: 't599', equalsField: 'schema.title' }), ['é 599']);
    assert.deepEqual(await found({ equals: 't207', equalsField: 'schema.title', 'equals[createdBy]': 'Ben' }), ['é 207']); // prettier-ignore
    assert.deepEqual(await found({ equals: 'Ben', equalsField: 'createdBy.name' }), []);
    assert.deepEqual(await found({ equals: '1', equalsField: 'bytes' }), []);
  });

  it('reads no document to filter by the name', async () => {
    let read = 0;
    const { store } = api;
    await api.close();
    api = await openFormsApi({
      forms: {
        ...store,
        async *heads() {
          yield await Promise.resolve(['a', 'b'].map((name, at) => ({ id: formId(at), name, bytes: 1 })));
        },
        async *list(heads) {
          for await (const some of heads ?? []) {
            read += some.length;
            yield Buffer.from(some.map(({ name }) => JSON.stringify(form(1, { name }))).join('\n'));
          }
        },
      },
    });
    assert.deepEqual(await found({ equals: 'b', equalsField: 'name' }), ['b']);
    assert.equal(read, 1);
  });
});

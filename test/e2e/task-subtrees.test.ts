import assert from 'node:assert/strict';
import { SUBTREE } from '../../src/core/schema-subtrees.js';
import { valueAt } from '../../src/core/pointer.js';
import { callUrl } from '../support/call.js';
import { largeModule } from '../support/large-module.js';
import { type CallTasks, openTasksApi, type TaskBody, type TasksApi } from '../support/tasks-api.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const MODULE = largeModule({ areas: 20, parts: 10, leaves: 8 });
const DEVICE = '/properties/device-model:device';
const PART = `${DEVICE}/properties/area-20/properties/part-20-7`;
const DATA = { 'device-model:device': { 'area-9': { 'part-9-4': { 'value-9-4-1': 7 } } } };

interface Subtrees {
  readonly subtrees: readonly {
    readonly pointer: string;
    readonly schema: object;
    readonly uiSchema?: object;
  }[];
  readonly truncated: boolean;
}

describe('a task with a large schema', function () {
  this.timeout(60_000);
  let api: TasksApi;
  let call: CallTasks;
  let task: TaskBody;

  before(async () => {
    api = await openTasksApi(temporaryFolder().path);
    ({ call } = api);
    const body = { yangData: [MODULE], formData: DATA, roles: ['core'] };
    task = await api.open(body, 'RenderYangForm');
  });
  after(() => api.testServer.close());

  const subtreesAt = async (query: string): Promise<Subtrees> => {
    const { status, json, text } = await call('GET', `/tasks/${task.id}/subtrees?${query}`);
    assert.equal(status, 200, text);
    return json as Subtrees;
  };

  it('is returned as a whole unless the caller asks for a part', async () => {
    assert.ok(JSON.stringify(task.schema).length > 500_000);
    assert.deepEqual((await call('GET', `/tasks/${task.id}`)).body, task);
    assert.deepEqual((await call('GET', `/tasks/${task.id}?schema=whole`)).body, task);
    const { status, body } = await call('GET', `/tasks/${task.id}?schema=none`);
    assert.deepEqual([status, body.code], [400, 'invalid_request']);
  });

  it('is returned with the objects that have data, in every reply with a task', async () => {
    const partial = (await call('GET', `/tasks/${task.id}?schema=partial`)).body;
    const { schema, uiSchema, warnings } = partial;
    assert.deepEqual(partial, { ...task, schema, uiSchema, warnings, partial: true });
    assert.deepEqual(warnings, []);
    assert.ok(JSON.stringify({ schema, uiSchema }).length < 200_000);
    const filled = `${DEVICE}/properties/area-9/properties/part-9-4`;
    assert.deepEqual(valueAt(schema, `${filled}/properties/value-9-4-1`), valueAt(task.schema, `${filled}/properties/value-9-4-1`)); // prettier-ignore
    assert.equal(valueAt(schema, `${PART}/${SUBTREE}`) ?? valueAt(schema, `${DEVICE}/properties/area-20/${SUBTREE}`), true); // prettier-ignore
    const draft = { 'device-model:device': { 'area-20': { 'part-20-7': { 'value-20-7-1': 1 } } } };
    const saved = await call('PUT', `/tasks/${task.id}/draft?schema=partial`, { body: { formData: draft } });
    assert.ok(valueAt(saved.body.schema, `${PART}/properties/value-20-7-1`));
  });

  it('has subtrees, which a caller gets once', async () => {
    const { subtrees, truncated } = await subtreesAt(`pointer=${encodeURIComponent(PART)}`);
    assert.equal(truncated, false);
    assert.equal(subtrees[0]?.pointer, PART);
    assert.deepEqual(
      valueAt(subtrees[0].schema, '/properties/value-20-7-3'),
      valueAt(task.schema, `${PART}/properties/value-20-7-3`),
    );
    const url = `${api.testServer.url}/json-forms/tasks/${task.id}/subtrees?pointer=${encodeURIComponent(PART)}`;
    const token = api.testServer.issueTokenFor('ada', 'engineering');
    const { status, headers } = await callUrl(url, { method: 'GET', token });
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'private, no-cache');
    const again = await callUrl(url, {
      method: 'GET',
      token,
      headers: { 'if-none-match': String(headers['etag']) },
    });
    assert.deepEqual([again.status, again.text], [304, '']);
  });

  it('has subtrees that match a search', async () => {
    const { subtrees, truncated } = await subtreesAt('search=mtu-18-5');
    assert.ok(subtrees.some(({ pointer }) => pointer.endsWith('/part-18-5/properties/entry-18-5/items')));
    assert.equal(truncated, false);
    assert.equal((await subtreesAt('search=value')).truncated, true);
  });

  it('refuses other pointers, and people who may not read the task', async () => {
    for (const query of [
      '',
      'pointer=/properties',
      'pointer=/nothing',
      'pointer=/title',
      'pointer=%2F%24defs',
      'pointer=/a&search=b',
    ]) {
      const { status, body } = await call('GET', `/tasks/${task.id}/subtrees?${query}`);
      assert.deepEqual([status, body.code], [400, 'invalid_request'], query);
    }
    const bob = api.callAs('bob', 'engineering');
    const refused = await bob('GET', `/tasks/${task.id}/subtrees?search=mtu`);
    assert.deepEqual([refused.status, refused.body.code], [404, 'task_not_found']);
    const missing = await call('GET', '/tasks/0123456789abcdef01234567/subtrees?search=mtu');
    assert.deepEqual([missing.status, missing.body.code], [404, 'task_not_found']);
  });

  it('is not changed by a request whose query is invalid', async () => {
    const small = await api.open();
    const changes = [
      await call('PUT', `/tasks/${small.id}/draft?schema=none`, { body: { formData: { vlan: 13 } } }),
      await call('POST', `/tasks/${small.id}/outcome?schema=none`, {
        body: { outcome: 'rejected', reason: 'x' },
      }),
    ];
    for (const { status, body } of changes) assert.deepEqual([status, body.code], [400, 'invalid_request']);
    assert.deepEqual((await call('GET', `/tasks/${small.id}`)).body, small);
    const before = (await call('GET', '/tasks')).json as readonly unknown[];
    const opened = await call('POST', '/task/RenderJsonSchema?schema=none', { body: { jsonSchema: true } });
    assert.equal(opened.status, 400);
    assert.deepEqual((await call('GET', '/tasks')).json, before);
  });

  it('is returned as a whole when it is small or has bindings', async () => {
    const small = await api.open();
    assert.deepEqual((await call('GET', `/tasks/${small.id}?schema=partial`)).body, small);
    const { status } = await call('GET', `/tasks/${small.id}/subtrees?search=vlan`);
    assert.equal(status, 400);
  });
});

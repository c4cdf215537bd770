import assert from 'node:assert/strict';
import { SUBTREE } from '../../src/form-model/schema-subtrees.js';
import { valueAt } from '../../src/json/pointer.js';
import { largeModule } from '../support/large-module.js';
import { openTasksApi, type TaskBody, type TasksApi, VLAN } from '../support/tasks-api.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SITE = `module site {
  yang-version 1.1; namespace "urn:site"; prefix s;
  container site {
    list port { key number; leaf number { type uint16; } }
    leaf name { type string; }
  }
}`;
const OTHER = 'module other { namespace "urn:other"; prefix o; leaf word { type string; } }';

describe('the tasks of each view', () => {
  const { path: folder } = temporaryFolder();
  let api: TasksApi;

  before(async () => {
    api = await openTasksApi(folder);
  });
  after(() => api.testServer.close());

  describe('RenderJsonSchema', () => {
    it('opens a task with the submitted values', async () => {
      const sent = {
        jsonSchema: VLAN,
        uiSchema: { name: { 'ui:placeholder': 'a name' } },
        bindingSchema: { properties: { vlan: { 'binding:method': 'GET' } } },
        validationSchema: [],
        formData: { vlan: 5000 },
      };
      const opened = await api.call('POST', '/task/RenderJsonSchema', { body: sent });
      assert.equal(opened.headers['etag'], '"1"');
      const { id, created, ...rest } = opened.body;
      assert.match(id, /^[0-9a-f]{24}$/);
      assert.deepEqual(rest, {
        view: 'RenderJsonSchema',
        url: `/json-forms/task/RenderJsonSchema?task=${id}`,
        status: 'open',
        title: 'New VLAN',
        schema: VLAN,
        uiSchema: sent.uiSchema,
        bindingSchema: sent.bindingSchema,
        bindingGrant: null,
        validationSchema: [],
        formData: { vlan: 5000 },
        dialect: 'https://json-schema.org/draft/2020-12/schema',
        warnings: [],
        returnTo: null,
        messageOrigins: ['https://portal.example', 'self'],
        draft: null,
        due: null,
        overdue: false,
        outcome: null,
        revision: 1,
        createdBy: 'ada',
        createdByIssuer: 'gatehouse',
        createdByName: 'ada',
        lastUpdated: created,
        lastUpdatedBy: 'ada',
        lastUpdatedByIssuer: 'gatehouse',
        lastUpdatedByName: 'ada',
        assignee: null,
        roles: null,
        excludeRequester: false,
      });
      const read = await api.call('GET', `/tasks/${id}`);
      assert.deepEqual([read.body, read.headers['etag']], [opened.body, '"1"']);
    });

    it('fills in omitted values, and accepts a boolean schema', async () => {
      const { schema, title, formData, uiSchema } = await api.open({ jsonSchema: true, uiSchema: null });
      assert.deepEqual([schema, title, formData, uiSchema], [true, 'JSON Schema', {}, {}]);
      assert.equal((await api.open({ jsonSchema: {}, formData: null, title: 'Why?' })).formData, null);
    });

    it('accepts only a return origin that the configuration allows', async () => {
      const asked = await api.open({ jsonSchema: VLAN, returnTo: 'https://PORTAL.example' });
      assert.equal(asked.returnTo, 'https://portal.example');
      assert.deepEqual(asked.messageOrigins, ['https://portal.example']);
      for (const returnTo of ['https://portal.example:8443', '*']) {
        // prettier-ignore
        const refused = await api.call('POST', '/task/RenderJsonSchema', { body: { jsonSchema: VLAN, returnTo } });
        assert.deepEqual([refused.status, refused.body.errors[0]?.pointer], [400, '/returnTo'], returnTo);
      }
    });

    it('refuses a task that exceeds the size limit of forms', async () => {
      const formData = 'x'.repeat(1_048_400);
      const { status, body } = await api.call('POST', '/task/RenderJsonSchema', { body: { jsonSchema: true, formData } }); // prettier-ignore
      assert.deepEqual([status, body.code], [413, 'body_too_large']);
    });
  });

  describe('ShowJsonForm', () => {
    const FORM = { name: 'site', schema: VLAN, uiSchema: { 'ui:order': ['*'] } };
    let formId = '';

    before(async () => {
      const made = await api.callAsAdmin('POST', '/forms', { body: FORM });
      formId = (made.json as { doc: { id: string } }).doc.id;
    });

    it('shows a form by ID or name, in its state at the opening', async () => {
      const none = await api.call('POST', '/task/ShowJsonForm', { body: { form_id: 'none' } });
      assert.deepEqual([none.status, none.body.code], [404, 'form_not_found']);
      const instance_data = { name: 'core' };
      for (const form_id of ['site', formId]) {
        const { title, schema, uiSchema, formData, dialect } = await api.open({ form_id, instance_data }, 'ShowJsonForm'); // prettier-ignore
        assert.deepEqual([title, schema, uiSchema], ['site', VLAN, FORM.uiSchema]);
        assert.deepEqual(formData, instance_data);
        assert.equal(dialect, 'http://json-schema.org/draft-07/schema');
      }
      const { id } = await api.open({ form_id: 'site' }, 'ShowJsonForm');
      await api.callAsAdmin('PUT', '/forms/site', { body: { options: { schema: {} } } });
      assert.deepEqual((await api.call('GET', `/tasks/${id}`)).body.schema, VLAN);
      assert.equal(
        (await api.finish(id, { outcome: 'approved', formData: {} })).body.code,
        'form_data_invalid',
      );
      assert.equal((await api.finish(id, { outcome: 'approved', formData: { name: 'x' } })).status, 200);
    });
  });

  describe('RenderYangForm', () => {
    it('shows the only module, a module by name, or a node of a module', async () => {
      const only = await api.open({ yangData: [SITE] }, 'RenderYangForm');
      assert.equal(only.title, 'site');
      assert.deepEqual(Object.keys((only.schema as { properties: object }).properties), ['site:site']);
      const named = await api.open({ yangData: [SITE, OTHER], module: 'other' }, 'RenderYangForm');
      assert.deepEqual(Object.keys((named.schema as { properties: object }).properties), ['other:word']);
      const node = await api.open({ yangData: [SITE, OTHER], path: '/site:site' }, 'RenderYangForm');
      assert.equal(node.title, 'site');
    });

    it('names the available modules', async () => {
      for (const module of [undefined, 'third']) {
        const refused = await api.call('POST', '/task/RenderYangForm', { body: { yangData: [SITE, OTHER], module } }); // prettier-ignore
        assert.deepEqual([refused.status, refused.body.code], [400, 'invalid_request']);
        const message = 'must be one of these main modules: site, other';
        assert.deepEqual(refused.body.errors, [{ pointer: '/module', message }]);
      }
    });

    it('applies the rules of YANG to an approval', async () => {
      const { id } = await api.open({ yangData: [SITE] }, 'RenderYangForm');
      const ports = (...numbers: number[]) => ({ 'site:site': { port: numbers.map((number) => ({ number })) } }); // prettier-ignore
      const refused = await api.finish(id, { outcome: 'approved', formData: ports(1, 1) });
      assert.deepEqual([refused.status, refused.body.code], [422, 'form_data_invalid']);
      assert.equal(refused.body.errors[0]?.pointer, '/formData/site:site/port');
      assert.equal((await api.finish(id, { outcome: 'approved', formData: ports(1, 2) })).status, 200);
    });
  });
  describe('a large schema', () => {
    const DEVICE = '/properties/device-model:device';
    const PART = `${DEVICE}/properties/area-20/properties/part-20-7`;
    let task: TaskBody;
    before(async () => {
      const yangData = [largeModule({ areas: 20, parts: 10, leaves: 8 })];
      const formData = { 'device-model:device': { 'area-9': { 'part-9-4': { 'value-9-4-1': 7 } } } };
      task = await api.open({ yangData, formData, roles: ['core'] }, 'RenderYangForm');
    });
    const get = (query: string) => api.call('GET', `/tasks/${task.id}${query}`);

    it('is returned as a whole, or with the objects that have data, in every reply with a task', async () => {
      assert.ok(JSON.stringify(task.schema).length > 500_000);
      assert.deepEqual((await get('')).body, task);
      const partial = (await get('?schema=partial')).body;
      const { schema, uiSchema, warnings } = partial;
      assert.deepEqual(partial, { ...task, schema, uiSchema, warnings, partial: true });
      assert.deepEqual(warnings, []);
      assert.ok(JSON.stringify({ schema, uiSchema }).length < 200_000);
      const filled = `${DEVICE}/properties/area-9/properties/part-9-4/properties/value-9-4-1`;
      assert.deepEqual(valueAt(schema, filled), valueAt(task.schema, filled));
      const area = PART.slice(0, PART.lastIndexOf('/properties'));
      assert.equal(valueAt(schema, `${PART}/${SUBTREE}`) ?? valueAt(schema, `${area}/${SUBTREE}`), true);
      const draft = { 'device-model:device': { 'area-20': { 'part-20-7': { 'value-20-7-1': 1 } } } };
      const body = { formData: draft };
      const saved = await api.call('PUT', `/tasks/${task.id}/draft?schema=partial`, { body });
      assert.ok(valueAt(saved.body.schema, `${PART}/properties/value-20-7-1`));
    });

    it('has subtrees for people who may read the task', async () => {
      const { status, json, text } = await get(`/subtrees?pointer=${encodeURIComponent(PART)}`);
      assert.equal(status, 200, text);
      const { subtrees } = json as { readonly subtrees: readonly { readonly schema: object }[] };
      const value = '/properties/value-20-7-3';
      assert.deepEqual(valueAt(subtrees[0]?.schema, value), valueAt(task.schema, PART + value));
      assert.equal((await get('/subtrees?pointer=/properties')).body.code, 'invalid_request');
      const bob = api.callAs('bob', 'engineering');
      for (const id of [task.id, '0123456789abcdef01234567'])
        assert.equal((await bob('GET', `/tasks/${id}/subtrees?search=mtu`)).body.code, 'task_not_found');
    });
  });
});

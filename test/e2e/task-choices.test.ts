import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { type CallTasks, openTasksApi, type TasksApi } from '../support/tasks-api.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const INTERFACES = '/restconf/data/ietf-interfaces:interfaces';

/** A binding of a field to the names of the interfaces at this path. */
function bound(path: string, href = '/orchestrator_manager/restQuery/core1') {
  const variables = { params: { path, accept: 'application/yang-data+json' } };
  return {
    'binding:method': 'POST',
    'binding:hyperSchema': { links: [{ href, variables }] },
    'binding:source': { propertyPointer: '/ietf-interfaces:interfaces/interface', keyPointer: '/name' },
  };
}

const FORM = {
  schema: { properties: { uplink: { type: 'string' }, port: { type: 'string' }, other: {} } },
  bindingSchema: {
    properties: {
      uplink: bound(INTERFACES),
      port: bound(`${INTERFACES}/interface={/uplink}`),
      other: bound(INTERFACES, '/orchestrator_manager/restAction/core1'),
    },
  },
};

describe('D12: the choices of a bound field', () => {
  let api: TasksApi;
  let bob: CallTasks;

  before(async () => {
    api = await openTasksApi(temporaryFolder().path);
    bob = api.callAs('bob', 'engineering');
  });
  after(() => api.testServer.close());

  const saveForm = async (call: CallTasks, name: string, fields: object = FORM): Promise<void> => {
    const { status, text } = await call('POST', '/forms', { body: { name, ...fields } });
    assert.equal(status, 200, text);
  };
  const openForm = async (name: string): Promise<string> => {
    const { body, text } = await bob('POST', '/task/ShowJsonForm', { body: { form_id: name } });
    assert.ok(body.id, text);
    return body.id;
  };
  const choose = async (id: string, field: string, values: object = {}) => {
    const { status, body, text } = await bob('POST', `/tasks/${id}/choices`, { body: { field, values } });
    return { status, text, code: body.code, choices: (body as { choices?: unknown }).choices };
  };

  it('reach a person without the role for queries, under the grant of the author, with both names on record', async () => {
    await saveForm(api.callAsAdmin, 'granted');
    const id = await openForm('granted');
    const { status, choices, text } = await choose(id, '/uplink');
    assert.equal(status, 200, text);
    assert.ok(
      (choices as { value: string }[]).some(({ value }) => value === 'eth0'),
      text,
    );
    const { json } = await api.testServer.call('GET /audit?operation=tasks.getTaskChoices');
    assert.match(JSON.stringify(json), new RegExp(`bob.*200 core1 GET ${INTERFACES} as ada of gatehouse|200 core1 GET ${INTERFACES} as ada of gatehouse.*bob`)); // prettier-ignore
    const task = await bob('GET', `/tasks/${id}`);
    assert.doesNotMatch(JSON.stringify((task.body as { bindingGrant?: unknown }).bindingGrant), /roles/);
  });

  it('come from the bound query alone', async () => {
    await saveForm(api.callAsAdmin, 'exact');
    const id = await openForm('exact');
    const before = api.testServer.orchestrator.requests.length;
    for (const [field, values] of [
      ['/other', {}],
      ['/toString', {}],
      ['/port', { '/uplink': '..' }],
    ] as const)
      assert.deepEqual([field, (await choose(id, field, values)).code], [field, 'invalid_request']);
    assert.equal(api.testServer.orchestrator.requests.length, before);
    await choose(id, '/port', { '/uplink': 'eth0?x=1' });
    assert.equal(api.testServer.orchestrator.requests.at(-1)?.path, `${INTERFACES}/interface=eth0%3Fx%3D1`);
  });

  it('end when somebody without the role changes the queries', async () => {
    await saveForm(api.callAsAdmin, 'edited');
    const granted = await openForm('edited');
    appendFileSync(
      api.testServer.configPath,
      'roles: { json-forms.updateForm: [admin, engineering], json-forms.createForm: [admin, engineering] }\n',
    );
    assert.deepEqual(await api.testServer.running.reload(), []);
    const options = { ...FORM, bindingSchema: { properties: { uplink: bound('/restconf/data') } } };
    const change = (call: CallTasks, body: object) => call('PUT', '/forms/edited', { body });
    assert.equal((await change(bob, { options })).status, 200);
    const edited = await openForm('edited');
    assert.equal((await choose(edited, '/uplink')).code, 'binding_not_granted');
    // An admin who changes other fields does not grant the query that bob wrote.
    for (const fields of [{ description: 'x' }, { schema: { ...FORM.schema, title: 'x' } }]) {
      assert.equal((await change(api.callAsAdmin, { options: fields })).status, 200);
      assert.equal((await choose(await openForm('edited'), '/uplink')).code, 'binding_not_granted');
    }
    await change(api.callAsAdmin, { options: {}, grantBindings: true });
    assert.notEqual((await choose(await openForm('edited'), '/uplink')).code, 'binding_not_granted');
    assert.equal((await choose(granted, '/uplink')).status, 200);
  });

  it('do not come with the roles of whoever opens the task of another person without a grant', async () => {
    const { body } = await bob('POST', '/task/RenderJsonSchema', {
      body: { jsonSchema: FORM.schema, bindingSchema: FORM.bindingSchema },
    });
    assert.equal((await choose(body.id, '/uplink')).code, 'binding_not_granted');
    const admin = await api.callAsAdmin('POST', `/tasks/${body.id}/choices`, { body: { field: '/uplink' } });
    assert.deepEqual([admin.status, admin.body.code], [403, 'binding_not_granted']);
  });
});

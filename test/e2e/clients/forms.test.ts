import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type ClientCase, kinds, replay, senders } from './replay.js';

const { string, bool, object, int, literal, like, exactly, model, listOf, someOf, optional } = kinds;
const { ipctl, requests, ansible } = senders;

const id = like('^[0-9a-f]{24}$');
const time = like('^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$');

/** A form as `ipctl` and `Itential.py` decode it. */
const form = model({
  id,
  name: string,
  description: optional(string),
  struct: object,
  schema: object,
  uiSchema: object,
  bindingSchema: object,
  validationSchema: object,
  created: time,
  createdBy: string,
  lastUpdated: time,
  lastUpdatedBy: string,
  version: exactly('2020.1'),
});
const named = (name: string) => ({ allOf: [form, model({ name: exactly(name) })] });
/** Result of a missing form as Go decodes it: the client reports that the form does not exist. */
const noForm = exactly(null);

/** Returns a form of `ipctl`, in which the members of the server are empty. */
const newForm = (name: string) => ({
  id: '',
  name,
  description: 'd1',
  struct: { description: '', items: [], type: 'object' },
  schema: { description: 'd1', properties: {}, required: [], title: name, type: 'object' },
  uiSchema: {},
  bindingSchema: {},
  validationSchema: {},
  created: '',
  createdBy: '',
  lastUpdated: '',
  lastUpdatedBy: '',
  version: '',
});

/** Returns a form as read from another server, with its IDs, times, users and nulls. */
const foreign = (name: string) => ({
  ...newForm(name),
  id: '61a0f8e0b1c2d3e4f5061728',
  description: null,
  bindingSchema: { properties: { site: { 'binding:method': 'GET', 'binding:target': '/enum' } } },
  created: '2021-11-26T15:09:52.123Z',
  createdBy: 'admin@pronghorn',
  lastUpdated: '2021-11-26T15:09:52.123Z',
  lastUpdatedBy: 'admin@pronghorn',
  version: '2020.1',
});

/** Returns the same form as `Itential.py` sends it: without IDs and with nulls. */
const dumpOf = (name: string) => {
  const members = Object.entries(foreign(name)).filter(([key]) => key !== 'id');
  return { ...Object.fromEntries(members), uiSchema: null, validationSchema: null };
};

const report = model({ _id: id, name: string });
const imported = (name: string) =>
  model({
    status: exactly('success'),
    message: string,
    imported: someOf(
      model({ success: bool, message: string, original: object, created: { allOf: [report, model({ name: exactly(name) })] } }), // prettier-ignore
    ),
  });

const get = (path: string) => ({ method: 'GET' as const, path, headers: ipctl });
const cases: readonly ClientCase[] = [
  {
    name: 'ipctl create jsonform',
    request: { method: 'POST', path: '/json-forms/forms', headers: ipctl, body: newForm('t1') },
    shows: 'cookie',
    reply: model({ status: exactly('success'), n: exactly(1), doc: named('t1') }),
    keeps: { made: '/doc/id' },
  },
  {
    name: 'ipctl create jsonform with an existing name: status 200 with a failure in the body',
    request: { method: 'POST', path: '/json-forms/forms', headers: ipctl, body: newForm('t1') },
    shows: 'cookie',
    reply: model({ status: exactly('failure'), message: exactly('JSON form with this name already exists') }),
  },
  {
    name: 'ipctl get jsonforms: a list whose entries have tags',
    request: get('/json-forms/forms'),
    shows: 'cookie',
    reply: { allOf: [listOf(form), someOf(model({ tags: exactly([]) }))] },
  },
  {
    name: 'ipctl describe jsonform by name',
    request: get('/json-forms/forms/t1'),
    shows: 'cookie',
    reply: named('t1'),
  },
  {
    name: 'ipctl describe jsonform by ID',
    request: get('/json-forms/forms/{made}'),
    shows: 'cookie',
    reply: named('t1'),
  },
  {
    name: 'ipctl import jsonform: searches for the name first, and receives null',
    request: get('/json-forms/forms/t2'),
    shows: 'cookie',
    reply: noForm,
  },
  {
    name: '... imports it',
    request: {
      method: 'POST',
      path: '/json-forms/import/forms',
      headers: ipctl,
      body: { forms: [foreign('t2')] },
    },
    shows: 'cookie',
    reply: imported('t2'),
    keeps: { second: '/imported/0/created/_id' },
  },
  {
    name: '... and reads the imported form by the ID of the report',
    request: get('/json-forms/forms/{second}'),
    shows: 'cookie',
    reply: { allOf: [named('t2'), model({ description: exactly(null) })] },
  },
  {
    name: 'ipctl copy jsonform with an existing name: adds a number to the name',
    request: {
      method: 'POST',
      path: '/json-forms/import/forms',
      headers: ipctl,
      body: { forms: [{ ...foreign('t2'), id: '{second}' }] },
    },
    shows: 'cookie',
    reply: imported('t2 (1)'),
  },
  {
    name: 'ipctl delete jsonform: a DELETE with a body',
    request: { method: 'DELETE', path: '/json-forms/forms', headers: ipctl, body: { ids: ['{made}'] } },
    shows: 'cookie',
    reply: object,
  },
  {
    name: '... and receives null for the deleted form',
    request: get('/json-forms/forms/{made}'),
    shows: 'cookie',
    reply: noForm,
  },
  {
    name: 'Itential.py reads a form at a path with two slashes',
    request: { ...get('//json-forms/forms/{second}'), headers: { ...requests, ...ansible } },
    shows: 'cookie',
    reply: form,
  },
  {
    name: 'Itential.py searches with an unknown query parameter, and receives all forms',
    request: get('//json-forms/forms?contains=name&equals=name'),
    shows: 'cookie',
    reply: { ...someOf(form), minItems: 2 },
  },
  {
    name: 'Itential.py updates a part of a form, with its ID in the options',
    request: {
      method: 'PUT',
      path: '//json-forms/forms/{second}',
      headers: requests,
      body: { options: { _id: '{second}', description: 'changed' } },
    },
    shows: 'cookie',
    reply: model({ message: string }),
  },
  {
    name: '... and keeps the other members',
    request: get('/json-forms/forms/{second}'),
    reply: model({
      description: exactly('changed'),
      bindingSchema: model({ properties: model({ site: object }) }),
    }),
  },
  {
    name: 'Itential.py updates a complete form from its dump',
    request: {
      method: 'PUT',
      path: '//json-forms/forms/{second}',
      headers: requests,
      body: { options: dumpOf('t2') },
    },
    shows: 'cookie',
    reply: model({ message: string }),
  },
  {
    name: 'Itential.py uploads: first deletes unknown IDs of another server',
    request: {
      method: 'DELETE',
      path: '//json-forms/forms',
      headers: requests,
      body: { ids: ['61a0f8e0b1c2d3e4f5061728', 'no id at all'] },
    },
    shows: 'cookie',
    reply: model({ status: string, deleted: exactly(0) }),
  },
  {
    name: '... and imports at its own path',
    request: {
      method: 'POST',
      path: '//json-forms/forms/import',
      headers: requests,
      body: { forms: [{ ...dumpOf('t3'), _id: '61a0f8e0b1c2d3e4f5061728' }] },
    },
    shows: 'cookie',
    reply: imported('t3'),
    keeps: { third: '/imported/0/created/_id' },
  },
  {
    name: 'Itential.py deletes forms, and reads their number',
    request: { method: 'DELETE', path: '//json-forms/forms', headers: requests, body: { ids: ['{third}'] } },
    shows: 'cookie',
    reply: model({ status: exactly('success'), deleted: exactly(1), n: exactly(1) }),
  },
  {
    name: 'ipctl clear jsonforms without forms: sends null for its empty list',
    request: { method: 'DELETE', path: '/json-forms/forms', headers: senders.ipctl, body: { ids: null } },
    reply: model({ status: exactly('success'), deleted: exactly(0) }),
  },
  ...(
    [
      ['limit=1', 1],
      ['skip=1', 1],
      ['skip=1&limit=5', 1],
      ['skip=2', 0],
      ['contains%5Bname%5D=', 2],
      ['equals=no%20such%20form&equalsField=name', 0],
      ['startsWith%5Bname%5D=no%20such%20form&limit=1', 0],
    ] as const
  ).map(([query, count]) => ({
    name: `a page of the forms with ${query}`,
    request: get(`/json-forms/forms?${query}`),
    reply: { ...listOf(form), minItems: count, maxItems: count },
  })),
  {
    name: 'a playbook of itential.toolkit counts the forms with limit=0',
    request: { method: 'GET', path: '/json-forms/forms?include=_id&limit=0', headers: ansible },
    shows: 'query',
    reply: { type: 'array', minItems: 2, maxItems: 2 },
  },
  {
    name: 'the documented validation of data',
    request: {
      method: 'POST',
      path: '/json-forms/validate-data',
      headers: ipctl,
      body: { jsonSchema: { type: 'object', required: ['site'] }, formData: {} },
    },
    reply: model({ status: int, validation: model({ valid: exactly(false), errors: someOf(string) }), message: string }), // prettier-ignore
  },
  {
    name: 'the documented validation with an unknown form: status 200 with 404 in the body',
    request: {
      method: 'POST',
      path: '/json-forms/validate-form/nowhere',
      headers: ipctl,
      body: { formData: {} },
    },
    reply: model({ status: exactly(404), message: string }),
  },
  {
    name: 'the documented validation with a form',
    request: {
      method: 'POST',
      path: '/json-forms/validate-form/{second}',
      headers: ipctl,
      body: { formData: {} },
    },
    reply: model({ status: exactly(200), validation: model({ valid: exactly(true), errors: exactly([]) }) }),
  },
  {
    name: 'the conversion of YANG to JSON Schema',
    request: {
      method: 'POST',
      path: '/json-forms/yangToSchema',
      headers: ipctl,
      body: { yangData: ['module m { namespace "urn:m"; prefix m; leaf site { type string; } }'] },
    },
    reply: model({
      schemas: someOf(model({ module: literal('m'), schema: object, uiSchema: object, warnings: exactly([]) })), // prettier-ignore
    }),
  },
  {
    name: 'a client prints the fault of a form',
    request: { method: 'POST', path: '/json-forms/forms', headers: ipctl, body: { ...newForm('t4'), struct: 'none' } }, // prettier-ignore
    status: 400,
    type: 'application/problem+json',
    reply: model({ message: like('struct') }),
  },
];

describe('clients that manage forms', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => testServer.close());

  replay(() => testServer, cases);
});

import { type ClientCase, clientServer, ipctl, requests } from './replay.js';

const INTERFACES = '/restconf/data/ietf-interfaces:interfaces';
const YANG_JSON = 'application/yang-data+json';
const query = (path: string) => ({ params: { path, accept: YANG_JSON } });
/** Calls an action as the documentation of the platform describes it: `{}` means no body. */
const action = (params: object, body: object = {}) => ({
  params: { path: `${INTERFACES}/interface=eth1`, accept: YANG_JSON, contentType: YANG_JSON, ...params },
  body,
});
const eth = (more: object) => ({ 'ietf-interfaces:interface': [more] });

const CALLS: readonly ClientCase[] = [
  ...(['nso_manager', 'orchestrator_manager'] as const).flatMap((prefix): readonly ClientCase[] => [
    [
      `a workflow sends a query below /${prefix}`,
      ipctl(`POST /${prefix}/restQuery/core1`, query(INTERFACES)),
      { 'ietf-interfaces:interfaces': {} },
    ],
    [
      `a workflow sends an action below /${prefix}, with a lower-case method`,
      ipctl(
        `POST /${prefix}/restAction/core1`,
        action({ method: 'patch' }, eth({ name: 'eth1', description: prefix })),
      ),
      [{ result: '204' }],
    ],
  ]),
  [
    'a workflow deletes a missing resource: a success with the result 404',
    ipctl(
      'POST /nso_manager/restAction/core1',
      action({ method: 'DELETE', path: `${INTERFACES}/interface=none` }),
    ),
    [{ result: '404' }],
  ],
  [
    'restCall returns the parsed JSON of the target, with headers and status on request',
    ipctl('POST /tools/restCall', {
      uri: '{inventory}/devices/r1',
      verb: 'GET',
      user: 'ada',
      password: 'pw-6e1d-of-ada',
      responseHeaders: true,
    }),
    { response: { name: 'r1' }, headers: { 'content-type': /^application\/json/ }, statusCode: 200 },
  ],
];

const ID = /^[0-9a-f]{24}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Members of a form that `ipctl` and `Itential.py` decode, and that the API description does not require. */
const owned = {
  id: ID,
  created: TIME,
  createdBy: 'ada',
  lastUpdated: TIME,
  lastUpdatedBy: 'ada',
  version: '2020.1',
};

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
const FOREIGN_ID = '61a0f8e0b1c2d3e4f5061728';
/** Returns a form as read from another server, with its IDs, times, users and nulls. */
const foreign = (name: string) => ({
  ...newForm(name),
  id: FOREIGN_ID,
  description: null,
  bindingSchema: { properties: { site: { 'binding:method': 'GET', 'binding:target': '/enum' } } },
  created: '2021-11-26T15:09:52.123Z',
  createdBy: 'admin@pronghorn',
  version: '2020.1',
});
/** Returns the same form as `Itential.py` sends it: without IDs and with nulls. */
const dumpOf = (name: string) => ({
  ...foreign(name),
  id: undefined,
  uiSchema: null,
  validationSchema: null,
});
const imported = (name: string) => ({
  status: 'success',
  imported: [{ success: true, original: {}, created: { _id: ID, name } }],
});

const FORMS: readonly ClientCase[] = [
  [
    'ipctl create jsonform',
    ipctl('POST /json-forms/forms', newForm('t1')),
    { status: 'success', n: 1, doc: { ...owned, name: 't1' } },
  ],
  [
    'ipctl import jsonform',
    ipctl('POST /json-forms/import/forms', { forms: [foreign('t2')] }),
    imported('t2'),
    { keeps: { second: '/imported/0/created/_id' } },
  ],
  [
    'Itential.py searches with an unknown query parameter, and receives all forms',
    requests('GET //json-forms/forms?contains=name&equals=name'),
    [{ name: 't1' }, { name: 't2' }],
  ],
  [
    'Itential.py updates a part of a form, with its ID in the options',
    requests('PUT //json-forms/forms/{second}', { options: { _id: '{second}', description: 'changed' } }),
  ],
  [
    'Itential.py updates a complete form from its dump',
    requests('PUT //json-forms/forms/{second}', { options: dumpOf('t2') }),
  ],
  [
    'Itential.py uploads: first deletes unknown IDs of another server',
    requests('DELETE //json-forms/forms', { ids: [FOREIGN_ID, 'no id at all'] }),
    { deleted: 0 },
  ],
  [
    '... and imports at its own path',
    requests('POST //json-forms/forms/import', { forms: [{ ...dumpOf('t3'), _id: FOREIGN_ID }] }),
    imported('t3'),
  ],
  [
    'ipctl clear jsonforms without forms: sends null for its empty list',
    ipctl('DELETE /json-forms/forms', { ids: null }),
    { status: 'success', deleted: 0 },
  ],
];

describe('clients that call orchestrators and manage forms', () => {
  const { replay } = clientServer({}, ({ inventoryUrl }) => ({ inventory: inventoryUrl }));
  replay([...CALLS, ...FORMS]);
});

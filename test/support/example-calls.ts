/** A call whose body and reply are the example of an operation in the API description. */
export interface ExampleCall {
  /** `<application>.<id>` */
  readonly operation: string;
  /** Method and path. */
  readonly route: string;
  readonly body?: unknown;
  /** Name of a member of the reply, or of its first entry, that later paths and bodies contain as `{id}`. */
  readonly keeps?: string;
  /** Members of the reply that the example shortens; `''` is the reply itself. */
  readonly shortens?: readonly string[];
  /** The reply is the same in every run: the example must equal it. */
  readonly isExact?: boolean;
}

/** Addresses and secrets of the doubles. */
export interface ExampleWorld {
  readonly orchestratorUrl: string;
  readonly inventoryUrl: string;
  readonly password: string;
  readonly token: string;
  readonly logoutToken: string;
  /** Folder of the configuration. */
  readonly folder: string;
}

type Row = readonly [operation: string, route: string, body?: unknown, more?: Partial<ExampleCall>];

/** Returns the calls in their order: later calls use what earlier calls have created. */
export function exampleCalls(world: ExampleWorld): readonly ExampleCall[] {
  const rows = [
    ...NOTIFICATION_ROWS,
    ...callRows(world),
    ...formRows(),
    ...loginRows(world),
    ...adapterRows(world),
    ...applicationRows(),
    ...profileRows(),
    ...ruleRows('AccessRule', '/access/rules/noc-core1', {
      roles: ['noc'],
      adapters: ['core1'],
      operations: ['orchestrator-manager.restQuery'],
    }),
    ...ruleRows('LimitRule', '/limits/night-script', { callerNames: ['night-script'], requests: 100 }),
    ...READ_ROWS,
  ];
  return rows.map(([operation, route, body, more]) => ({
    operation,
    route,
    ...(body !== undefined && { body }),
    ...more,
  }));
}

/** A schema that the task page shows in part; from YANG, the designer also. */
const LARGE = {
  type: 'object',
  properties: {
    site: { type: 'object', title: 'Site', properties: { name: { type: 'string' } } },
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `device${at}`,
        { type: 'object', description: 'x'.repeat(10_000), properties: { name: { type: 'string' } } },
      ]),
    ),
  },
};

const INTERFACES = '/restconf/data/ietf-interfaces:interfaces';
const YANG_JSON = 'application/yang-data+json';
const INTERFACES_QUERY = { params: { path: INTERFACES, accept: YANG_JSON } };

function callRows({ inventoryUrl }: ExampleWorld): readonly Row[] {
  return [
    [
      'tools.restCall',
      'POST /tools/restCall',
      { uri: `${inventoryUrl}/devices/r1`, verb: 'GET', responseHeaders: false },
    ],
    ['orchestrator-manager.restQuery', 'POST /orchestrator_manager/restQuery/core1', INTERFACES_QUERY],
    [
      'orchestrator-manager.restAction',
      'POST /orchestrator_manager/restAction/core1',
      {
        params: { path: INTERFACES, accept: YANG_JSON, contentType: YANG_JSON, method: 'PATCH' },
        body: { 'ietf-interfaces:interfaces': { interface: [{ name: 'eth0', description: 'uplink' }] } },
      },
    ],
    [
      'adapters.getAdapterMethods',
      'GET /adapters/inventory/methods?equals=getDevice',
      undefined,
      { isExact: true },
    ],
    ['adapters.callAdapterMethod', 'POST /adapters/inventory/call/getDevice', { name: 'r1' }],
  ];
}

const SCHEMA = { type: 'object', required: ['vlan'], properties: { vlan: { type: 'integer', minimum: 1 } } };
const UPLINKS = {
  'binding:method': 'POST',
  'binding:hyperSchema': {
    links: [{ href: '/orchestrator_manager/restQuery/core1', variables: INTERFACES_QUERY }],
  },
  'binding:source': { propertyPointer: '/ietf-interfaces:interfaces/interface', keyPointer: '/name' },
};
const FORM = { name: 'New VLAN', description: 'Asks for a VLAN', schema: SCHEMA, uiSchema: {}, struct: {} };
const YANG =
  'module vlan { namespace "urn:example:vlan"; prefix v; leaf id { type uint16 { range "1..4094"; } } }';

function formRows(): readonly Row[] {
  return [
    ['json-forms.createForm', 'POST /json-forms/forms', FORM],
    [
      'tasks.showJsonForm',
      'POST /json-forms/task/ShowJsonForm',
      { form_id: 'New VLAN', instance_data: { vlan: 12 } },
      { keeps: 'id' },
    ],
    ['tasks.getTask', 'GET /json-forms/tasks/{id}'],
    ['tasks.saveTaskDraft', 'PUT /json-forms/tasks/{id}/draft', { formData: { vlan: 13 } }],
    [
      'tasks.finishTask',
      'POST /json-forms/tasks/{id}/outcome',
      { outcome: 'approved', formData: { vlan: 13 } },
    ],
    ['json-forms.getForms', 'GET /json-forms/forms'],
    ['json-forms.getFormById', 'GET /json-forms/forms/New%20VLAN', undefined, { keeps: 'id' }],
    [
      'json-forms.updateForm',
      'PUT /json-forms/forms/New%20VLAN',
      { options: { description: 'Asks for a new VLAN' } },
    ],
    ['json-forms.getFormHistory', 'GET /json-forms/forms/New%20VLAN/history'],
    [
      'json-forms.importForms',
      'POST /json-forms/import/forms',
      { forms: [{ name: 'Device', schema: { ...LARGE, 'x-yang': { kind: 'datastore' } } }] },
    ],
    ['json-forms.getFormSubtrees', 'GET /json-forms/forms/Device/subtrees?pointer=/properties/site'],
    [
      'json-forms.importForms',
      'POST /json-forms/import/forms',
      { forms: [{ name: 'New VLAN', schema: SCHEMA }] },
    ],
    [
      'json-forms.validateData',
      'POST /json-forms/validate-data',
      { jsonSchema: SCHEMA, formData: { vlan: 0 } },
    ],
    ['json-forms.validateForm', 'POST /json-forms/validate-form/New%20VLAN', { formData: { vlan: 12 } }],
    [
      'json-forms.decodeSchema',
      'POST /json-forms/decode',
      { jsonSchema: SCHEMA, bindingSchema: { properties: {} } },
    ],
    ['json-forms.yangToSchema', 'POST /json-forms/yangToSchema', { yangData: [YANG] }],
    [
      'tasks.renderYangForm',
      'POST /json-forms/task/RenderYangForm',
      { yangData: [YANG], formData: { 'vlan:id': 12 } },
    ],
    ['tasks.getTasks', 'GET /json-forms/tasks?limit=1'],
    ['json-forms.deleteForms', 'DELETE /json-forms/forms', { ids: ['{id}'] }, { isExact: true }],
    [
      'tasks.renderJsonSchema',
      'POST /json-forms/task/RenderJsonSchema',
      { jsonSchema: LARGE },
      { keeps: 'id' },
    ],
    ['tasks.getTaskSubtrees', 'GET /json-forms/tasks/{id}/subtrees?pointer=/properties/site'],
    [
      'tasks.renderJsonSchema',
      'POST /json-forms/task/RenderJsonSchema',
      { jsonSchema: SCHEMA, title: 'New VLAN', bindingSchema: { properties: { vlan: UPLINKS } } },
      { keeps: 'id' },
    ],
    ['tasks.getTaskChoices', 'POST /json-forms/tasks/{id}/choices', { field: '/vlan' }],
  ];
}

function loginRows({ password, token, logoutToken }: ExampleWorld): readonly Row[] {
  const grant = { grant_type: 'client_credentials', client_id: 'backup', client_secret: password };
  return [
    ['login.login', 'POST /login', { username: 'ada', password }],
    ['login.getToken', 'POST /oauth/token', grant],
    ['login.getLoginMethods', 'GET /login/methods'],
    ['login.whoami', 'GET /whoami', undefined, { shortens: ['methods'] }],
    ['login.getSignIn', 'GET /console/sign-in'],
    ['login.openSession', 'POST /console/session', { token }, { shortens: ['methods'] }],
    ['login.renewSession', 'POST /console/session/renew', { idleSeconds: 20 }],
    ['login.closeSession', 'DELETE /console/session'],
    ['login.backChannelLogout', 'POST /console/oidc/back-channel-logout', { logout_token: logoutToken }],
  ];
}

function adapterRows({ orchestratorUrl }: ExampleWorld): readonly Row[] {
  const auth = { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' };
  const settings = { baseUrl: orchestratorUrl, auth, tls: { caFile: '../orchestrator-ca.pem' } };
  const properties = { type: 'restconf', brokers: ['device'], groups: [], properties: settings };
  const lab = (name: string) => ({ name, model: 'restconf' });
  const brokers = ['device', 'inventory'];
  return [
    ['adapters.createAdapter', 'POST /adapters', { properties: { ...lab('lab1'), properties } }],
    [
      'adapters.importAdapter',
      'POST /adapters/import',
      { properties: { ...lab('lab2'), properties: { properties: { baseUrl: orchestratorUrl } } } },
    ],
    ['adapters.getAdapters', 'GET /adapters?limit=1'],
    ['adapters.getAdapter', 'GET /adapters/lab1'],
    ['adapters.exportAdapter', 'GET /adapters/lab1/export'],
    ['adapters.getBrokerMap', 'GET /adapters/brokers/mapping', undefined, { isExact: true }],
    ['adapters.updateAdapter', 'PUT /adapters/lab1', { properties: { properties: { brokers } } }],
    ['adapters.updateAdapterProperties', 'PUT /adapters/lab1/properties', { properties: settings }],
    [
      'adapters.updateAdapterLogging',
      'PUT /adapters/lab1/loglevel',
      { properties: { transport: 'file', level: 'debug', seconds: 600 } },
    ],
    ['adapters.getAdapterChangelogs', 'GET /adapters/lab1/changelogs', undefined, { isExact: true }],
    [
      'adapters.testAdapterConnection',
      'POST /adapters/connection-test',
      { properties: { ...lab('lab3'), properties } },
    ],
    ['adapters.testSavedAdapterConnection', 'POST /adapters/lab1/connection-test'],
    ...historyRows('adapters', {
      noun: 'Adapter',
      path: '/adapters/lab1',
      shortens: [],
      change: { properties: { brokers } },
    }),
    [
      'adapters.suspendAdapter',
      'PUT /adapters/lab1/suspend',
      { mode: 'pause', seconds: 3600, comment: 'maintenance' },
    ],
    ['adapters.cancelScheduledSuspension', 'DELETE /adapters/lab1/suspend'],
    ['adapters.startAdapter', 'PUT /adapters/lab1/start'],
    ['adapters.restartAdapter', 'PUT /adapters/lab1/restart'],
    ['adapters.deleteAdapterCache', 'DELETE /adapters/lab1/cache'],
    ['adapters.stopAdapter', 'PUT /adapters/lab1/stop'],
    ['adapters.deleteAdapter', 'DELETE /adapters/lab1'],
  ];
}

function applicationRows(): readonly Row[] {
  return [
    ['applications.getApplications', 'GET /applications?limit=1'],
    ['applications.getApplication', 'GET /applications/JsonForms'],
    [
      'applications.updateApplication',
      'PUT /applications/JsonForms',
      { properties: { loggerProps: { console_level: 'info' } } },
    ],
    [
      'applications.updateApplicationProperties',
      'PUT /applications/JsonForms/properties',
      { properties: {} },
    ],
    [
      'applications.updateApplicationLogging',
      'PUT /applications/JsonForms/loglevel',
      { properties: { level: 'info' } },
    ],
    [
      'applications.getApplicationChangelogs',
      'GET /applications/JsonForms/changelogs?release=1.0.0',
      undefined,
      { isExact: true },
    ],
    ['applications.startApplication', 'PUT /applications/JsonForms/start'],
    ['applications.restartApplication', 'PUT /applications/JsonForms/restart'],
    ['applications.stopApplication', 'PUT /applications/JsonForms/stop'],
  ];
}

interface HistoryCalls {
  readonly noun: string;
  readonly path: string;
  readonly change: object;
  readonly shortens: readonly string[];
}

/** Returns the calls of the operations on the history of a record. */
function historyRows(application: string, { noun, path, change, shortens }: HistoryCalls): readonly Row[] {
  const update: Row = [
    `${application}.update${noun}`,
    `PUT ${path}`,
    { properties: change, confirmWithin: 10, comment: 'lab test' },
    { shortens },
  ];
  return [
    update,
    [`${application}.confirm${noun}Change`, `POST ${path}/confirm`],
    update,
    [`${application}.cancel${noun}Change`, `POST ${path}/cancel`],
    [
      `${application}.get${noun}History`,
      `GET ${path}/history?skip=1&limit=1`,
      undefined,
      { keeps: 'revision' },
    ],
    [`${application}.get${noun}Version`, `GET ${path}/history/{revision}`, undefined, { shortens }],
    [
      `${application}.rollback${noun}`,
      `POST ${path}/rollback`,
      { revision: '{revision}', comment: 'back to the version of the test' },
      { shortens },
    ],
    [`${application}.getRemoved${noun}s`, `GET /${application}/history/removed?limit=1`],
  ];
}

function ruleRows(noun: string, path: string, properties: object): readonly Row[] {
  const application = noun === 'AccessRule' ? 'access-rules' : 'limits';
  const name = (id: string): string => `${application}.${id}`;
  const folder = path.slice(0, path.lastIndexOf('/'));
  return [
    [name(`preview${noun}`), `POST ${path}/preview`, { properties }],
    [name(`put${noun}`), `PUT ${path}`, { properties, comment: 'CHG-7' }],
    [name(`get${noun}s`), `GET ${folder}?limit=1`],
    [name(`get${noun}`), `GET ${path}`],
    [name(`get${noun}History`), `GET ${path}/history?limit=1`, undefined, { keeps: 'revision' }],
    [name(`get${noun}Version`), `GET ${path}/history/{revision}`],
    [name(`delete${noun}`), `DELETE ${path}`],
    [name(`getRemoved${noun}s`), `GET ${folder}/history/removed?limit=1`],
    [name(`rollback${noun}`), `POST ${path}/rollback`, { revision: '{revision}', comment: 'needed again' }],
  ];
}

function profileRows(): readonly Row[] {
  const properties = { id: 'night', description: 'Only the core at night', services: ['core1'] };
  return [
    ['profiles.createProfile', 'POST /profiles', { properties }, { shortens: ['data'] }],
    [
      'profiles.importProfile',
      'POST /profiles/import',
      { properties: { ...properties, id: 'day' } },
      { shortens: ['data'] },
    ],
    ['profiles.getProfiles', 'GET /profiles?limit=1', undefined, { shortens: ['profile'] }],
    ['profiles.getProfile', 'GET /profiles/night', undefined, { shortens: ['profile'] }],
    ['profiles.exportProfile', 'GET /profiles/night/export', undefined, { shortens: [''] }],
    [
      'profiles.updateProfile',
      'PUT /profiles/night',
      { properties: { description: 'Only core1 at night' } },
      { shortens: ['data'] },
    ],
    ...historyRows('profiles', {
      ...{ noun: 'Profile', path: '/profiles/night', shortens: ['document', 'data'] },
      change: { description: 'Only core1 at night' },
    }),
    ['console.getProfileImpact', 'GET /console/profiles/night/impact'],
    ['profiles.switchActiveProfile', 'PUT /profiles/night/active'],
    ['profiles.deleteProfile', 'DELETE /profiles/day'],
  ];
}

const MUTE = { kind: 'tag', name: 'site:zurich', minutes: 120, reason: 'Power works in Zurich' };
const ACKNOWLEDGEMENT = '/notifications/problems/{problem}/acknowledgement';

const READ_ROWS: readonly Row[] = [
  ['health.getHealthStatus', 'GET /health/status'],
  ['health.getAdaptersHealth', 'GET /health/adapters?limit=1'],
  ['health.getAdapterHealth', 'GET /health/adapters/core1'],
  ['health.getApplicationsHealth', 'GET /health/applications?limit=1'],
  ['health.getApplicationHealth', 'GET /health/applications/JsonForms'],
  ['health.getServerHealth', 'GET /health/server', undefined, { shortens: ['versions', 'dependencies'] }],
  ['health.getSystemHealth', 'GET /health/system'],
  [
    'schema.getAdapterSchema',
    'GET /schema/adapters/core1',
    undefined,
    { shortens: ['schema', 'decorators'], isExact: true },
  ],
  ['schema.getApplicationSchema', 'GET /schema/applications/JsonForms', undefined, { isExact: true }],
  [
    'schema.getProfileSchema',
    'GET /schema/profiles',
    undefined,
    { shortens: ['schema', 'decorators'], isExact: true },
  ],
  ['schema.getAdapterModelTypes', 'GET /adapter-models/types', undefined, { isExact: true }],
  ['schema.getAdapterTemplates', 'GET /adapter-templates', undefined, { shortens: ['templates'] }],
  ['platform.getReadiness', 'GET /readyz'],
  ['platform.getLiveness', 'GET /livez'],
  ['platform.refreshSecrets', 'POST /admin/vault/refresh'],
  ['audit.getAudit', 'GET /audit?limit=1'],
  ['audit.getVerification', 'GET /audit/verification'],
  ['audit.startVerification', 'POST /audit/verification'],
  [
    'access.getAccessDecision',
    'GET /access/decision?roles=engineering&operation=restQuery&adapter=core1&path=/restconf/data',
    undefined,
    { isExact: true },
  ],
  ['access.getOperationAccess', 'GET /access/operations?limit=1&equals=orchestrator-manager.restQuery'],
  ['access.getAdapterAccess', 'GET /access/adapters?limit=1&equals=core1'],
  ['documentation.getOpenApi', 'GET /help/openapi', undefined, { shortens: ['info', 'paths', 'components'] }],
  ['documentation.getConfigSchema', 'GET /schemas/adapter.schema.json', undefined, { shortens: [''] }],
  ['console.getOverview', 'GET /console/overview'],
  ['console.getTraffic', 'GET /console/traffic'],
  ['console.getCalls', 'GET /console/calls?limit=1'],
  ['console.getAdapterImpact', 'GET /console/adapters/impact?adapters=core1'],
  ['console.getRequest', 'GET /console/requests/4b4c5d1a'],
  ['console.getLogLines', 'GET /console/log?limit=1'],
  ['console.getLimits', 'GET /console/limits'],
  ['console.getSecrets', 'GET /console/secrets'],
  ['console.testSecret', 'POST /console/secrets/test', { reference: '$VAULT_adapters/core1#password' }],
  ['console.getVaultPaths', 'GET /console/vault/paths?adapter=new1'],
  ['console.testAdapter', 'POST /console/adapters/core1/test'],
  ['deprecations.getDeprecations', 'GET /deprecations'],
];

/** First of all: later calls change the adapter that has a problem. */
const NOTIFICATION_ROWS: readonly Row[] = [
  ['notifications.createMute', 'POST /notifications/mutes', MUTE, { keeps: 'id' }],
  [
    'notifications.acknowledgeProblem',
    `PUT ${ACKNOWLEDGEMENT}`,
    { note: 'The line to Zurich is being repaired' },
  ],
  ['notifications.getNotifications', 'GET /notifications'],
  ['notifications.deleteMute', 'DELETE /notifications/mutes/{id}'],
  ['notifications.withdrawAcknowledgement', `DELETE ${ACKNOWLEDGEMENT}`],
  ['notifications.testNotificationReceiver', 'POST /notifications/receivers/noc/test'],
];

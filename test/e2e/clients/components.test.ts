import { ansible, type ClientCase, clientServer, ipctl, ipsdk, requests } from './replay.js';

/** Query that `iap-sdk` sends with every GET of a list. */
const QUERY_OPTIONS = { queryOptions: { sort: 'package_id', limit: 50 } };

const HEALTH: readonly ClientCase[] = [
  [
    'itential-mcp finds exactly one adapter by name',
    ipsdk('GET /health/adapters?equals=core1&equalsField=id'),
    { total: 1 },
  ],
  [
    'iap-sdk lists the adapters with a GET that has a body',
    requests('GET /health/adapters', QUERY_OPTIONS),
    { total: 3 },
  ],
  [
    'itential.toolkit searches for gateways without a field name',
    ansible('GET /health/adapters?contains=gateway'),
    { results: [{ id: 'Local Gateway' }], total: 1 },
  ],
  [
    'a client prints the fault of its query',
    ipctl('GET /health/adapters?limit=many'),
    { message: /limit/, errors: [{ pointer: '/query/limit' }] },
    { status: 400 },
  ],
];

const stateOf = (state: string): ClientCase => [
  `... and reads the state ${state}`,
  ipsdk('GET /health/applications?equals=JsonForms&equalsField=id'),
  { results: [{ id: 'JsonForms', state }], total: 1 },
];
const jsonForms = {
  name: 'JsonForms',
  type: 'Application',
  model: '@itential/json-forms',
  properties: {},
  isEncrypted: true,
  loggerProps: { console_level: 'info' },
};

const APPLICATIONS: readonly ClientCase[] = [
  ['itential-mcp stop_application', ipsdk('PUT /applications/JsonForms/stop')],
  stateOf('STOPPED'),
  [
    'a client that calls the stopped application receives application_stopped',
    ipctl('GET /json-forms/forms'),
    { code: 'application_stopped' },
    { status: 503 },
  ],
  ['itential-mcp start_application', ipsdk('PUT /applications/JsonForms/start')],
  stateOf('RUNNING'),
  [
    'itential.platform sets the log level of an application',
    ansible('PUT /applications/JsonForms/loglevel', { properties: { transport: 'console', level: 'debug' } }),
  ],
  [
    'a client sends an application back unchanged',
    ipctl('PUT /applications/JsonForms', { properties: jsonForms }),
    { data: { name: 'JsonForms', loggerProps: { console_level: 'info' } } },
  ],
  [
    'a client sends settings, which no application has',
    ipctl('PUT /applications/JsonForms/properties', { properties: { a: 1 } }),
    {},
    { status: 400 },
  ],
  ['the release notes below /application', ipctl('GET /application/JsonForms/changelogs')],
];

/** Members that `ipctl` decodes individually. */
const UI = [
  ...['description', 'layout', 'home', 'login', 'profile', 'user_config', 'group_config'],
  ...['new_user', 'edit_user', 'new_group', 'fav_icon', 'apple_touch_icon'],
];
const TEXT = /^/;
const ANY = {};
/** Members of a complete profile that `ipctl` decodes, and that the API description does not require. */
const profile = {
  _id: /^[0-9a-f]{24}$/,
  applicationProps: { directory: TEXT },
  uiProps: Object.fromEntries(UI.map((name) => [name, TEXT])),
  ...Object.fromEntries(
    [
      ...['authenticationProps', 'expressProps', 'loggerProps', 'auditProps', 'pathProps', 'taskWorkerProps'],
      ...['redisProps', 'systemProps', 'integrationProps', 'prebuiltProps', 'retryStrategy'],
      ...['adapterStrategy', 'adapterProps'],
    ].map((name) => [name, ANY]),
  ),
};

const TEST_PROFILE = { properties: { id: 'test', description: '' } };
/** The complete struct as Go writes it: zero numbers, empty strings, and only non-empty maps. */
const IMPORTED = {
  properties: {
    id: 'imported',
    description: '',
    launchDelay: 0,
    launchTimeout: 0,
    applicationProps: { directory: '' },
    uiProps: Object.fromEntries(UI.map((name) => [name, ''])),
    alarmProps: [
      { ip: '127.0.0.1', community: 'public', type: 'trap', properties: { retries: 1, version: 'V1' } },
    ],
    redisProps: { host: 'localhost', port: 6379, db: 0 },
    services: ['core1', 'WorkFlowEngine'],
  },
};
const PROFILES: readonly ClientCase[] = [
  [
    'ipctl create profile',
    ipctl('POST /profiles', TEST_PROFILE),
    { status: 'Created', message: 'Successfully created test.', data: profile },
  ],
  [
    '... and imports it',
    ipctl('POST /profiles/import', IMPORTED),
    { status: 'Created', data: { ...profile, launchDelay: 0, launchTimeout: 0 } },
  ],
  [
    'ipctl load profiles with an existing name: skips the file, because the body ends in already exists!"',
    ipctl('POST /profiles/import', IMPORTED),
    'imported already exists!',
    { status: 409, type: 'application/json' },
  ],
  ['ipctl load profile: activates it with a PUT without a body', ipctl('PUT /profiles/imported/active')],
];

describe('clients that operate a server', () => {
  const adapter = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\n';
  const { replay } = clientServer({
    adapters: {
      'Local Gateway': `${adapter}enabled: false\n`,
      keyless: `${adapter}auth: { type: bearer, token: $VAULT_none#x }\n`,
    },
  });
  describe('and read the health', () => {
    replay(HEALTH);
  });
  describe('and manage applications', () => {
    replay(APPLICATIONS);
  });
  describe('and manage profiles', () => {
    replay(PROFILES);
  });
});

import assert from 'node:assert/strict';
import { rawExchange, statusesIn } from '../../support/raw-http.js';
import { ansible, type ClientCase, clientServer, ipctl, ipsdk } from './replay.js';

const settings = {
  baseUrl: '{orchestrator}',
  auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
  tls: { caFile: '../orchestrator-ca.pem' },
};

/** Returns a complete record as Go writes it: members without a value are null or empty. */
const record = (name: string, settingsAndMore: object, members: object = {}) => ({
  properties: {
    name,
    type: 'Adapter',
    model: 'restconf',
    properties: { id: name, type: '', brokers: null, groups: null, ...settingsAndMore },
    isEncrypted: false,
    loggerProps: null,
    virtual: false,
    ...members,
  },
});
const nso2 = record('nso2', { properties: null });
const newAdapter = (name: string, model: string, properties: object) => ({
  properties: { name, model, properties: { properties } },
});

/** A record exported by another server, with the metadata that the platform stores with it. */
const exported = record(
  'nso3',
  { properties: settings, type: 'NSO', brokers: ['device', 'service'], groups: [] },
  {
    isEncrypted: true,
    loggerProps: {
      description: 'Logging',
      log_max_files: 10,
      log_level: 'info',
      log_timezone_offset: 0,
      console_level: 'warn',
      syslog: { level: 'warning', host: '127.0.0.1', port: 514, protocol: 'udp4', facility: 'local0' },
    },
  },
);

const TAKEN = [`nso2 already exists!`, { status: 409, type: 'application/json' }] as const;
/** Returns the case of the health record that `itential-mcp` waits for. */
const health = (name: string, state: string): ClientCase => [
  `... and reads the state ${state}`,
  ipsdk(`GET /health/adapters?equals=${name}&equalsField=id`),
  { total: 1, results: [{ id: name, state, type: 'Adapter' }] },
];

const CREATION: readonly ClientCase[] = [
  ['ipctl create adapter: name and model, with null for all other members', ipctl('POST /adapters', nso2)],
  ['ipctl create adapter with an existing name: prints the body', ipctl('POST /adapters', nso2), ...TAKEN],
  ['ipctl load adapters skips the file of an existing name', ipctl('POST /adapters/import', nso2), ...TAKEN],
  [
    'an existing name is a problem document for a client that accepts other media types',
    ipctl('POST /adapters/import', nso2, { accept: '*/*' }),
    { message: 'nso2 already exists!', code: 'name_taken' },
    { status: 409 },
  ],
  [
    'ipctl copy adapter: reads a model whose text after the first "-" is a listed type',
    ipctl('GET /adapters/nso2'),
    { data: { name: 'nso2', model: '@gatehouse/adapter-restconf' } },
  ],
  [
    '... looks for the type at the destination',
    ipctl('GET /adapter-models/types'),
    { aliases: { http: 'http-rest' } },
  ],
  [
    '... and creates the adapter with an alias as the model',
    ipctl('POST /adapters', newAdapter('copied', 'http', { baseUrl: 'http://127.0.0.1:9' })),
    { data: { model: '@gatehouse/adapter-http-rest', properties: { type: 'http-rest' } } },
  ],
  [
    'an adapter with the settings of the platform is refused with the guide for moving',
    ipctl('POST /adapters', newAdapter('moved', 'http-rest', { host: '10.0.0.1', authentication: {} })),
    { message: /host, authentication.*import-properties.*move-from-the-platform\.md/ },
    { status: 400 },
  ],
  ['builder-skills replaces the settings', ipsdk('PUT /adapters/nso2/properties', { properties: settings })],
  [
    'ipctl edit adapter: sends the complete adapter with changes',
    ipctl(
      'PUT /adapters/nso2',
      record('nso2', { properties: settings, type: 'NSO', brokers: ['device'] }, { loggerProps: {} }),
    ),
    { data: { name: 'nso2' } },
  ],
  ['ipctl restart adapter: a PUT with a JSON content type and no body', ipctl('PUT /adapters/nso2/restart')],
  ['ipctl import adapter', ipctl('POST /adapters/import', exported), { data: { name: 'nso3' } }],
  [
    'ipctl export adapter: reads back the type, the brokers and the logging settings',
    ipctl('GET /adapters/nso3'),
    {
      data: {
        properties: { type: 'NSO', brokers: ['device', 'service'] },
        loggerProps: { log_max_files: 10, log_level: 'info' },
      },
    },
  ],
  [
    'the mapping of brokers to adapters',
    ipctl('GET /adapters/brokers/mapping'),
    { device: ['nso2', 'nso3'], service: ['nso3'] },
  ],
];

const OPERATION: readonly ClientCase[] = [
  [
    'itential.platform set_adapter_log_level',
    ansible('PUT /adapters/nso3/loglevel', { properties: { transport: 'syslog', level: 'debug' } }),
  ],
  ['itential-mcp stop_adapter', ipsdk('PUT /adapters/nso3/stop')],
  health('nso3', 'STOPPED'),
  ['itential-mcp start_adapter', ipsdk('PUT /adapters/nso3/start')],
  health('nso3', 'RUNNING'),
  [
    'ipctl delete adapter',
    ipctl('DELETE /adapters/nso3'),
    { status: 'OK', message: 'Successfully deleted nso3.' },
  ],
];

describe('clients that manage adapters', () => {
  const { server, replay } = clientServer({}, ({ orchestrator }) => ({ orchestrator: orchestrator.url }));
  replay([...CREATION, ...OPERATION]);

  // No other client library allows a test to send it.
  it('ipctl sends every GET with a JSON content type and an empty body', async () => {
    const { host, port } = new URL(server().url);
    const head = ['GET /adapters HTTP/1.1', `Host: ${host}`, `Cookie: token=${server().issueToken('admin')}`];
    const rest = ['Content-Type: application/json', 'Content-Length: 0', 'Connection: close', '', ''];
    const received = await rawExchange(Number(port), [...head, ...rest].join('\r\n'));
    assert.deepEqual(statusesIn(received), [200]);
  });
});

import assert from 'node:assert/strict';
import { rawExchange, statusesIn } from '../../support/raw-http.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type ClientCase, kinds, replay, senders } from './replay.js';

const { string, bool, object, int, literal, like, exactly, model, listOf, someOf } = kinds;

/** Schema of an adapter as Go decodes it: texts and lists are always present. */
const adapter = model({
  name: string,
  type: literal('Adapter'),
  model: string,
  properties: model({
    id: string,
    type: string,
    brokers: listOf(string),
    groups: { type: 'array' },
    properties: object,
  }),
  isEncrypted: bool,
  loggerProps: object,
  virtual: bool,
});
const named = (name: string) => ({ allOf: [adapter, model({ name: exactly(name) })] });
const entry = (name: string) => model({ metadata: model({ isActive: bool, activeSync: bool }), data: named(name) }); // prettier-ignore
const created = (name: string) => model({ status: literal('OK', 'Created'), message: string, data: named(name) }); // prettier-ignore
const done = model({ status: literal('OK'), message: string });
const refused = { type: 'application/problem+json', reply: model({ message: string }) } as const;
/** Headers of a client that accepts every media type, and of one that knows problem documents. */
const anyType = { ...senders.ipctl, accept: '*/*' };
const problemReader = { ...senders.ipctl, accept: 'application/json, application/problem+json' };

const settings = {
  baseUrl: '{orchestrator}',
  auth: { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' },
  tls: { caFile: '../orchestrator-ca.pem' },
};

/** Returns a complete record as Go writes it: members without a value are null or empty. */
const record = (name: string, properties: object | null) => ({
  name,
  type: 'Adapter',
  model: 'restconf',
  properties: { id: name, type: '', brokers: null, groups: null, properties },
  isEncrypted: false,
  loggerProps: null,
  virtual: false,
});

/** A record exported by another server, with the metadata that the platform stores with it. */
const exported = {
  ...record('nso3', settings),
  properties: { id: 'nso3', type: 'NSO', brokers: ['device', 'service'], groups: [], properties: settings },
  isEncrypted: true,
  loggerProps: {
    description: 'Logging',
    log_max_files: 10,
    log_max_file_size: 10_485_760,
    log_level: 'info',
    log_directory: '/opt/itential/logs',
    log_filename: 'nso3.log',
    log_timezone_offset: 0,
    console_level: 'warn',
    syslog: { level: 'warning', host: '127.0.0.1', port: 514, protocol: 'udp4', facility: 'local0' },
  },
};

const { ipctl, ipctlEmpty, ipsdk, ansible, requests } = senders;
const put = (path: string) => ({ method: 'PUT' as const, path, headers: ipctlEmpty });
const get = (path: string) => ({ method: 'GET' as const, path, headers: ipctl });
const send = (method: 'POST' | 'PUT', path: string, properties: object) => ({ method, path, headers: ipctl, body: { properties } }); // prettier-ignore

/** Returns the case of the health record that `itential-mcp` waits for. */
const health = (name: string, state: string): Pick<ClientCase, 'request' | 'shows' | 'reply'> => ({
  request: { method: 'GET', path: `/health/adapters?equals=${name}&equalsField=id`, headers: ipsdk },
  shows: 'cookie',
  reply: model({
    total: exactly(1),
    results: someOf(model({ id: exactly(name), state: exactly(state), type: exactly('Adapter') })),
  }),
});

const cases: readonly ClientCase[] = [
  {
    name: 'ipctl create adapter: name and model, with null for all other members',
    request: send('POST', '/adapters', record('nso2', null)),
    shows: 'cookie',
    reply: created('nso2'),
  },
  {
    name: 'ipctl create adapter with an existing name: prints the body unchanged',
    request: send('POST', '/adapters', record('nso2', null)),
    shows: 'cookie',
    status: 409,
    reply: exactly('nso2 already exists!'),
  },
  {
    name: 'ipctl load adapters with an existing name: skips the file, because the body ends in already exists!"',
    request: send('POST', '/adapters/import', record('nso2', null)),
    shows: 'cookie',
    status: 409,
    reply: exactly('nso2 already exists!'),
  },
  ...[anyType, problemReader].map((headers) => ({
    name: `an existing name is a problem document for a client that accepts ${headers.accept}`,
    request: { ...send('POST', '/adapters/import', record('nso2', null)), headers },
    status: 409,
    ...refused,
    reply: model({ message: exactly('nso2 already exists!'), code: exactly('name_taken') }),
  })),
  {
    name: 'ipctl copy adapter: reads a model whose text after the first "-" is a listed type',
    request: get('/adapters/nso2'),
    shows: 'cookie',
    reply: model({ data: model({ model: exactly('@gatehouse/adapter-restconf') }) }),
  },
  {
    name: '... looks for the type of http-rest at the destination',
    request: get('/adapter-models/types'),
    reply: model({ adapterModels: { type: 'array', contains: exactly('http') }, aliases: model({ http: exactly('http-rest') }) }), // prettier-ignore
  },
  ...['@gatehouse/adapter-http-rest', 'http'].flatMap((otherName) => [
    {
      name: `... and creates the adapter with the model ${otherName}`,
      request: send('POST', '/adapters', { name: 'copied', model: otherName, properties: { properties: { baseUrl: 'http://127.0.0.1:9' } } }), // prettier-ignore
      reply: model({ data: model({ model: exactly('@gatehouse/adapter-http-rest'), properties: model({ type: exactly('http-rest') }) }) }), // prettier-ignore
    },
    {
      name: '... and deletes the copy',
      request: { method: 'DELETE' as const, path: '/adapters/copied', headers: ipctl },
      reply: done,
    },
  ]),
  {
    name: 'an adapter with the settings of the platform is refused with the guide for moving',
    request: send('POST', '/adapters', { name: 'moved', model: 'http-rest', properties: { properties: { host: '10.0.0.1', authentication: {} } } }), // prettier-ignore
    status: 400,
    ...refused,
    reply: model({ message: like('host, authentication.*import-properties.*move-from-the-platform\\.md') }),
  },
  {
    name: 'ipctl describe adapter',
    request: get('/adapters/nso2'),
    shows: 'cookie',
    reply: entry('nso2'),
  },
  {
    name: 'ipctl get adapters',
    request: get('/adapters'),
    shows: 'cookie',
    reply: model({ results: { ...listOf(model({ data: adapter })), minItems: 2 }, total: exactly(2) }),
  },
  {
    name: 'builder-skills replaces the settings',
    request: { method: 'PUT', path: '/adapters/nso2/properties', headers: ipsdk, body: { properties: settings } }, // prettier-ignore
    shows: 'cookie',
    reply: done,
  },
  {
    name: 'ipctl edit adapter: sends the complete adapter with changes',
    request: send('PUT', '/adapters/nso2', {
      ...record('nso2', settings),
      properties: { id: 'nso2', type: 'NSO', brokers: ['device'], groups: [], properties: settings },
      isEncrypted: true,
      loggerProps: {},
    }),
    shows: 'cookie',
    reply: created('nso2'),
  },
  ...['stop', 'start', 'restart'].map((verb) => ({
    name: `ipctl ${verb} adapter: a PUT with a JSON content type and no body`,
    request: put(`/adapters/nso2/${verb}`),
    shows: 'cookie' as const,
    reply: done,
  })),
  {
    name: 'ipctl copy adapter: searches for the model, ignoring case',
    request: get('/adapter-models/types'),
    shows: 'cookie',
    reply: model({ adapterModels: { ...listOf(string), contains: exactly('restconf') }, total: int }),
  },
  {
    name: 'ipctl import adapter: searches all adapters for the name',
    request: get('/adapters'),
    shows: 'cookie',
    reply: model({ results: { ...listOf(model({ data: adapter })), not: { contains: model({ data: named('nso3') }) } } }), // prettier-ignore
  },
  {
    name: 'ipctl import adapter',
    request: send('POST', '/adapters/import', exported),
    shows: 'cookie',
    reply: created('nso3'),
  },
  {
    name: 'ipctl export adapter: reads the data for its file',
    request: get('/adapters/nso3'),
    shows: 'cookie',
    reply: entry('nso3'),
  },
  {
    name: 'the documented export: returns only the adapter',
    request: get('/adapters/nso3/export'),
    reply: { allOf: [named('nso3'), { type: 'object', properties: { data: false } }] },
  },
  {
    name: 'a client reads back the type and the logging settings of an import',
    request: get('/adapters/nso3'),
    reply: model({
      data: model({
        properties: model({ type: exactly('NSO'), brokers: exactly(['device', 'service']) }),
        loggerProps: model({ log_max_files: exactly(10), log_level: exactly('info') }),
      }),
    }),
  },
  {
    name: 'iap-sdk lists the adapters with a GET that has a body',
    request: {
      method: 'GET',
      path: '/adapters',
      headers: requests,
      body: { queryOptions: { sort: 'package_id', limit: 50 } },
    },
    shows: 'cookie',
    reply: model({ results: listOf(model({ data: adapter })), total: exactly(3) }),
  },
  {
    name: 'the documented list query',
    request: get('/adapters?contains=nso&containsField=name&skip=1&limit=1&sort=name&order=-1&skipActiveSync=true'), // prettier-ignore
    reply: model({ results: { ...someOf(entry('nso2')), maxItems: 1 }, total: exactly(2) }),
  },
  {
    name: 'the mapping of brokers to adapters',
    request: get('/adapters/brokers/mapping'),
    reply: exactly({ device: ['nso2', 'nso3'], service: ['nso3'] }),
  },
  ...['file', 'console', 'syslog'].map((transport) => ({
    name: `itential.platform set_adapter_log_level: ${transport}`,
    request: {
      method: 'PUT' as const,
      path: '/adapters/nso3/loglevel',
      headers: ansible,
      body: { properties: { transport, level: 'debug' } },
    },
    shows: 'query' as const,
    reply: done,
  })),
  {
    name: '... and reads the new levels',
    request: get('/adapters/nso3'),
    reply: model({ data: model({ loggerProps: model({ log_level: exactly('debug'), console_level: exactly('debug') }) }) }), // prettier-ignore
  },
  {
    name: 'itential.platform restart_adapters: no body, and the token in the query',
    request: { method: 'PUT', path: '/adapters/nso3/restart', headers: ansible },
    shows: 'query',
    reply: done,
  },
  { name: 'itential-mcp stop_adapter: reads the state RUNNING', ...health('nso3', 'RUNNING') },
  {
    name: '... stops it',
    request: { method: 'PUT', path: '/adapters/nso3/stop', headers: ipsdk },
    shows: 'cookie',
    reply: object,
  },
  { name: '... and reads the state STOPPED', ...health('nso3', 'STOPPED') },
  {
    name: '... and who stopped it',
    request: get('/health/adapters/nso3'),
    reply: model({ reason: like('^stopped by ada at \\d{4}-') }),
  },
  {
    name: 'itential-mcp start_adapter: starts it',
    request: { method: 'PUT', path: '/adapters/nso3/start', headers: ipsdk },
    shows: 'cookie',
    reply: object,
  },
  { name: '... and reads the state RUNNING', ...health('nso3', 'RUNNING') },
  {
    name: 'ipctl create profile that lists another adapter',
    request: send('POST', '/profiles', { id: 'night', services: ['core1'] }),
    reply: object,
  },
  {
    name: '... activates it',
    request: put('/profiles/night/active'),
    reply: done,
  },
  {
    name: '... and reads that the profile leaves the adapter out',
    request: get('/health/adapters/nso3'),
    reply: model({ state: exactly('STOPPED'), reason: exactly('the active profile "night" leaves it out') }),
  },
  {
    name: '... lists the adapters again',
    request: send('PUT', '/profiles/night', { services: [] }),
    reply: object,
  },
  { name: '... and reads the state RUNNING', ...health('nso3', 'RUNNING') },
  {
    name: 'itential-mcp start_adapter for an unknown adapter: receives 404',
    request: { method: 'PUT', path: '/adapters/nso9/start', headers: ipsdk },
    shows: 'cookie',
    status: 404,
    ...refused,
  },
  {
    name: 'the release notes of one release',
    request: get('/adapters/nso3/changelogs?release=1.0.0'),
    reply: model({ results: someOf(model({ version: exactly('1.0.0'), changes: someOf(string) })), total: exactly(1) }), // prettier-ignore
  },
  {
    name: 'the release of the plugin in the health of the adapter',
    request: get('/health/adapters/nso3'),
    reply: model({ version: exactly('1.1.0') }),
  },
  {
    name: 'the schema of an adapter, with the pointers of its secrets',
    request: get('/schema/adapters/nso3'),
    reply: model({ schema: object, decorators: listOf(model({ type: exactly('encryption'), pointer: like('^/') })) }), // prettier-ignore
  },
  {
    name: 'ipctl delete adapter',
    request: { method: 'DELETE', path: '/adapters/nso3', headers: ipctl },
    shows: 'cookie',
    reply: model({ status: exactly('OK'), message: exactly('Successfully deleted nso3.') }),
  },
  {
    name: 'ipctl delete adapter for an unknown adapter',
    request: { method: 'DELETE', path: '/adapters/nso3', headers: ipctl },
    shows: 'cookie',
    status: 404,
    ...refused,
  },
];

describe('clients that manage adapters', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => testServer.close());

  replay(
    () => testServer,
    cases,
    () => ({ orchestrator: testServer.orchestrator.url }),
  );

  // No other client library allows a test to send it.
  it('ipctl sends every GET with a JSON content type and an empty body', async () => {
    const { host, port } = new URL(testServer.url);
    const head = [
      'GET /adapters HTTP/1.1',
      `Host: ${host}`,
      `Cookie: token=${testServer.issueToken('admin')}`,
    ];
    const rest = ['Content-Type: application/json', 'Content-Length: 0', 'Connection: close', '', ''];
    const received = await rawExchange(Number(port), [...head, ...rest].join('\r\n'));
    assert.deepEqual(statusesIn(received), [200]);
  });
});

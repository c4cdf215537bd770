import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../../src/core/schema.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../../support/test-server.js';
import { type ClientCase, kinds, replay } from './replay.js';

const { string, int, int32, float, texts, literal, exactly, model, listOf, optional } = kinds;

const memory = ['rss', 'heapTotal', 'heapUsed', 'external', 'arrayBuffers'] as const;
const memoryOf = (kind: JsonSchema) => model(Object.fromEntries(memory.map((name) => [name, kind])));

/** Models of `ipctl`, which decodes into Go structs: integers stay integers, and memory sizes have 32 bits. */
const ipctl = {
  component: model({
    id: string,
    package_id: string,
    version: string,
    type: string,
    description: string,
    routePrefix: string,
    state: string,
    connection: optional(model({ state: string })),
    uptime: float,
    memoryUsage: memoryOf(int32),
    cpuUsage: model({ user: int, system: int }),
    pid: int,
    logger: model({ console: string, file: string, syslog: string }),
    timestamp: int,
    prevUptime: float,
  }),
  server: model({
    version: string,
    release: string,
    arch: string,
    platform: string,
    versions: texts,
    memoryUsage: memoryOf(int32),
    cpuUsage: model({ user: int, system: int }),
    uptime: float,
    pid: int,
    dependencies: texts,
  }),
  system: model({
    arch: string,
    release: string,
    uptime: float,
    freemem: int,
    totalmem: int,
    loadavg: listOf(float),
    cpus: listOf(
      model({
        model: string,
        speed: int,
        times: model({ user: int, nice: int, sys: int, idle: int, irq: int }),
      }),
    ),
  }),
};

const STATES = literal('RUNNING', 'STOPPED', 'DEAD', 'DELETED');
const NODE_VERSIONS = [
  ...[
    'node',
    'acorn',
    'ada',
    'ares',
    'brotli',
    'cjs_module_lexer',
    'cldr',
    'icu',
    'llhttp',
    'modules',
    'napi',
  ],
  ...['nghttp2', 'openssl', 'simdutf', 'tz', 'undici', 'unicode', 'uv', 'uvwasi', 'v8', 'zlib'],
];

/**
 * Models of `itential-mcp`, which validates with pydantic: enumerations are literals, and the members of an
 * application are required.
 */
const mcp = {
  adapter: model({
    id: string,
    package_id: optional(string),
    version: string,
    type: literal('Adapter'),
    description: optional(string),
    routePrefix: optional(string),
    state: STATES,
    connection: optional(model({ state: string })),
    uptime: float,
    memoryUsage: optional(memoryOf(int)),
    cpuUsage: optional(model({ user: int, system: int })),
    pid: optional({ type: ['integer', 'string'] }),
    logger: optional(texts),
    timestamp: optional(int),
    prevUptime: optional(float),
  }),
  application: model({
    id: string,
    package_id: string,
    version: string,
    type: literal('Application'),
    description: string,
    routePrefix: string,
    state: STATES,
    connection: optional({ type: 'object' }),
    uptime: float,
    memoryUsage: memoryOf(int),
    cpuUsage: model({ user: int, system: int }),
    pid: int,
    logger: texts,
    timestamp: int,
    prevUptime: float,
  }),
  server: model({ versions: model(Object.fromEntries(NODE_VERSIONS.map((name) => [name, string]))) }),
};

const page = (item: JsonSchema, total: JsonSchema) => model({ results: listOf(item), total });
const none: JsonSchema = { type: 'object', required: ['results'], properties: { results: { maxItems: 0, type: 'array' } } }; // prettier-ignore

/** Query that `iap-sdk` sends with every GET of a list. */
const QUERY_OPTIONS = { queryOptions: { sort: 'package_id', limit: 50 } };
/** ipctl sends the content type of JSON with an empty body. */
const EMPTY_JSON = { 'content-type': 'application/json' };

const get = (path: string, more: Partial<ClientCase['request']> = {}) => ({
  method: 'GET' as const,
  path,
  ...more,
});

const CASES: readonly ClientCase[] = [
  {
    name: 'ipctl lists the adapters',
    request: get('/health/adapters', { headers: EMPTY_JSON }),
    reply: page(ipctl.component, int),
  },
  {
    name: 'ipctl lists the applications',
    request: get('/health/applications', { headers: EMPTY_JSON }),
    reply: page(ipctl.component, int),
  },
  {
    name: 'ipctl reads the health of the server',
    request: get('/health/server', { headers: EMPTY_JSON }),
    reply: ipctl.server,
  },
  {
    name: 'ipctl reads the health of the system',
    request: get('/health/system', { headers: EMPTY_JSON }),
    reply: ipctl.system,
  },
  {
    name: 'itential-mcp finds exactly one adapter by name',
    request: get('/health/adapters?equals=core1&equalsField=id'),
    reply: page(mcp.adapter, exactly(1)),
  },
  {
    name: 'itential-mcp finds no adapter with an unknown name',
    request: get('/health/adapters?equals=core&equalsField=id'),
    reply: page({ not: {} }, exactly(0)),
  },
  {
    name: 'itential-mcp finds exactly one application by name',
    request: get('/health/applications?equals=JsonForms&equalsField=id'),
    reply: page(mcp.application, exactly(1)),
  },
  {
    name: 'itential-mcp lists the adapters',
    request: get('/health/adapters'),
    reply: page(mcp.adapter, exactly(3)),
  },
  {
    name: 'itential-mcp lists the applications',
    request: get('/health/applications'),
    reply: page(mcp.application, exactly(3)),
  },
  {
    name: 'itential-mcp tests the connection with limit=1',
    request: get('/health/adapters?limit=1'),
    reply: page(mcp.adapter, exactly(3)),
  },
  {
    name: 'itential-mcp requires every component version of Node.js',
    request: get('/health/server'),
    reply: mcp.server,
  },
  {
    name: 'iap-sdk lists the adapters with a GET that has a body',
    request: get('/health/adapters', { body: QUERY_OPTIONS }),
    reply: page(ipctl.component, exactly(3)),
  },
  {
    name: 'iap-sdk lists the applications with a GET that has a body',
    request: get('/health/applications', { body: QUERY_OPTIONS }),
    reply: page(ipctl.component, exactly(3)),
  },
  {
    name: 'iap-sdk reads the health of one adapter',
    request: get('/health/adapters/core1'),
    reply: model({ id: exactly('core1'), state: exactly('RUNNING') }),
  },
  {
    name: 'itential.toolkit searches for gateways without a field name',
    request: get('/health/adapters?contains=gateway'),
    shows: 'query',
    reply: page(model({ id: exactly('Local Gateway') }), exactly(1)),
  },
  {
    name: 'itential.toolkit requests only the total',
    request: get('/health/adapters?include=_id&limit=0'),
    shows: 'query',
    reply: { allOf: [model({ total: exactly(3) }), none] },
  },
  {
    name: 'a GitHub action reads a number from the release',
    request: get('/health/server'),
    reply: model({ release: { type: 'string', pattern: '^20\\d\\d\\.\\d+\\.\\d+$' } }),
  },
  {
    name: 'the old status path returns the same members as the new path',
    request: get('/status'),
    reply: model({ host: string, serverId: string, timestamp: int, apps: string, adapters: string }),
  },
  { name: 'the version is plain text', request: get('/version'), type: 'text/plain', reply: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' } }, // prettier-ignore
  {
    name: 'ipctl lists the adapter types',
    request: get('/adapter-models/types', { headers: EMPTY_JSON }),
    reply: model({ adapterModels: listOf(string), total: exactly(6) }),
  },
  {
    name: 'a client prints the fault of its query',
    request: get('/health/adapters?limit=many'),
    status: 400,
    type: 'application/problem+json',
    reply: model({ message: { type: 'string', pattern: 'limit' }, errors: listOf(model({ pointer: exactly('/query/limit') })) }), // prettier-ignore
  },
];

describe('clients that read the health', () => {
  let testServer: TestServer;

  before(async () => {
    testServer = await startTestServer({
      folder: temporaryFolder().path,
      arrange: (folder) => {
        const write = (name: string, text: string) => {
          writeFileSync(join(folder, 'adapters', `${name}.yaml`), text);
        };
        write('Local Gateway', 'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\nenabled: false\n');
        write('keyless', 'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\nauth: { type: bearer, token: $VAULT_none#x }\n'); // prettier-ignore
      },
    });
  });

  after(() => testServer.close());

  replay(
    () => testServer,
    CASES.map((one) => ({ shows: 'cookie', ...one })),
  );
});

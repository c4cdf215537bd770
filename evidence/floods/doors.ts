import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chunkedFrame } from '../../plugins/netconf/framing.js';
import { CATALOGUE_ADAPTER } from '../../test/support/catalogue-adapter.js';
import { createNetconfDouble } from '../../test/support/netconf-double.js';
import { openCostlyUpstream } from '../costly-replies.js';
import { ask, countStatuses, type Reply, wrongStatuses } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import { callUri } from './rest-calls.js';
import type { Target, TargetOptions } from './target.js';

// Siblings of F2: large replies through every operation that passes replies of orchestrators on, at a time.

const CALLS_PER_DOOR = 12;
const REPLY_BYTES = 10 * 1_048_576;
/** Fewest bytes that a call gets if its reply is passed on, of which MCP passes on the beginning. An error has fewer. */
const LEAST_BYTES = 65_536;
const PATIENCE_MS = 240_000;
/** An event stream does not end: its client leaves. */
const STREAM_MS = 15_000;
const EVENTS = 2000;
const EVENT_BYTES = 16_384;

const NETCONF = 'urn:ietf:params:xml:ns:netconf:base:1.0';
const MODULE =
  'module d { namespace "urn:d"; prefix d; container c { leaf s { type string; } } notification e { leaf s { type string; } } }';

/** Opens an orchestrator whose replies are rows, or text of control characters: as JSON these are six times as large. */
async function openOrchestrator(): Promise<number> {
  const row = '{"name":"GigabitEthernet0/0/1","mtu":1500,"enabled":true},';
  const rows = Buffer.from(`[${row.repeat(REPLY_BYTES / row.length)}{}]`);
  const text = Buffer.alloc(REPLY_BYTES, 1);
  const server = createServer((request, response) => {
    request.resume();
    const isText = request.url?.startsWith('/text') === true;
    const body = request.url === '/login' ? Buffer.from('{"token":"t-4711"}') : isText ? text : rows;
    const type = isText ? 'text/plain' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Opens a device with large replies, and 32 MB of notifications for each subscription. */
async function openDevice(): Promise<string> {
  const content = 'a'.repeat(REPLY_BYTES);
  const event = chunkedFrame(
    `<notification xmlns="urn:ietf:params:xml:ns:netconf:notification:1.0"><eventTime>2026-01-31T12:00:00Z</eventTime><e xmlns="urn:d"><s>${'b'.repeat(EVENT_BYTES)}</s></e></notification>`,
  );
  const { port, fingerprint } = await createNetconfDouble({
    capabilities: [
      'urn:ietf:params:netconf:base:1.1',
      'urn:ietf:params:netconf:capability:notification:1.0',
      'urn:d?module=d',
    ],
    schemas: { d: MODULE },
    onOperation({ name }, session, messageId) {
      if (name !== 'create-subscription') {
        const data = `<data><c xmlns="urn:d"><s>${content}</s></c></data>`;
        session.write(
          chunkedFrame(`<rpc-reply xmlns="${NETCONF}" message-id="${messageId}">${data}</rpc-reply>`),
        );
        return undefined;
      }
      session.reply(messageId, '<ok/>');
      for (let sent = 0; sent < EVENTS; sent += 1) session.write(event);
      return undefined;
    },
  });
  const ssh = `{ username: gatehouse, password: a-password, hostKeys: ['${fingerprint}'] }`;
  return `options: { host: 127.0.0.1, port: ${port}, ssh: ${ssh} }`;
}

async function prepare(): Promise<Omit<TargetOptions, 'isLifted'>> {
  const port = await openOrchestrator();
  const properties = {
    ...{ host: '127.0.0.1', port, protocol: 'http', base_path: '/api', version: 'v1' },
    authentication: { auth_method: 'request_token', username: 'gatehouse', password: 'pw-4711-of-it' },
    healthcheck: { type: 'none' },
    request: { number_retries: 0, attempt_timeout: 60_000 },
  };
  const options = JSON.stringify({ folder: CATALOGUE_ADAPTER, properties });
  const baseUrl = `baseUrl: http://127.0.0.1:${port}`;
  return {
    sections: 'mcp: { enabled: true }',
    adapters: {
      large: `plugin: http-rest\n${baseUrl}\n${PATIENT}`,
      other: `plugin: http-rest\n${baseUrl}\n${PATIENT}`,
      inventory: `plugin: itential-adapter\n${baseUrl}\noptions: ${options}\n`,
      device: `plugin: netconf\nbaseUrl: https://127.0.0.1\n${await openDevice()}\n`,
    },
  };
}

/** All replies are in memory at the same time, also on a slow machine. */
const PATIENT = `timeouts: { totalMs: ${PATIENCE_MS / 2} }\n`;

type Ask = (target: Target) => Promise<Reply>;

function post(path: string, body: object, headers?: Readonly<Record<string, string>>): Ask {
  return (target) =>
    ask(target, {
      ...{ method: 'POST', path, token: target.adminToken, body, patienceMs: PATIENCE_MS },
      ...(headers && { headers }),
    });
}

function get(path: string, patienceMs: number): Ask {
  return (target) => ask(target, { method: 'GET', path, token: target.adminToken, patienceMs });
}

const TEXT = { params: { path: '/text', accept: 'application/json' } };
const ROWS = { params: { path: '/rows', accept: 'application/json' } };
const CHANGE = { params: { ...TEXT.params, method: 'POST', responseBody: true }, body: { a: 1 } };
const TOOL = { name: 'restQuery', arguments: { adapterId: 'large', ...TEXT } };

/** Operations that pass replies of orchestrators on. */
const DOORS: Readonly<Record<string, Ask>> = {
  restQuery: post('/orchestrator_manager/restQuery/large', TEXT),
  'restQuery of rows': post('/orchestrator_manager/restQuery/large', ROWS),
  restAction: post('/orchestrator_manager/restAction/large', CHANGE),
  MCP: post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: TOOL },
    { accept: 'application/json, text/event-stream' },
  ),
  methods: post('/adapters/inventory/call/getDevice', { name: 'r1' }),
  'restQuery of a community adapter': post('/orchestrator_manager/restQuery/inventory', ROWS),
  'restQuery by NETCONF': post('/orchestrator_manager/restQuery/device', {
    params: { path: '/restconf/data/d:c', accept: 'application/json' },
  }),
  proxy: get('/proxy/large/text', PATIENCE_MS),
  'event stream': get('/proxy/device/streams/NETCONF', STREAM_MS),
};

/** Statuses of calls whose reply was passed on or refused; 0 without a reply, which only a client that leaves may have. */
const ANSWERS: ReadonlySet<number> = new Set([200, 429, 502, 503, 504]);

async function callAllDoors(target: Target, options: FloodOptions): Promise<Run> {
  const count = partOf(CALLS_PER_DOOR, options);
  const { urls, close } = await openCostlyUpstream();
  const doors = {
    ...DOORS,
    restCall: (to: Target) => callUri(to, urls['control characters'] ?? '', PATIENCE_MS),
  };
  const closed: string[] = [];
  for (const [door, call] of Object.entries(doors)) {
    const { status, bytes } = await call(target);
    const isStream = door === 'event stream';
    if (bytes < (isStream ? EVENT_BYTES : LEAST_BYTES) || !(isStream || status === 200))
      closed.push(`one call through ${door} gets ${status} and ${bytes} bytes`);
  }
  const answered = await Promise.all(
    Object.entries(doors).map(async ([door, call]) => {
      const replies = await Promise.all(Array.from({ length: count }, () => call(target)));
      return [door, replies] as const;
    }),
  );
  close();
  const statuses = answered.map(
    ([door, replies]) => [door, countStatuses(replies.map(({ status }) => status))] as const,
  );
  const isWrong = (door: string, status: number): boolean =>
    !ANSWERS.has(status) && !(door === 'event stream' && status === 0);
  const wrong = answered.flatMap(([door, replies]) =>
    replies.some(({ status }) => isWrong(door, status)) ? [`calls through ${door} have another answer`] : [],
  );
  return {
    figures: { callsPerDoor: count, statuses: Object.fromEntries(statuses) },
    wrong: [...closed, ...wrong],
  };
}

const QUERIES = 128;

/** Calls of two adapters, because each adapter has a queue of its own. */
async function queryAtOnce(target: Target, options: FloodOptions): Promise<Run> {
  const calls = Array.from({ length: partOf(QUERIES, options) }, (_, at) => {
    const adapter = at % 2 === 0 ? 'large' : 'other';
    return post(`/orchestrator_manager/restQuery/${adapter}`, TEXT)(target);
  });
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  return {
    figures: { calls: calls.length, statuses: countStatuses(statuses) },
    wrong: wrongStatuses(statuses, { needed: [200], expected: [...ANSWERS] }),
  };
}

/** Large replies through all operations. */
export const DOOR_FLOODS: Readonly<Record<string, Flood>> = {
  'all-doors': {
    finding: 'F2',
    says: '12 replies of 10 MiB at a time through each operation: restQuery, restAction, restCall, methods, MCP, /proxy, event streams and NETCONF',
    prepare,
    run: callAllDoors,
  },
  'many-queries': {
    finding: 'F2',
    says: '128 replies of 10 MiB at a time through restQuery: text of control characters, six times as large as JSON',
    prepare,
    run: queryAtOnce,
  },
};

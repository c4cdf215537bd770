import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createNetconfDouble, type DoubleSession } from '../../test/support/netconf-double.js';
import { ask, countStatuses, type Reply, wrongStatuses } from './ask.js';
import { type Flood, type FloodOptions, partOf, type Run } from './flood.js';
import type { Target, TargetOptions } from './target.js';

// Siblings of F2: replies of orchestrators through adapters, and messages of a NETCONF device.

const CALLS = 100;
const REPLY_BYTES = 10 * 1_048_576;
const NETCONF = 'urn:ietf:params:xml:ns:netconf:base:1.0';
const MODULE = 'module d { namespace "urn:d"; prefix d; container c { leaf s { type string; } } }';

type TargetParts = Omit<TargetOptions, 'isLifted'>;

/** Opens an orchestrator whose replies are control characters: as JSON they are six times as large. */
async function prepareQueries(): Promise<TargetParts> {
  const body = Buffer.alloc(REPLY_BYTES, 1);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { adapters: { large: `plugin: http-rest\nbaseUrl: http://127.0.0.1:${port}\n` } };
}

function query(target: Target, adapter: string, path: string): Promise<Reply> {
  const body = { params: { path, accept: 'application/json' } };
  return ask(target, {
    method: 'POST',
    path: `/orchestrator_manager/restQuery/${adapter}`,
    token: target.adminToken,
    body,
  });
}

async function queryTogether(target: Target, options: FloodOptions): Promise<Run> {
  const calls = partOf(CALLS, options);
  const replies = await Promise.all(Array.from({ length: calls }, () => query(target, 'large', '/')));
  const statuses = replies.map(({ status }) => status);
  return {
    figures: { calls, statuses: countStatuses(statuses) },
    wrong: wrongStatuses(statuses, { needed: [200], expected: [503] }),
  };
}

const COSTLY_CONTENTS: readonly (() => string)[] = [
  () =>
    `<x ${Array.from({ length: 8000 }, (_, at) => `xmlns:p${at}="u"`).join(' ')}>${'<e xmlns:z="u"/>'.repeat(8000)}</x>`,
  () => `<x ${Array.from({ length: 1_500_000 }, (_, at) => `a${at.toString(36)}=""`).join(' ')}/>`,
  () => '<e><n>a</n></e>'.repeat(900_000),
  () => `<s>${'&lt;'.repeat(7_500_000)}</s>`,
];

function write(session: DoubleSession, messageId: string, content: string): void {
  const text = `<rpc-reply xmlns="${NETCONF}" message-id="${messageId}"><data><c xmlns="urn:d">${content}</c></data></rpc-reply>`;
  session.write(`\n#${Buffer.byteLength(text)}\n${text}\n##\n`);
}

/** Opens a device whose replies are costly to read, one after the other. */
async function prepareDevice(): Promise<TargetParts> {
  let sent = 0;
  const { port, fingerprint } = await createNetconfDouble({
    capabilities: ['urn:ietf:params:netconf:base:1.1', 'urn:d?module=d'],
    schemas: { d: MODULE },
    onOperation(_operation, session, messageId) {
      const content = COSTLY_CONTENTS[sent % COSTLY_CONTENTS.length];
      sent += 1;
      write(session, messageId, content?.() ?? '');
      return undefined;
    },
  });
  const ssh = `{ username: gatehouse, password: a-password, hostKeys: ['${fingerprint}'] }`;
  const options = `options: { host: 127.0.0.1, port: ${port}, ssh: ${ssh} }`;
  return { adapters: { device: `plugin: netconf\nbaseUrl: https://127.0.0.1\n${options}\n` } };
}

/** Codes of a refused message; a device that cannot be reached has another. */
const REFUSAL = /"upstream_(?:bad_reply|too_large)"/;

async function readDevice(target: Target): Promise<Run> {
  const replies: Reply[] = [];
  while (replies.length < COSTLY_CONTENTS.length)
    replies.push(await query(target, 'device', '/restconf/data/d:c'));
  const areRefused = replies.every(({ text }) => REFUSAL.test(text));
  return {
    figures: { statuses: countStatuses(replies.map(({ status }) => status)) },
    wrong: areRefused ? [] : ['a costly message is not refused'],
  };
}

/** Replies that come through adapters. */
export const REPLY_FLOODS: Readonly<Record<string, Flood>> = {
  'queries-100': {
    finding: 'F2',
    says: '100 restQuery at a time, each with a reply of 10 MiB of control characters',
    prepare: prepareQueries,
    run: queryTogether,
  },
  'netconf-messages': {
    finding: 'F2',
    says: 'messages of a NETCONF device with 8,000 prefixes, 1.5 million attributes, 1.8 million elements and 7.5 million references',
    prepare: prepareDevice,
    run: readDevice,
  },
};

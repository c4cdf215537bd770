import { spawnSync } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { Problem } from '../../src/core/problem.js';
import type { Lookup } from '../../src/upstream/dns-lookup.js';
import { openEgress } from '../../src/upstream/egress-caller.js';
import { type OutboundPolicy, parseEgress } from '../../src/upstream/egress-policy.js';
import { GADGETS } from '../http/gadgets.js';
import { CLOSED_IPV4, CLOSED_IPV6, closedUris } from './spellings.js';

// Runs in a separate network namespace, which no packet leaves: every closed address is an address of its
// loopback, with a listening canary. `node inside.js SABOTAGED REBINDINGS RESULT`
const [sabotaged = '0', rebindings = '10000', result = ''] = process.argv.slice(2);
const PORT = 8_080;
/** The only allowed address of calls. */
const OPEN = '127.0.0.99';
const OPEN_PORT = 8_081;
const MANY_OPEN = Array.from({ length: 64 }, () => OPEN);
const SETTINGS = {
  maxReplyBytes: 10_000,
  timeoutMs: 5_000,
  // More than all calls of this process, which releases none.
  concurrent: 1e6,
  concurrentPerSubject: 1e6,
  memoryBytes: 1e12,
};
const subject = 'ada';
const NOBODY_LEAVES = new AbortController().signal;
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi';

let reached = 0;
let connections = 0;
const servers: Server[] = [];

const CLOSED = [...CLOSED_IPV4, ...CLOSED_IPV6];
spawnSync('ip', ['link', 'set', 'lo', 'up']);
for (const ip of CLOSED)
  spawnSync('ip', ['addr', 'add', `${ip}/${ip.includes(':') ? 128 : 32}`, 'dev', 'lo']);
// The server also listens on the open address, but records no connection there.
await listenOn('::', PORT, () => (reached += 1));
const requests: string[] = [];
await listenOn(OPEN, OPEN_PORT, (text) => requests.push(text));
subscribe('net.client.socket', () => (connections += 1));

const nothingDenied: OutboundPolicy = { refusal: () => undefined, refusalOfName: () => undefined };
const policyOf = (...allow: string[]): OutboundPolicy =>
  sabotaged === '1' ? nothingDenied : parseEgress({ allow, deny: [], public: true }).policy;

const variants = await callAll();
const [afterSpellings, connectionsForSpellings] = [reached, connections];
const rebinding = await rebind(Number(rebindings));
const headers = await sendGadgets();
for (const server of servers) server.close();
writeFileSync(
  result,
  JSON.stringify({
    ...variants,
    reached: afterSpellings,
    connections: connectionsForSpellings,
    rebinding,
    headers,
  }),
);
process.exit(0);

/** S1: every spelling, refused as an address that is closed or as no URI. */
async function callAll(): Promise<{
  readonly vectors: number;
  readonly refused: number;
  readonly otherwise: readonly string[];
}> {
  const egress = openEgress(policyOf(), SETTINGS, { lookup: () => later(['127.0.0.1']) });
  const uris = closedUris(PORT);
  const otherwise: string[] = [];
  for (const uri of uris) {
    const outcome = await egress.call({ uri, method: 'GET', headers: {}, subject }, NOBODY_LEAVES).then(
      () => 'answered',
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    );
    if (outcome !== 'egress_denied' && outcome !== 'invalid_uri') otherwise.push(`${uri}: ${outcome}`);
  }
  return { vectors: uris.length, refused: uris.length - otherwise.length, otherwise: otherwise.slice(0, 5) };
}

/** S3: resolves a name first to an allowed address, or to allowed and forbidden addresses, in many orders. */
async function rebind(
  tries: number,
): Promise<Record<'tries' | 'reached' | 'answered' | 'mostLookups', number>> {
  const before = reached;
  let [answered, mostLookups] = [0, 0];
  for (let at = 0; at < tries; at += 1) {
    const bad = CLOSED[at % CLOSED.length] ?? '';
    const answers =
      [[[OPEN], [bad]], [[OPEN, bad]], [[bad, OPEN]], [[...MANY_OPEN, bad]], [[bad], [OPEN]]][at % 5] ?? [];
    let lookups = 0;
    const lookup: Lookup = () => later(answers[Math.min(lookups++, answers.length - 1)] ?? []);
    // If a port is open on good and bad addresses, only the address distinguishes them.
    const port = at % 2 === 0 ? PORT : OPEN_PORT;
    await openEgress(policyOf(OPEN), SETTINGS, { lookup })
      .call({ uri: `http://rebind.example:${port}/`, method: 'GET', headers: {}, subject }, NOBODY_LEAVES)
      .then(
        () => (answered += 1),
        () => undefined,
      );
    mostLookups = Math.max(mostLookups, lookups);
  }
  return { tries, reached: reached - before, answered, mostLookups };
}

/**
 * S5: sends 668 header lines that hide a framing header; each must be refused or sent as exactly one request.
 */
async function sendGadgets(): Promise<{
  readonly vectors: number;
  readonly refused: number;
  readonly oneRequest: number;
  readonly more: readonly string[];
}> {
  const egress = openEgress(policyOf(OPEN), SETTINGS, {});
  const found = { vectors: GADGETS.length, refused: 0, oneRequest: 0, more: [] as string[] };
  for (const gadget of GADGETS) {
    const colon = gadget.indexOf(':');
    const headers = { [gadget.slice(0, colon)]: gadget.slice(colon + 1) };
    requests.length = 0;
    const body = Buffer.from('0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: a\r\n\r\n');
    const outcome = await egress
      .call({ uri: `http://${OPEN}:${OPEN_PORT}/`, method: 'POST', headers, body, subject }, NOBODY_LEAVES)
      .then(
        () => 'sent',
        () => 'refused',
      );
    const heads = requests.join('').split(body.toString());
    const isPlain = heads.length === 2 && heads[1] === '' && !/transfer.?encoding/i.test(heads[0] ?? '');
    if (outcome === 'refused' && requests.length === 0) found.refused += 1;
    else if (isPlain) found.oneRequest += 1;
    else found.more.push(requests.join(''));
  }
  return found;
}

/**
 * Listens on an address: a canary reports each connection immediately, the open server reports each complete
 * request.
 */
async function listenOn(host: string, port: number, note: (text: string) => void): Promise<void> {
  const server = createServer((socket) => {
    let text = '';
    const isCanary = port === PORT;
    if (isCanary && !socket.localAddress?.endsWith(OPEN)) note('');
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!isCanary && !isWhole(text)) return;
      if (!isCanary) note(text);
      socket.end(ANSWER);
    });
  }).listen(port, host);
  await once(server, 'listening');
  servers.push(server);
}

/** Returns true if a request is complete according to its content length. */
function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  const [, length = '0'] = /^content-length: (\d+)/im.exec(text) ?? [];
  return head >= 0 && text.length >= head + 4 + Number(length);
}

async function later(addresses: readonly string[]): Promise<readonly string[]> {
  await Promise.resolve();
  return addresses;
}

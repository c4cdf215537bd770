import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const REPLY_BYTES = 10_485_760;

interface CostlyReply {
  readonly type: string;
  readonly text: () => string;
}

const list = (item: string): string => {
  const count = Math.floor((REPLY_BYTES - 2) / (item.length + 1));
  return `[${Array.from({ length: count }, () => item).join(',')}]`;
};

/** Replies of 10 MiB, the limit of restCall, that are costly to read or to pass on. */
const REPLIES: Readonly<Record<string, CostlyReply>> = {
  'control characters': { type: 'text/plain', text: () => '\u0001'.repeat(REPLY_BYTES) },
  'empty objects': { type: 'application/json', text: () => list('{}') },
  'nested lists': {
    type: 'application/json',
    text: () => '['.repeat(REPLY_BYTES / 2) + ']'.repeat(REPLY_BYTES / 2),
  },
  numbers: { type: 'application/json', text: () => list('1e1') },
  ones: { type: 'application/json', text: () => list('1') },
};

/** An upstream in this process whose replies are small when they are sent and large when they are read. */
interface CostlyUpstream {
  /** URLs by the kind of reply. */
  readonly urls: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/** Opens the upstream on this machine; every reply is compressed with gzip, whatever was asked for. */
export async function openCostlyUpstream(): Promise<CostlyUpstream> {
  const replies = Object.values(REPLIES).map(({ type, text }) => ({ type, bytes: gzipSync(text()) }));
  const server = createServer((request, response) => {
    request.resume();
    const reply = replies[Number(request.url?.slice(1))];
    if (!reply) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': reply.type, 'content-encoding': 'gzip' }).end(reply.bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urls: Object.fromEntries(
      Object.keys(REPLIES).map((name, at) => [name, `http://127.0.0.1:${port}/${at}`]),
    ),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

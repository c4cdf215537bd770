import assert from 'node:assert/strict';
import { onRequest, type Script, startHostileUpstream } from '../support/hostile-upstream.js';
import { openedByTest } from '../support/opened.js';
import { EGRESS, PRODUCT_CLIENTS, type ProductClient } from './product-clients.js';

/** Content that would be read as the reply to the next request. */
const STRAY = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray';

/** Header fields of a reply without content, and the bytes that follow its head nevertheless. */
const FRAMINGS: Readonly<Record<string, readonly [fields: string, content: string]>> = {
  'no length': ['', ''],
  'the length 0': ['Content-Length: 0\r\n', ''],
  'a length': [`Content-Length: ${STRAY.length}\r\n`, ''],
  'a length and content': [`Content-Length: ${STRAY.length}\r\n`, STRAY],
  'chunked content': [
    'Transfer-Encoding: chunked\r\n',
    `${STRAY.length.toString(16)}\r\n${STRAY}\r\n0\r\n\r\n`,
  ],
  'chunks without content': ['Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
};

const STATUS_LINES: Readonly<Record<string, readonly [method: string, status: string]>> = {
  204: ['DELETE', '204 No Content'],
  304: ['GET', '304 Not Modified'],
  'the reply to HEAD': ['HEAD', '200 OK'],
};

/** Replies to a client, each with the times at which its content may arrive: with the head, or before the next reply. */
function casesOf(client: ProductClient) {
  return Object.entries(STATUS_LINES).flatMap(([name, [method, status]]) =>
    Object.entries(FRAMINGS).flatMap(([framing, [fields, content]]) =>
      (content === '' ? (['at once'] as const) : (['at once', 'later'] as const)).map((arrival) => {
        const title = `${name} with ${framing} ${arrival}, ${client.name}`;
        return { client, method, status, fields, content, arrival, title };
      }),
    ),
  );
}

const CASES = PRODUCT_CLIENTS.flatMap(casesOf).filter(
  ({ client, method }) => client !== EGRESS || method !== 'HEAD',
);

/** Serves one connection: a reply without content, then replies to `/next`. */
function scriptOf({ status, fields, content, arrival }: (typeof CASES)[number]): Script {
  return (socket) => {
    let pending = '';
    onRequest((_socket, head) => {
      if (head.includes(' /next ')) {
        socket.write(`${pending}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext`);
        return;
      }
      pending = arrival === 'later' ? content : '';
      const now = arrival === 'later' ? '' : content;
      socket.write(`HTTP/1.1 ${status}\r\nETag: "v1"\r\n${fields}\r\n${now}`);
    })(socket);
  };
}

describe('a reply without content (bug: it was measured by its Content-Length, and a change that was made was reported as failed)', () => {
  const opened = openedByTest();

  for (const one of CASES)
    it(`ends with its head: ${one.title}`, async () => {
      const upstream = await opened(startHostileUpstream([scriptOf(one)]));
      const client = await opened(one.client.open(upstream.origin));
      assert.deepEqual(await client.send(one.method), { status: Number(one.status.slice(0, 3)), body: '' });
      // Content that arrives nevertheless does not become the reply to the next request.
      assert.deepEqual(await client.send('POST', '/next'), { status: 200, body: 'next' });
    });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { Problem } from '../../src/core/problem.js';
import { readBytes, restOfPacket } from '../../src/http/request-body.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedBySuite } from '../support/opened.js';
import { rawExchange, rawPeer } from '../support/raw-http.js';

const LIMIT = 100;
const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n';

/** Returns the bytes of a request whose body has a length, or comes in chunks. */
function requestOf(body: string, chunkSize: number): string {
  if (chunkSize === 0) return `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`;
  const chunks = body.match(new RegExp(`[^]{1,${chunkSize}}`, 'g')) ?? [];
  const coded = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return `${HEAD}Transfer-Encoding: chunked\r\n\r\n${coded}0\r\n\r\n`;
}

describe('readBytes', () => {
  const opened = openedBySuite();
  let port: number;
  const waits: boolean[] = [];

  /** Answers with the body, or with the code of the problem. */
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const arriving = restOfPacket(req);
    if (arriving) await arriving;
    try {
      const bytes = readBytes({ req, res }, { limit: LIMIT });
      waits.push(bytes instanceof Promise);
      res.end(await bytes);
    } catch (error) {
      // An unread rest would reset the connection before the client has read the answer.
      if (!req.complete) await once(req.resume(), 'end');
      res.end(error instanceof Problem ? error.code : String(error));
    }
  }

  before(async () => {
    ({ port } = await opened(listenOnLoopback(createServer((req, res) => void answer(req, res)))));
  });

  it('returns the same bytes in whatever pieces they arrive', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: LIMIT + 2, unit: fc.constantFrom('a', '\xe9', '\0', '\r', '\n') }),
        fc.integer({ min: 0, max: 9 }),
        fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 5 }),
        async (body, chunkSize, sizes) => {
          let rest = requestOf(body, chunkSize);
          const peer = await rawPeer(port);
          for (const size of sizes) {
            peer.send(rest.slice(0, size));
            rest = rest.slice(size);
            await setImmediate();
          }
          peer.send(rest);
          const received = await peer.closed();
          const sent = received.slice(received.indexOf('\r\n\r\n') + 4);
          assert.equal(sent, body.length > LIMIT ? 'body_too_large' : body);
        },
      ),
    ));

  it('does not wait for a body that comes in one packet with its head', async () => {
    waits.length = 0;
    assert.match(await rawExchange(port, requestOf('{}', 0)), /{}$/);
    assert.deepEqual(waits, [false]);
  });

  it('returns an empty body of a request that has arrived', async () => {
    const req = new IncomingMessage(new Socket());
    req.complete = true;
    req.push(null);
    const bytes = await readBytes({ req, res: new ServerResponse(req) }, { limit: LIMIT });
    assert.equal(bytes.length, 0);
  });

  it('throws caller_gone for a request whose connection closed after it had arrived', async () => {
    const req = new IncomingMessage(new Socket());
    req.push('{}');
    req.complete = true;
    req.push(null);
    req.on('error', () => undefined).destroy();
    await assert.rejects(async () => readBytes({ req, res: new ServerResponse(req) }, { limit: LIMIT }), {
      code: 'caller_gone',
    });
  });
});

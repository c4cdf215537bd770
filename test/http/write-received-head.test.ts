import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { headerLinesOf } from '../../src/core/stream.js';
import { writeReceivedHead } from '../../src/http/write-received-head.js';
import { listenOnLoopback } from '../support/loopback.js';

/** Returns the response that a handler writes, without the headers of the connection. */
async function responseOf(write: (res: ServerResponse) => void): Promise<readonly (readonly string[])[]> {
  const server = createServer((_, res) => {
    res.sendDate = false;
    write(res);
    res.end();
  });
  const { port, close } = await listenOnLoopback(server);
  const request = get({ port, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await close();
  const status = [String(response.statusCode), response.statusMessage ?? ''];
  const lines = headerLinesOf(response.rawHeaders);
  return [status, ...lines.filter(([name]) => !/^(?:connection|transfer-encoding)$/i.test(name))];
}

const LINES = [
  ['Link', '</a>; rel="next"'],
  ['Vary', 'Accept'],
  ['link', '</b>; rel="prev"'],
] as const;

describe('a received head', () => {
  it('is written with all of its lines', async () => {
    assert.deepEqual(
      await responseOf((res) => {
        writeReceivedHead(res, { status: 207, statusText: 'Many', lines: LINES });
      }),
      [['207', 'Many'], ...LINES],
    );
  });

  it('keeps repeated lines beside headers that the response already has', async () => {
    const lines = await responseOf((res) => {
      res
        .setHeader('strict-transport-security', 'max-age=1')
        .setHeader('vary', 'Origin')
        .setHeader('X-A', '1');
      writeReceivedHead(res, { status: 200, lines: [...LINES, ['x-a', '2']] });
    });
    assert.deepEqual(
      new Set(lines.map((line) => line.join(': ').toLowerCase())),
      new Set([
        '200: ok',
        'strict-transport-security: max-age=1',
        'vary: origin',
        'vary: accept',
        'link: </a>; rel="next"',
        'link: </b>; rel="prev"',
        'x-a: 2',
      ]),
    );
  });

  it('leaves nothing behind if a value is invalid', async () => {
    const lines = await responseOf((res) => {
      res.setHeader('x-own', '1');
      assert.throws(() => {
        writeReceivedHead(res, { status: 200, lines: [...LINES, ['x-b', 'a\nb']] });
      }, TypeError);
      res.writeHead(502);
    });
    assert.deepEqual(lines, [
      ['502', 'Bad Gateway'],
      ['x-own', '1'],
    ]);
  });
});

import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import fc from 'fast-check';
import { silentLog } from '../../src/core/log.js';
import { createRequestContext } from '../../src/http/request-context.js';
import type { HttpResponse } from '../../src/http/response.js';
import { send } from '../../src/http/write-response.js';
import { systemClock } from '../../src/lib/clock.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedBySuite } from '../support/opened.js';
import { rawExchange } from '../support/raw-http.js';

const deps = { log: silentLog, clock: systemClock, newId: () => 'id' };

/** Starts a server that answers the requests of a connection with responses, in order. */
function serve(responses: () => HttpResponse[], answer: Answer): Server {
  const listener: RequestListener = (req, res) => {
    const response = responses().shift();
    assert.ok(response);
    // Reading the body completes the request, so that the response needs no draining.
    req.resume().once('end', () => {
      answer(response, { req, res });
    });
  };
  return createServer({ requireHostHeader: false, keepAliveTimeout: 5_000 }, listener);
}

type Answer = (response: HttpResponse, exchange: Parameters<typeof createRequestContext>[1]) => void;

const viaSend: Answer = (response, exchange) =>
  void send(deps, createRequestContext(deps, exchange), response);

const viaNode: Answer = ({ status, headers, body }, { res }) => {
  res.writeHead(status, headers as Record<string, string>);
  res.end(body);
};

const withoutDates = (text: string): string => text.replaceAll(/^Date: .*\r\n/gm, 'Date\r\n');

const body = fc.oneof(
  fc.string().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
  fc.integer({ min: 0, max: 20_000 }).map((size) => Buffer.alloc(size, 0xe9)),
);
const headerValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
});
const response = fc
  .record({
    status: fc.constantFrom(200, 201, 204, 303, 304, 400, 404, 503),
    body,
    value: headerValue,
    isSized: fc.boolean(),
  })
  .map(({ status, body, value, isSized }): HttpResponse => ({
    status,
    headers: { 'x-value': value, ...(isSized && { 'content-length': String(body.length) }) },
    body: status === 204 || status === 304 ? Buffer.alloc(0) : body,
  }));
const request = fc.constantFrom(
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
);
const lastRequest = fc.constantFrom(
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}',
);

describe('send', () => {
  let waiting: HttpResponse[] = [];
  const opened = openedBySuite();
  const open = (answer: Answer) => opened(listenOnLoopback(serve(() => waiting, answer)));

  it('sends the bytes that Node sends for the same response, also pipelined', async () => {
    const [{ port: ours }, { port: nodes }] = [await open(viaSend), await open(viaNode)];
    const exchange = async (port: number, responses: HttpResponse[], message: string) => {
      waiting = [...responses];
      return withoutDates(await rawExchange(port, message));
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(request, response), { maxLength: 4 }),
        fc.tuple(lastRequest, response),
        async (first, last) => {
          const message = [...first, last].map(([text]) => text).join('');
          const responses = [...first, last].map(([, sent]) => sent);
          assert.equal(await exchange(ours, responses, message), await exchange(nodes, responses, message));
        },
      ),
      { numRuns: 200 },
    );
  });
});

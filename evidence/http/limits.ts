import { SERVER } from '../../test/support/http-server.js';
import { rawPeer, statusesIn } from '../../test/support/raw-http.js';

const { headerBytes, bodyBytes } = SERVER.limits;
const URL_BYTES = 8_192;
/** Head of a request without the line under test. */
const HEAD = 'GET /demo/status HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n';

const get = (target: string, line = ''): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n${line}\r\n`;
const fill = (length: number): string => 'a'.repeat(length);

interface Limit {
  readonly what: string;
  readonly message: string;
  readonly status: number;
}

function limits(lines: string): readonly Limit[] {
  const post = (more: string, body = ''): string =>
    `POST /demo/things HTTP/1.1\r\n${lines}${more}\r\n${body}`;
  const named = (bytes: number): string => `{"name":"${fill(bytes - 11)}"}`;
  const sized = (bytes: number): string => post(`Content-Length: ${bytes}\r\n`, named(bytes));
  const chunked = (bytes: number, end = '0\r\n\r\n'): string =>
    post('Transfer-Encoding: chunked\r\n', `${bytes.toString(16)}\r\n${named(bytes)}\r\n${end}`);
  const long = '/demo/things/';
  return [
    {
      what: 'a head below its limit',
      message: get('/demo/status', `X: ${fill(headerBytes - HEAD.length - 1)}\r\n`),
      status: 200,
    },
    {
      what: 'a head beyond its limit',
      message: get('/demo/status', `X: ${fill(headerBytes + 1)}\r\n`),
      status: 431,
    },
    { what: 'a target at its limit', message: get(long + fill(URL_BYTES - long.length)), status: 401 },
    {
      what: 'a target beyond its limit',
      message: get(long + fill(URL_BYTES - long.length + 1)),
      status: 414,
    },
    { what: 'a body at its limit', message: sized(bodyBytes), status: 200 },
    {
      what: 'a body beyond its limit, by its length, before it comes',
      message: post(`Content-Length: ${bodyBytes + 1}\r\n`),
      status: 413,
    },
    { what: 'chunks at the limit', message: chunked(bodyBytes), status: 200 },
    { what: 'chunks beyond the limit, before their end', message: chunked(bodyBytes + 1, ''), status: 413 },
    {
      what: 'an expectation without a token',
      message: 'POST /demo/things HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n',
      status: 401,
    },
    {
      what: 'an expectation beyond the limit',
      message: post(`Expect: 100-continue\r\nContent-Length: ${bodyBytes + 1}\r\n`),
      status: 413,
    },
    {
      what: 'an encoded body',
      message: post('Content-Encoding: gzip\r\nContent-Length: 2\r\n', '{}'),
      status: 415,
    },
    {
      what: 'a body of another type',
      message: post('Content-Length: 2\r\n', '{}').replace('application/json', 'text/plain'),
      status: 415,
    },
    {
      what: 'a body without a type',
      message: post('Content-Length: 2\r\n', '{}').replace(/Content-Type.*\r\n/, ''),
      status: 415,
    },
  ];
}

/**
 * H4: checks which requests each limit accepts and refuses. Returns the deviations and the number of cases.
 */
export async function limitFaults(
  port: number,
  lines: string,
): Promise<{ readonly cases: number; readonly faults: readonly string[] }> {
  const faults: string[] = [];
  const cases = limits(lines);
  for (const { what, message, status } of cases) {
    const peer = await rawPeer(port);
    peer.send(message);
    const [first] = statusesIn(await peer.until(/HTTP\/1\.1 \d{3} /));
    peer.destroy();
    if (first !== status) faults.push(`${what}: ${first}`);
  }
  return { cases: cases.length, faults };
}

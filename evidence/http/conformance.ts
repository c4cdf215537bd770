import { rawPeer, statusesIn } from '../../test/support/raw-http.js';

/**
 * Requests with the minimum and maximum status of their replies; `{}` is replaced by required header lines.
 */
const REQUESTS: readonly (readonly [request: string, least: number, greatest: number])[] = [
  ['GET / \r\n\r\n', 400, 599],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\n\r\n', 200, 299],
  ['GET /demo/status HTTP/1.1\r\nhoSt:\ta\r\nempty:\r\n\r\n', 200, 299],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\nX-Empty: \r\n\r\n', 200, 299],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\nX-Bad[]: b\r\n\r\n', 400, 499],
  ['GET /demo/status HTTP/1.1\r\nContent-Length: 5\r\n\r\n', 400, 499],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 499],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\nContent-Length: -123456789123456789123456789\r\n\r\n', 400, 499],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\nContent-Length: -1234\r\n\r\n', 400, 499],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\nContent-Length: abc\r\n\r\n', 400, 499],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\nX-Bad: b\x07\r\n\r\n', 400, 499],
  ['GET /demo/status HTTP/9.9\r\nHost: a\r\n\r\n', 400, 599],
  ['More linesGET /demo/status HTTP/1.1\r\nHost: a\r\n\r\n', 400, 599],
  ['GET /demo/status HTTP/1.1\r\nHost: a\r\n\rX: b\r\n\r\n', 400, 499],
  ['POST /demo/things HTTP/1.1\r\n{}Content-Length: 12\r\n\r\n{"name":"a"}', 200, 299],
  [
    'POST /demo/things HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\n\r\nc\r\n{"name":"a"}\r\n0\r\n\r\n',
    200,
    299,
  ],
  [
    'POST /demo/things HTTP/1.1\r\n{}content-LengtH: 5\r\nTransFer-Encoding: chunked\r\n\r\nc\r\n{"name":"a"}\r\n0\r\n\r\n',
    400,
    499,
  ],
  ['POST /demo/things HTTP/1.1\r\n{}Expect: 100-continue\r\nContent-Length: 12\r\n\r\n', 100, 100],
];

const WHOLE = 'GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** Byte offsets of the interruptions of a request: the server must wait for the rest. */
const CUTS = [1, 4, 10, 11, 15, 19, 20, 21, 24, 26, 27, 36, 37, 38, 39];

/**
 * H2: 33 cases of h1spec, reimplemented: 18 requests with the expected status, and one request interrupted at
 * 15 places, which must be answered only after the rest has arrived. Returns the deviations.
 */
export async function conformanceFaults(port: number, lines: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [request, least, greatest] of REQUESTS) {
    const message = request.replace('{}', lines);
    const status = await statusOf(port, message);
    if (status < least || status > greatest) faults.push(`${status}: ${request.slice(0, 80)}`);
  }
  for (const cut of CUTS) {
    const answers = await cutAnswers(port, cut);
    if (answers.join() !== '0,1') faults.push(`cut after ${cut}: ${answers.join()} answers`);
  }
  return faults;
}

/** Number of cases. */
export const CONFORMANCE_CASES = REQUESTS.length + CUTS.length;

async function statusOf(port: number, message: string): Promise<number> {
  const peer = await rawPeer(port);
  peer.send(message);
  const received = await peer.until(/HTTP\/1\.1 \d{3} /);
  peer.destroy();
  return statusesIn(received)[0] ?? 0;
}

/** Answers before and after the rest of the request was sent. */
async function cutAnswers(port: number, cut: number): Promise<readonly number[]> {
  const peer = await rawPeer(port);
  peer.send(WHOLE.slice(0, cut));
  // A reply to the first part would have arrived by the time that another request is complete.
  await statusOf(port, WHOLE);
  const before = statusesIn(await peer.until(/^/));
  peer.send(WHOLE.slice(cut));
  const after = statusesIn(await peer.until(/HTTP\/1\.1 \d{3} /));
  peer.destroy();
  return [before.length, after.length];
}

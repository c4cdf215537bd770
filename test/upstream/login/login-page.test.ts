import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Upstream } from '../../../src/core/upstream.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { GET, neverAborted, POST, upstreamsOfTest } from '../upstreams.js';

const PAGE = '<html><form action="j_security_check"></form></html>';

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

const LOGIN_PAGE: Reply = { status: 200, type: 'Text/HTML; charset=UTF-8', body: PAGE };
const REDIRECT: Reply = { status: 302 };
const DATA: Reply = { status: 200, type: 'application/json', body: '{}' };

describe('a login page instead of a reply', () => {
  const clock = createFakeScheduler();
  let [next, arrivals]: [Reply[], string[]] = [[], []];
  const { opened, open } = upstreamsOfTest();
  let upstream: Upstream;

  beforeEach(async () => {
    [next, arrivals] = [[], []];
    const server = createServer((request, response) => {
      const isLogin = request.url === '/login';
      arrivals.push(`${request.method ?? ''} ${request.url ?? ''}`);
      const { status, type = 'text/plain', body = '' } = isLogin ? DATA : (next.shift() ?? DATA);
      response.writeHead(status, { 'content-type': type, ...(isLogin && { 'set-cookie': 'S=1' }) }).end(body);
    });
    const { host } = await opened(listenOnLoopback(server));
    const steps = [{ request: { path: '/login' } }];
    const auth = { type: 'login', steps, refreshOn: [302, 401], loginPage: 'j_security_check' };
    upstream = open({ baseUrl: `http://${host}`, auth }, { scheduler: clock });
  });

  const send = (request: typeof GET | typeof POST) => upstream.send(request, neverAborted());

  /** Sends a request, and lets the next ones end in these ways after 30 seconds. */
  async function sendOnce(...endings: readonly Reply[]): Promise<void> {
    await send(GET);
    await clock.pass(30_000);
    next = [...endings];
  }

  for (const [name, ending] of [
    ['page', LOGIN_PAGE],
    ['redirect', REDIRECT],
  ] as const) {
    it(`as a ${name} leads to a new session and a retry of a GET`, async () => {
      await sendOnce(ending);
      assert.equal((await send(GET)).body.toString(), '{}');
      assert.deepEqual(arrivals.slice(2), ['GET /data', 'POST /login', 'GET /data']);
    });

    it(`as a ${name} is a failure of a POST, which is not repeated`, async () => {
      await sendOnce(ending);
      await assert.rejects(send(POST), problem('upstream_auth', /login page \(status (200|302)\)/));
      assert.deepEqual(arrivals.slice(2), ['POST /data', 'POST /login']);
      assert.equal((await send(POST)).status, 200);
    });

    it(`as a ${name} after a new login is a failure`, async () => {
      await sendOnce(ending, ending);
      await assert.rejects(send(GET), problem('upstream_auth', /login page/));
      assert.equal(upstream.status?.().logins, 2);
    });
  }

  for (const [name, reply] of [
    ['the same text in JSON', { ...LOGIN_PAGE, type: 'application/json' }],
    ['the same text in an error', { ...LOGIN_PAGE, status: 404 }],
    ['another page', { ...LOGIN_PAGE, body: '<html>show running-config</html>' }],
  ] as const)
    it(`is not detected in ${name}`, async () => {
      next = [reply];
      const { status, body } = await send(GET);
      assert.deepEqual([status, body.toString()], [reply.status, reply.body]);
    });
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createLoadShedder } from '../../../src/http/overload/load-shedder.js';
import type { OverloadReason } from '../../../src/http/overload/overload-detector.js';
import { systemClock } from '../../../src/lib/clock.js';
import { startHttpTestServer, type HttpTestServer, TOKENS } from '../../support/http-server.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { memoryLog } from '../../support/memory-log.js';
import { rawExchange, sendRaw, statusesIn } from '../../support/raw-http.js';
import { until } from '../../support/until.js';

const OPERATIONS: Parameters<typeof createLoadShedder>[2] = [
  { paths: ['/health/status', '/status'], row: { method: 'GET', roles: 'public' } },
  { paths: ['/console/session'], row: { method: 'POST', roles: 'public', body: {} } },
  { paths: ['/console/overview'], row: { method: 'GET', roles: ['admin'] } },
  { paths: ['/adapters/:name/start'], row: { method: 'PUT', roles: ['admin'] } },
  {
    paths: ['/adapters/:adapterId/call/:method'],
    row: { method: 'POST', roles: ['admin'], body: {}, sheddable: true },
  },
  { paths: ['/demo/things/:name'], row: { method: 'GET', roles: ['admin'] }, component: 'Demo' },
  {
    paths: ['/json-forms/forms'],
    row: { method: 'GET', roles: ['admin'] },
    component: 'JsonForms',
    isInteractive: true,
  },
  { paths: ['/proxy/:adapterId/*'], row: { method: 'ANY', roles: ['admin'] } },
];

describe('the load shedder', () => {
  const noted: OverloadReason[] = [];
  const { log, lines } = memoryLog();
  let refusalReason: (calls: number) => OverloadReason | undefined = () => undefined;
  const held: (() => void)[] = [];
  let isLate = false;
  let handled = 0;
  let latest: IncomingMessage | undefined;
  let testServer: HttpTestServer;
  before(async () => {
    const overload = {
      refusalReason: (calls: number) => refusalReason(calls),
      note: (one: OverloadReason) => {
        noted.push(one);
      },
      isLoopLate: () => isLate,
      enqueue: (call: () => void) => void held.push(call),
    };
    const getThing = () => ({ body: (handled += 1) });
    const shed = createLoadShedder({ log, clock: systemClock, newId: randomUUID }, overload, OPERATIONS);
    testServer = await startHttpTestServer({
      actions: { getThing },
      shed: (exchange, ...rest) => {
        latest = exchange.req;
        shed(exchange, ...rest);
      },
    });
  });
  after(() => testServer.close());
  beforeEach(() => {
    noted.length = handled = 0;
    refusalReason = () => 'loop';
    isLate = false;
  });

  const thing = () =>
    fetch(`${testServer.url}/demo/things/a`, { headers: { authorization: `Bearer ${TOKENS.admin}` } });

  const statusOf = async (path: string, method = 'GET') =>
    (await fetch(testServer.url + path, { method })).status;
  const statusesOf = (paths: readonly string[], method?: string) =>
    Promise.all(paths.map((path) => statusOf(path, method)));

  it('answers 503 with Retry-After before the handler runs, and logs no line per call', async () => {
    const reply = await thing();
    assert.equal(reply.status, 503);
    assert.equal(reply.headers.get('retry-after'), '1');
    assert.equal(((await reply.json()) as { code: string }).code, 'overloaded');
    assert.deepEqual([handled, noted, lines], [0, ['loop'], []]);
  });

  it('admits health checks and the console, in their canonical spelling only', async () => {
    const paths = ['/health/status?a=b', '/status', '/ui/', '/demo/status', '//status', '/%73tatus', '/'];
    assert.deepEqual(await statusesOf(paths), [404, 404, 404, 503, 503, 503, 503]);
  });

  it('serves a share of requests for forms, which people wait for (bug: forms were refused under load)', async () => {
    const status = () => statusOf('/json-forms/forms');
    for (const reason of ['loop', 'calls'] as const) {
      refusalReason = () => reason;
      assert.equal(await status(), 404);
    }
    refusalReason = () => 'memory';
    assert.equal(await status(), 503);
  });

  it('refuses requests for forms beyond their share', async () => {
    const open: ServerResponse[] = [];
    const shed = createLoadShedder(
      { log, clock: systemClock, newId: randomUUID },
      {
        refusalReason: () => 'loop',
        note: () => undefined,
        isLoopLate: () => true,
        enqueue: () => undefined,
      },
      OPERATIONS,
    );
    const server = createServer((req, res) => {
      shed({ req, res }, 100, () => open.push(res));
    });
    const { host, close } = await listenOnLoopback(server);
    const status = async () => (await fetch(`http://${host}/json-forms/forms`)).status;
    const served = Array.from({ length: 16 }, status);
    await until(() => open.length === 16);
    assert.equal(await status(), 503);
    open.shift()?.end();
    await served[0];
    const next = status();
    await until(() => open.length === 16);
    for (const res of open) res.end();
    assert.deepEqual(await Promise.all([...served, next]), Array(17).fill(200));
    await close();
  });

  it('refuses calls to orchestrators among the operations of management', async () => {
    const paths = [
      ...['/adapters/core1/call/getDevice', '/adapters/core1/call/getDevice/', '/adapters/a%20b/call/c?d'],
      ...['/adapters/core1/start', '/adapters/core1/call/getDevice/more'],
    ];
    assert.deepEqual(await statusesOf(paths, 'POST'), [503, 503, 503, 404, 404]);
  });

  it('finding F1: refuses the bodies of unknown callers while the memory is full, but not in another overload', async () => {
    const paths = ['/console/session', '/console/session?a', '/console/overview', '/health/status'];
    const statuses = () => statusesOf(paths, 'POST');
    assert.deepEqual(await statuses(), [404, 404, 404, 404]);
    refusalReason = () => 'memory';
    assert.deepEqual(await statuses(), [503, 503, 404, 404]);
  });

  it('refuses streams to orchestrators (bug: workers accepted all streams)', async () => {
    assert.equal(await statusOf('/proxy/nso1/a'), 503);
  });

  it('accepts calls again as soon as the overload ends', async () => {
    assert.equal((await thing()).status, 503);
    refusalReason = () => undefined;
    assert.equal((await thing()).status, 200);
  });

  it('queues calls while the event loop is late, but not health checks', async () => {
    refusalReason = () => undefined;
    isLate = true;
    const reply = thing();
    assert.equal(await statusOf('/status'), 404);
    await until(() => held.length > 0);
    assert.deepEqual([handled, held.length], [0, 1]);
    held[0]?.();
    assert.equal((await reply).status, 200);
    assert.equal(handled, 1);
  });

  it('drops a queued call whose caller has left, and logs it (bug: the call never ended)', async () => {
    refusalReason = () => undefined;
    [isLate, held.length] = [true, 0];
    const peer = await sendRaw(
      testServer.port,
      'POST /demo/things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await until(() => held.length > 0);
    peer.destroy();
    await until(() => latest?.socket.destroyed === true);
    held[0]?.();
    await until(() => lines.length > 0);
    assert.deepEqual(
      lines.map(({ fields }) => fields['status']),
      [499],
    );
  });

  it('passes the number of calls in flight to the overload detector', async () => {
    const seen: number[] = [];
    refusalReason = (calls) => void seen.push(calls);
    await Promise.all([thing(), thing()]);
    await thing();
    assert.equal(seen[2], 1, 'the previous calls have ended');
  });

  it('keeps the connection for the next call after an unread body', async () => {
    const post = `POST /demo/things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
    const last = 'GET /demo/things/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const received = await rawExchange(testServer.port, post + post + last);
    assert.deepEqual(statusesIn(received), [503, 503, 503]);
  });
});

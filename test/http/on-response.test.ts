import assert from 'node:assert/strict';
import type { AnsweredRequest } from '../../src/core/metric.js';
import { column, columns } from '../support/columns.js';
import {
  type HttpTestServer,
  type HttpTestServerOptions,
  startHttpTestServer,
  TOKENS,
} from '../support/http-server.js';
import { liveOperation } from '../support/live-operation.js';
import { openedByTest } from '../support/opened.js';
import { type RawPeer, sendRaw } from '../support/raw-http.js';
import { until } from '../support/until.js';

const AS_ADMIN = `Host: a\r\nAuthorization: Bearer ${TOKENS.admin}\r\n`;
const GET = `GET /demo/things/a HTTP/1.1\r\n${AS_ADMIN}\r\n`;
const START = `PUT /demo/things/a/start HTTP/1.1\r\n${AS_ADMIN}\r\n`;
/** More than the system buffers for a connection. */
const LARGE = 'x'.repeat(20_000_000);

describe('the end of a response', () => {
  const opened = openedByTest();
  const measured: AnsweredRequest[] = [];
  const ended: string[] = [];
  let now = 1_000;

  const open = ({ deps, ...options }: HttpTestServerOptions): Promise<HttpTestServer> => {
    const own: HttpTestServerOptions['deps'] = {
      clock: { now: () => now },
      measure: (answered) => measured.push(answered),
      admit: () => ({ headers: {}, isRunning: true, end: () => void ended.push('call') }),
    };
    return opened(startHttpTestServer({ ...options, deps: { ...own, ...deps } }));
  };

  beforeEach(() => {
    measured.length = 0;
    ended.length = 0;
  });

  const large = { body: LARGE, outcome: 'done', onEnd: () => void ended.push('reply') };

  /** Sends a request, and stops to read in the middle of the reply. */
  async function readBeginning(port: number, request: string): Promise<RawPeer> {
    const peer = await sendRaw(port, request);
    await peer.until(/^HTTP\/1\.1 200 /);
    peer.pause();
    return peer;
  }

  const linesOf = ({ lines }: HttpTestServer) =>
    lines.map(({ fields: { status, clientClosed, ms } }) => ({ status, clientClosed, ms }));

  it('is recorded with the time of writing, and frees the call (bug: the record preceded the reply)', async () => {
    const testServer = await open({ actions: { getThing: () => large } });
    const peer = await readBeginning(testServer.port, GET);
    assert.deepEqual([testServer.lines.length, measured.length, ended], [0, 0, []]);
    now += 5_000;
    peer.resume();
    await until(() => testServer.lines.length > 0);
    assert.deepEqual(linesOf(testServer), [{ status: 200, clientClosed: undefined, ms: 5_000 }]);
    assert.deepEqual([measured[0]?.seconds, measured[0]?.replyBytes], [5, LARGE.length + 2]);
    assert.deepEqual(ended, ['reply', 'call']);
    peer.destroy();
  });

  it('names a client that left in the middle (bug: it was logged as a plain 200)', async () => {
    const testServer = await open({ actions: { startThing: () => large } });
    const peer = await readBeginning(testServer.port, START);
    peer.destroy();
    await until(() => testServer.lines.length > 0);
    assert.deepEqual(linesOf(testServer), [{ status: 200, clientClosed: true, ms: 0 }]);
    assert.deepEqual([column(measured, 'status'), ended], [[200], ['reply', 'call']]);
    assert.deepEqual(columns(testServer.records, 'status', 'outcome'), [[200, 'done']]);
  });

  it('comes for a pipelined response that waits behind another when the client leaves', async () => {
    let started = 0;
    const testServer = await open({
      actions: { getThing: () => large, startThing: () => ({ body: (started += 1), outcome: 'done' }) },
    });
    const peer = await sendRaw(testServer.port, GET + START);
    await peer.until(/^HTTP\/1\.1 200 /);
    peer.pause();
    await until(() => testServer.records.length > 0);
    peer.destroy();
    await until(() => testServer.lines.length > 1);
    assert.deepEqual(
      linesOf(testServer).map(({ clientClosed }) => clientClosed),
      [true, true],
    );
    assert.deepEqual([started, ended.filter((one) => one === 'call').length], [1, 2]);
  });

  for (const [what, request] of [
    ['a closed connection', GET.replace('Host', 'Connection: close\r\nHost')],
    ['HTTP/1.0', GET.replace('1.1', '1.0')],
    [
      'a body that was not read',
      GET.replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 9000\r\n\r\n'),
    ],
  ] as const)
    it(`names no client for a complete response with ${what}`, async () => {
      const testServer = await open({});
      const peer = await sendRaw(testServer.port, request);
      await peer.until(/\r\n\r\n[^]*[}\]]$/);
      peer.destroy();
      await until(() => testServer.lines.length > 0);
      assert.deepEqual(
        linesOf(testServer).map(({ clientClosed }) => clientClosed),
        [undefined],
      );
    });

  it('frees the call although the record fails, and does not end the process', async () => {
    const measure = (): never => {
      throw new Error('no meter');
    };
    const testServer = await open({ deps: { measure } });
    const peer = await sendRaw(testServer.port, GET);
    await until(() => ended.length > 0);
    assert.deepEqual(columns(testServer.lines, 'level', 'message'), [['error', 'request not recorded']]);
    peer.destroy();
  });

  describe('that is streamed', () => {
    const streaming = (pieces: () => AsyncGenerator<string>) => open({ operations: liveOperation(pieces) });
    const LIVE = 'GET /live HTTP/1.1\r\nHost: a\r\n\r\n';
    const endless = async function* () {
      yield 'first';
      await new Promise(() => undefined);
    };

    it('is recorded when the stream ends', async () => {
      const testServer = await streaming(endless);
      const peer = await sendRaw(testServer.port, LIVE);
      await peer.until(/first/);
      assert.equal(testServer.lines.length, 0);
      now += 60_000;
      peer.destroy();
      await until(() => testServer.lines.length > 0);
      assert.deepEqual(linesOf(testServer), [{ status: 200, clientClosed: true, ms: 60_000 }]);
    });

    it('does not blame the client for a failure of the source', async () => {
      const testServer = await streaming(async function* () {
        yield await Promise.resolve('first');
        throw new Error('no more');
      });
      const peer = await sendRaw(testServer.port, LIVE);
      await peer.closed();
      const [failure, line] = testServer.lines;
      assert.match(failure?.message ?? '', /^response failed after its head/);
      assert.deepEqual([line?.fields['status'], line?.fields['clientClosed']], [200, undefined]);
    });
  });
});

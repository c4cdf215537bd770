import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { openUpstream } from '../../src/upstream/open-upstream.js';
import { adapterSettings, type WrittenAdapter } from '../support/adapter-settings.js';
import { problem } from '../support/failing.js';
import { freePort } from '../support/free-port.js';
import { listenOnLoopback } from '../support/loopback.js';
import { openedByTest } from '../support/opened.js';

const neverAborted = (): AbortSignal => new AbortController().signal;

describe('the connection check of an adapter without a health path', () => {
  let [url, bytes, connections] = ['', 0, 0];
  const opened = openedByTest();
  beforeEach(async () => {
    [bytes, connections] = [0, 0];
    const server = createServer((socket) => {
      connections += 1;
      socket.on('data', (chunk) => (bytes += chunk.length)).on('error', () => undefined);
    });
    url = `http://${(await opened(listenOnLoopback(server))).host}`;
  });

  async function check(written: WrittenAdapter): Promise<'absent' | 'ok'> {
    const upstream = openUpstream(adapterSettings(written), {});
    try {
      if (!upstream.checkConnection) return 'absent';
      await upstream.checkConnection(neverAborted());
      return 'ok';
    } finally {
      await upstream.close();
    }
  }

  it('opens one connection and sends no bytes', async () => {
    assert.equal(await check({ baseUrl: url }), 'ok');
    assert.deepEqual([connections, bytes], [1, 0]);
  });

  it('reports a port that refuses connections', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    await assert.rejects(check({ baseUrl }), problem('upstream_unreachable', /refuses connections/));
  });

  it('succeeds if one of several base URLs accepts connections', async () => {
    assert.equal(await check({ baseUrls: [`http://127.0.0.1:${await freePort()}`, url] }), 'ok');
  });

  it('exists with an interval of 0 for tests on request, and not for the health type "none"', async () => {
    assert.equal(await check({ baseUrl: url, health: { intervalSeconds: 0 } }), 'ok');
    assert.equal(await check({ baseUrl: url, health: { type: 'none' } }), 'absent');
    assert.equal(connections, 1);
  });

  it('does not exist for an http: base URL behind a proxy, which would accept for an orchestrator that is down', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    assert.equal(await check({ baseUrl, proxy: url }), 'absent');
    assert.equal(connections, 0);
  });
});

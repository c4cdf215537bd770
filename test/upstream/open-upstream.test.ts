import assert from 'node:assert/strict';
import type { OutboundRequest } from '../../src/core/adapter.js';
import type { WrittenAdapter } from '../support/adapter-settings.js';
import { problem } from '../support/failing.js';
import { correct, startHostileUpstream, type HostileUpstream } from '../support/hostile-upstream.js';
import { GET, neverAborted, POST, upstreamsOfTest } from './upstreams.js';

describe('the upstream of an adapter', () => {
  let nso: HostileUpstream;
  const { opened, open: openUpstream } = upstreamsOfTest();
  beforeEach(async () => {
    nso = await opened(startHostileUpstream([correct]));
  });
  const open = (auth: WrittenAdapter = { type: 'none' }) =>
    openUpstream({ baseUrl: `${nso.origin}/restconf/`, auth, retry: { attempts: 1 } });

  async function sendOne(auth: WrittenAdapter, request: Partial<OutboundRequest>): Promise<string[]> {
    await open(auth).send({ ...GET, path: '/', ...request }, neverAborted());
    return (nso.received()[0] ?? '').split('\r\n');
  }

  it('sends the path below the base URL, the headers of the plugin and the credentials, and nothing else', async () => {
    const auth = { type: 'basic', username: 'ädmin', password: 'pä:ss' };
    const headers = { accept: 'application/yang-data+json', 'content-type': 'application/yang-data+json' };
    const request = { method: 'PUT', path: '/data/x=a%2Fb?depth=1', headers, body: Buffer.from('{}') };
    assert.deepEqual(await sendOne(auth, request), [
      'PUT /restconf/data/x=a%2Fb?depth=1 HTTP/1.1',
      `host: 127.0.0.1:${nso.port}`,
      'connection: keep-alive',
      'user-agent: gatehouse',
      'accept: application/yang-data+json',
      'content-type: application/yang-data+json',
      `authorization: Basic ${Buffer.from('ädmin:pä:ss').toString('base64')}`,
      'accept-encoding: identity',
      'content-length: 2',
      '',
      '{}',
    ]);
  });

  it('sends a GET or DELETE with a body on a connection of its own, unless isolateBodies is false', async () => {
    for (const isolateBodies of [true, false]) {
      const orchestrator = await opened(startHostileUpstream([correct]));
      const upstream = openUpstream({ baseUrl: orchestrator.origin, isolateBodies });
      for (const method of ['POST', 'GET', 'DELETE', 'POST'])
        await upstream.send({ ...POST, path: '/', method }, neverAborted());
      const closed = orchestrator.received().filter((text) => /^connection: close/im.test(text));
      const methods = closed.map((text) => [...text.matchAll(/(\w+) \/ HTTP/g)].map(([, method]) => method));
      assert.deepEqual(methods, isolateBodies ? [['GET'], ['DELETE']] : []);
    }
  });

  it('sends a bearer token, or no credentials', async () => {
    assert.ok((await sendOne({ type: 'bearer', token: 't0k' }, {})).includes('authorization: Bearer t0k'));
    await open().send(GET, neverAborted());
    assert.doesNotMatch(nso.received().at(-1) ?? '', /authorization/i);
  });

  it('has the status of an idle adapter before its first call', () => {
    const upstream = open();
    const { baseUrls, current, connectionReuse, ...counts } = upstream.status?.() ?? {};
    assert.deepEqual(new Set(Object.values(counts)), new Set([0]));
    assert.equal(current, `${nso.origin}/restconf`);
    assert.equal(connectionReuse, 'on');
    const idle = { url: `${nso.origin}/restconf`, breaker: 'closed', waitMs: 0, failures: 0, inFlight: 0 };
    assert.deepEqual(baseUrls, [idle]);
  });

  it('refuses a call after it was closed, although it was never used', async () => {
    const upstream = open();
    await upstream.close();
    await assert.rejects(async () => upstream.send(GET, neverAborted()), { code: 'adapter_unavailable' });
    assert.deepEqual(nso.received(), []);
  });

  it('refuses a path that could leave the base URL, without a connection', async () => {
    await assert.rejects(sendOne({ type: 'none' }, { path: '/%2e%2e/secret' }), problem('invalid_path'));
    assert.equal(nso.connections(), 0);
  });

  it('sends a header with "_" in its name, which only plugins may set', async () => {
    assert.ok((await sendOne({ type: 'none' }, { headers: { x_api_key: 'k' } })).includes('x_api_key: k'));
  });

  it('throws plugin_failed for a reserved header of the plugin, and does not show its value', async () => {
    const auth = { type: 'header', name: 'X-Auth-Token', value: 'v' };
    const reserved =
      'Authorization cookie Host connection content-length transfer-encoding x-forwarded-for forwarded x-auth-token';
    for (const name of [...reserved.split(' '), 'bad name'])
      await assert.rejects(sendOne(auth, { headers: { [name]: 'hunter2' } }), (error) => {
        problem('plugin_failed', new RegExp(`header "${name}"`))(error);
        assert.doesNotMatch((error as Error).message, /hunter2/);
        return true;
      });
    await assert.rejects(sendOne(auth, { headers: { ok: 'a\r\nb' } }), /line break/);
    assert.equal(nso.connections(), 0);
  });
});

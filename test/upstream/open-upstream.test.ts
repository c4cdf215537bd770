import assert from 'node:assert/strict';
import type { OutboundRequest } from '../../src/core/adapter.js';
import { Problem } from '../../src/core/problem.js';
import { Secret } from '../../src/core/secret.js';
import type { AdapterAuthSettings, AdapterSettings } from '../../src/settings/adapter.js';
import { openUpstream } from '../../src/upstream/open-upstream.js';
import { upstreamFaults } from '../../src/upstream/upstream-faults.js';
import { adapterSettings } from '../support/adapter-settings.js';
import { correct, startHostileUpstream, type HostileUpstream } from '../support/hostile-upstream.js';
import { openedByTest } from '../support/opened.js';

const NEVER_ABORTED = new AbortController().signal;

const settingsFor = (baseUrl: string, auth: AdapterAuthSettings = { type: 'none' }): AdapterSettings => ({
  ...adapterSettings({ baseUrl: 'http://x', retry: { attempts: 1 }, replyBytes: 10_000 }),
  baseUrl,
  auth,
});

const requestFor = (path: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  path,
  headers: {},
  ...more,
});

describe('the upstream of an adapter', () => {
  let nso: HostileUpstream;
  const opened = openedByTest();
  beforeEach(async () => {
    nso = await opened(startHostileUpstream([correct]));
  });
  const open = (auth?: AdapterAuthSettings) => opened(openUpstream(settingsFor(nso.origin, auth), {}));

  async function sendOne(auth: AdapterAuthSettings, request: OutboundRequest): Promise<string[]> {
    const upstream = await opened(openUpstream(settingsFor(`${nso.origin}/restconf/`, auth), {}));
    await upstream.send(request, NEVER_ABORTED);
    return (nso.received()[0] ?? '').split('\r\n');
  }

  it('sends the path below the base URL, the headers of the plugin and the credentials, and nothing else', async () => {
    const auth = { type: 'basic', username: 'ädmin', password: new Secret('pä:ss') } as const;
    const headers = { accept: 'application/yang-data+json', 'content-type': 'application/yang-data+json' };
    const body = Buffer.from('{}');
    assert.deepEqual(
      await sendOne(auth, requestFor('/data/x=a%2Fb?depth=1', { method: 'PUT', headers, body })),
      [
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
      ],
    );
  });

  it('sends a GET or DELETE with a body on a connection of its own, unless isolateBodies is false', async () => {
    const body = Buffer.from('{}');
    const requests = (['POST', 'GET', 'DELETE', 'POST'] as const).map((method) =>
      requestFor('/', { method, body }),
    );
    for (const isolateBodies of [true, false]) {
      const orchestrator = await opened(startHostileUpstream([correct]));
      const settings = { ...settingsFor(orchestrator.origin), isolateBodies };
      const upstream = await opened(openUpstream(settings, {}));
      for (const request of requests) await upstream.send(request, NEVER_ABORTED);
      const closed = orchestrator.received().filter((text) => /^connection: close/im.test(text));
      const methods = closed.map((text) => [...text.matchAll(/(\w+) \/ HTTP/g)].map(([, method]) => method));
      assert.deepEqual(methods, isolateBodies ? [['GET'], ['DELETE']] : []);
    }
  });

  it('sends a bearer token, a configured header, or no credentials', async () => {
    for (const [auth, line] of [
      [{ type: 'bearer', token: new Secret('t0k') }, 'authorization: Bearer t0k'],
      [{ type: 'header', name: 'X-Auth-Token', value: new Secret('v') }, 'x-auth-token: v'],
      [{ type: 'none' }, 'user-agent: gatehouse'],
    ] as const) {
      await (await open(auth)).send(requestFor('/'), NEVER_ABORTED);
      assert.ok(nso.received().at(-1)?.includes(`\r\n${line}\r\n`), line);
    }
    assert.doesNotMatch(nso.received().at(-1) ?? '', /authorization|x-auth-token/i);
  });

  it('has the status of an idle adapter before its first call', async () => {
    const upstream = await open();
    const { baseUrls, current, connectionReuse, ...counts } = upstream.status?.() ?? {};
    assert.deepEqual(new Set(Object.values(counts)), new Set([0]));
    assert.equal(current, nso.origin);
    assert.equal(connectionReuse, 'on');
    const [first] = baseUrls ?? [];
    assert.deepEqual(first, { url: nso.origin, breaker: 'closed', waitMs: 0, failures: 0, inFlight: 0 });
  });

  it('refuses a call after it was closed, although it was never used', async () => {
    const upstream = await open();
    await upstream.close();
    const late = async () => upstream.send(requestFor('/late'), NEVER_ABORTED);
    await assert.rejects(late, { code: 'adapter_unavailable' });
    assert.deepEqual(nso.received(), []);
  });

  it('refuses a path that could leave the base URL, without a connection', async () => {
    const call = sendOne({ type: 'none' }, requestFor('/%2e%2e/secret'));
    await assert.rejects(call, (error) => error instanceof Problem && error.code === 'invalid_path');
    assert.equal(nso.connections(), 0);
  });

  it('sends a header with "_" in its name, which only plugins may set', async () => {
    await sendOne({ type: 'none' }, requestFor('/', { headers: { x_api_key: 'k' } }));
    assert.match(nso.received().at(-1) ?? '', /\r\nx_api_key: k\r\n/);
  });

  it('throws plugin_failed for a reserved header of the plugin, and does not show its value', async () => {
    const auth = { type: 'header', name: 'X-Auth-Token', value: new Secret('v') } as const;
    for (const name of [
      'Authorization',
      'cookie',
      'Host',
      'connection',
      'content-length',
      'transfer-encoding',
      'x-forwarded-for',
      ...['forwarded', 'x-auth-token', 'bad name'],
    ]) {
      await assert.rejects(sendOne(auth, requestFor('/', { headers: { [name]: 'hunter2' } })), (error) => {
        assert.ok(error instanceof Problem && error.code === 'plugin_failed');
        assert.match(error.message, new RegExp(`header "${name}"`));
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      });
    }
    await assert.rejects(sendOne(auth, requestFor('/', { headers: { ok: 'a\r\nb' } })), /line break/);
    assert.equal(nso.connections(), 0);
  });

  it('keeps the credentials out of its errors', async () => {
    const away = await startHostileUpstream([correct]);
    await away.close();
    const auth = { type: 'bearer', token: new Secret('hunter2') } as const;
    const upstream = await opened(openUpstream(settingsFor(away.origin, auth), {}));
    await assert.rejects(upstream.send(requestFor('/?q=hunter2'), NEVER_ABORTED), (error) => {
      assert.ok(error instanceof Problem);
      assert.equal(error.code, 'upstream_unreachable');
      assert.doesNotMatch(error.message + String(error.cause) + String(error.stack), /hunter2/);
      return true;
    });
  });
});

describe('upstreamFaults of base URL and credentials', () => {
  const pointersOf = (settings: AdapterSettings) => upstreamFaults(settings).map(({ pointer }) => pointer);

  it('is empty for valid settings', () => {
    for (const auth of [
      { type: 'none' },
      { type: 'basic', username: 'ü', password: new Secret('a:b\n') },
      { type: 'bearer', token: new Secret('a.b') },
      { type: 'header', name: 'X_Token', value: new Secret('') },
    ] as const) {
      assert.deepEqual(pointersOf(settingsFor('https://nso.example/restconf', auth)), []);
    }
  });

  it('locates an invalid base URL, and does not repeat it', () => {
    const faults = upstreamFaults(settingsFor('https://admin:hunter2@nso.example/'));
    assert.equal(faults[0]?.pointer, '/baseUrl');
    assert.doesNotMatch(JSON.stringify(faults), /hunter2/);
  });

  it('locates credentials that no header can carry, and does not repeat them', () => {
    for (const [auth, pointer] of [
      [{ type: 'basic', username: 'a:b', password: new Secret('') }, '/auth/username'],
      [{ type: 'bearer', token: new Secret('hunter2\n') }, '/auth/token'],
      [{ type: 'header', name: 'X', value: new Secret('hunter2\r\nY: z') }, '/auth/value'],
      [{ type: 'header', name: 'Host', value: new Secret('hunter2') }, '/auth/name'],
      [{ type: 'header', name: 'a b', value: new Secret('hunter2') }, '/auth/name'],
    ] as const) {
      const faults = upstreamFaults(settingsFor('https://nso.example', auth));
      assert.deepEqual(
        faults.map((fault) => fault.pointer),
        [pointer],
      );
      assert.doesNotMatch(JSON.stringify(faults), /hunter2/);
    }
  });
});

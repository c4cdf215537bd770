import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Problem } from '../../../src/core/problem.js';
import type { CacheRule, CachedReply, ReadCache, ReadCacheSettings } from '../../../src/core/read-cache.js';
import type { Upstream } from '../../../src/core/upstream.js';
import { type CacheChanges, createCacheChanges } from '../../../src/features/cache/cache-changes.js';
import { createCachePool } from '../../../src/features/cache/cache-pool.js';
import { openReadCache } from '../../../src/features/cache/open-read-cache.js';
import { withReadCache } from '../../../src/features/cache/with-read-cache.js';
import { openUpstream } from '../../../src/upstream/open-upstream.js';
import { adapterSettings } from '../../support/adapter-settings.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { openedByTest } from '../../support/opened.js';
import { streamRequest } from '../../support/stream-request.js';
import { until } from '../../support/until.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const RULE: CacheRule = {
  ...{ paths: ['/**'], ttlSeconds: 60, maxSeconds: 3600, staleIfErrorSeconds: 0 },
  ...{ overridesReplies: false, perRoles: false, notFound: false },
};
const SETTINGS: ReadCacheSettings = {
  ...{ rules: [RULE], maxEntries: 100, maxBytes: 1_000_000, changesAll: ['/**/operations/**'] },
};

interface Caller {
  readonly accept?: string;
  readonly roles?: readonly string[];
  readonly signal?: AbortSignal;
}

const never = (): AbortSignal => new AbortController().signal;

describe('the read cache of an adapter', () => {
  const opened = openedByTest();
  let baseUrl: string;
  let clock: FakeScheduler;
  let changes: CacheChanges;
  let cache: ReadCache;
  let upstream: Upstream;
  /** Requests that arrived, as `METHOD path`. */
  let arrived: IncomingMessage[];
  let answer: Answer;

  beforeEach(async () => {
    arrived = [];
    answer = (_request, response) => response.end(String(arrived.length));
    const server = createServer((request, response) => {
      arrived.push(request);
      request.resume();
      answer(request, response);
    });
    baseUrl = `http://${(await opened(listenOnLoopback(server))).host}`;
    clock = createFakeScheduler();
    changes = createCacheChanges();
    open();
  });

  function open(more: Partial<ReadCacheSettings> = {}, pool = createCachePool(10_000_000)): void {
    const limits = { retry: { attempts: 1 }, breaker: { failures: 0 }, timeouts: { totalMs: 10_000 } };
    const settings = adapterSettings({ baseUrl, ...limits });
    cache = openReadCache({ ...SETTINGS, ...more }, { adapter: 'nso1', clock, changes, pool });
    upstream = withReadCache(openUpstream(settings, {}), cache);
    void opened(upstream);
  }
  const rule = (more: Partial<CacheRule>): void => {
    open({ rules: [{ ...RULE, ...more }] });
  };
  const read = async (path: string, caller: Caller = {}): Promise<CachedReply> => {
    const { accept = 'application/json', roles = [], signal = never() } = caller;
    const query = { request: { method: 'GET', path, headers: { accept } }, path, roles, signal };
    const cached = upstream.cachedRead?.(query, (sent, ended) => upstream.send(sent, ended));
    assert.ok(cached, 'the cache covers the path');
    return cached;
  };
  const text = async (path: string, caller?: Caller) => (await read(path, caller)).reply.body.toString();
  /** Asks a cache, whose orchestrator answers so. */
  const readFrom = (one: ReadCache, path: string, { body = Buffer.alloc(100), method = 'GET' } = {}) =>
    one.read({ request: { method, path, headers: {} }, path, roles: [], signal: never() }, () =>
      Promise.resolve({ status: 200, headers: {}, body }),
    );
  /** Holds replies back. Returns a function that sends the reply to the latest request. */
  const holdReplies = (write = (response: ServerResponse): unknown => response.end('x')) => {
    let release: () => unknown = () => undefined;
    answer = (_request, response) => {
      release = () => write(response);
    };
    return () => release();
  };
  /** Returns those of the paths that are not read from the cache. */
  const forgotten = async (paths: readonly string[]) => {
    arrived = [];
    for (const path of paths) await read(path);
    return arrived.map(({ url }) => url);
  };
  const act = (method: string, path: string) => upstream.send({ method, path, headers: {} }, never());
  const headers =
    (more: Readonly<Record<string, string | string[]>>, status = 200): Answer =>
    (_request, response) => {
      response.writeHead(status, more).end(String(arrived.length));
    };
  /** Reads a path twice. Returns true if the second read was answered without a request. */
  const isCached = async (path = '/a'): Promise<boolean> => {
    const before = arrived.length;
    await read(path);
    await read(path);
    return arrived.length === before + 1;
  };

  it('answers the same query once from the orchestrator, and then from the cache with its age', async () => {
    const first = await read('/a?depth=1');
    assert.deepEqual(first.cache, { isHit: false, ageSeconds: 0, status: 'gatehouse; fwd=uri-miss; stored' });
    await clock.pass(20_000);
    const second = await read('/a?depth=1');
    assert.equal(second.reply.body.toString(), '1');
    assert.deepEqual(second.cache, { isHit: true, ageSeconds: 20, status: 'gatehouse; hit; ttl=40' });
    assert.equal(await text('/a?depth=2'), '2');
    assert.equal(await text('/a?depth=1', { accept: 'text/plain' }), '3');
    await clock.pass(40_000);
    assert.equal(await text('/a?depth=1'), '4');
    const { hits, misses, entries } = cache.status();
    assert.deepEqual({ hits, misses, entries }, { hits: 1, misses: 4, entries: 3 });
  });

  it('covers only paths of its rules, and only GET', () => {
    rule({ paths: ['/a/*'] });
    for (const path of ['/b', '/a/b/c', `/a/${'b'.repeat(9_000)}`])
      assert.equal(readFrom(cache, path), undefined, path.slice(0, 9));
    assert.equal(readFrom(cache, '/a/b', { method: 'POST' }), undefined);
  });

  for (const [what, more] of [
    ['no-store', { 'cache-control': 'no-store' }],
    ['private', { 'cache-control': 'max-age=60, Private' }],
    ['no-cache', { 'cache-control': 'no-cache' }],
    ['Pragma: no-cache', { pragma: 'no-cache' }],
    ['max-age=0', { 'cache-control': 'max-age=0' }],
    ['a negative max-age', { 'cache-control': 'max-age=-60' }],
    ['two values of max-age', { 'cache-control': ['max-age=60, max-age=0'] }],
    ['Expires in the past', { expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }],
    ['Expires that is no date', { expires: '0' }],
    ['Set-Cookie', { 'set-cookie': 'a=b' }],
    ['Vary: *', { vary: 'accept, *' }],
    ['a huge Vary', { vary: Array.from({ length: 900 }, (_none, at) => `x-${at}`).join(', ') }],
    ['an age beyond its freshness', { 'cache-control': 'max-age=60', age: '100' }],
  ] as const)
    it(`asks again for a reply with ${what}`, async () => {
      answer = headers({ ...more } as Record<string, string>);
      assert.equal(await isCached(), false);
    });

  it('uses the freshness of a rule that overrides replies, but stores no reply with no-store, Set-Cookie or Vary: *', async () => {
    rule({ overridesReplies: true });
    answer = headers({ 'cache-control': 'private, no-cache, max-age=0', pragma: 'no-cache', age: '900' });
    assert.equal(await isCached(), true);
    await clock.pass(60_000);
    assert.equal(await text('/a'), '2');
    const refused = [{ 'cache-control': 'No-Store, no-cache' }, { 'set-cookie': 'a=b' }, { vary: '*' }];
    for (const [at, more] of refused.entries()) {
      answer = headers({ ...more });
      assert.equal(await isCached(`/${at}`), false);
    }
  });

  it('uses the freshness of the reply before that of the rule, up to the longest one', async () => {
    rule({ maxSeconds: 100 });
    answer = headers({ 'cache-control': 'public, max-age=500' });
    assert.equal(await isCached(), true);
    await clock.pass(99_000);
    assert.equal(await text('/a'), '1');
    await clock.pass(1_000);
    assert.equal(await text('/a'), '2');
  });

  it('does not let an age that is no number make a reply younger', async () => {
    for (const age of ['-1000', '-1', 'x', '1e9', '99999999999999999999']) {
      answer = headers({ 'cache-control': 'max-age=10', age });
      const path = `/age/${arrived.length}`;
      await read(path);
      await clock.pass(10_000);
      const before = arrived.length;
      await read(path);
      assert.equal(arrived.length, before + 1, age);
    }
  });

  it('stores no status but 200, and 404 if the rule says so', async () => {
    for (const status of [201, 203, 204, 206, 300, 301, 400, 401, 403, 404, 410, 500, 503]) {
      answer = headers({ 'cache-control': 'max-age=60' }, status);
      assert.equal(await isCached(`/${status}`), false, String(status));
    }
    rule({ notFound: true });
    answer = headers({}, 404);
    assert.equal(await isCached(), true);
  });

  it('validates a stale reply with its entity tag and its date, by a 304 with its length (bug: every later read failed)', async () => {
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    answer = (request, response) => {
      const validators = { etag: '"v1"', 'last-modified': date, 'content-length': 4 };
      if (request.headers['if-none-match'] === '"v1"')
        response.writeHead(304, { ...validators, 'x-new': '1' }).end();
      else response.writeHead(200, validators).end('body');
    };
    rule({ ttlSeconds: 0 });
    assert.equal(await text('/a'), 'body');
    for (let again = 0; again < 3; again += 1) {
      const { reply, cache: result } = await read('/a');
      assert.deepEqual([reply.status, reply.body.toString(), reply.headers['x-new']], [200, 'body', '1']);
      assert.equal(result.status, 'gatehouse; fwd=stale; fwd-status=304; stored');
    }
    assert.equal(arrived[1]?.headers['if-modified-since'], date);
  });

  it('asks once more without conditions if a 304 names another entity tag', async () => {
    answer = (request, response) => {
      if (request.headers['if-none-match'] !== undefined) response.writeHead(304, { etag: '"other"' }).end();
      else response.writeHead(200, { etag: '"v1"' }).end(String(arrived.length));
    };
    rule({ ttlSeconds: 0 });
    await read('/a');
    assert.equal(await text('/a'), '3');
  });

  it('uses a stale reply within its bound if the orchestrator fails', async () => {
    rule({ staleIfErrorSeconds: 30 });
    await read('/a');
    answer = headers({}, 503);
    await clock.pass(80_000);
    const stale = await read('/a');
    assert.equal(stale.reply.body.toString(), '1');
    const status = 'gatehouse; hit; ttl=-20; detail=STALE_IF_ERROR';
    assert.deepEqual(stale.cache, { isHit: true, ageSeconds: 80, status });
    answer = (_request, response) => response.destroy();
    assert.equal(await text('/a'), '1');
    assert.equal(cache.status().stale, 2);
    await clock.pass(10_000);
    await assert.rejects(read('/a'), Problem);
    answer = headers({}, 503);
    assert.equal((await read('/a')).reply.status, 503);
  });

  it('uses no stale reply that forbids it, or for an error of the caller', async () => {
    rule({ staleIfErrorSeconds: 30 });
    for (const [control, failure] of [
      ['max-age=60, must-revalidate', 502],
      ['max-age=60, proxy-revalidate', 502],
      ['max-age=60, stale-if-error=0', 502],
      ['max-age=60', 403],
    ] as const) {
      answer = headers({ 'cache-control': control });
      const path = `/s/${arrived.length}`;
      await read(path);
      await clock.pass(70_000);
      answer = headers({}, failure);
      assert.equal((await read(path)).reply.status, failure, control);
    }
  });

  it('sends one request for 100 callers at once', async () => {
    const release = holdReplies((response) => response.end('once'));
    const callers = Array.from({ length: 100 }, () => read('/a'));
    await until(() => arrived.length === 1);
    release();
    const replies = await Promise.all(callers);
    assert.equal(arrived.length, 1);
    assert.deepEqual(new Set(replies.map(({ reply }) => reply.body.toString())), new Set(['once']));
    assert.equal(replies.filter(({ cache: { isHit } }) => isHit).length, 99);
    assert.match(replies[1]?.cache.status ?? '', /; collapsed$/);
  });

  it('passes a failure to all callers that share a request', async () => {
    answer = (_request, response) => response.destroy();
    const results = await Promise.allSettled([read('/a'), read('/a')]);
    assert.ok(results.every(({ status }) => status === 'rejected'));
    answer = headers({});
    assert.equal((await read('/a')).reply.status, 200);
  });

  it('cancels a request when its last caller leaves, and not before', async () => {
    const release = holdReplies();
    const [first, second] = [new AbortController(), new AbortController()];
    const gone = new Error('gone');
    const one = read('/a', { signal: first.signal });
    const other = read('/a', { signal: second.signal });
    await until(() => arrived.length === 1);
    first.abort(gone);
    await assert.rejects(one, gone);
    release();
    assert.equal((await other).reply.body.toString(), 'x');
    const third = new AbortController();
    const last = read('/b', { signal: third.signal });
    await until(() => arrived.length === 2);
    third.abort(gone);
    await assert.rejects(last, gone);
    await until(() => arrived[1]?.socket.destroyed === true);
  });

  it('separates callers with different roles if the rule says so', async () => {
    rule({ perRoles: true });
    assert.equal(await text('/a', { roles: ['admin', 'noc'] }), '1');
    assert.equal(await text('/a', { roles: ['noc', 'admin'] }), '1');
    assert.equal(await text('/a', { roles: ['admin'] }), '2');
    rule({});
    assert.equal(await text('/b', { roles: ['admin'] }), '3');
    assert.equal(await text('/b', { roles: [] }), '3');
  });

  const tree = ['/d', '/d/e', '/d/e/f', '/d/device=1/x', '/b'];
  for (const [method, path, expected] of [
    ['PATCH', '/d/e?force=1', ['/d', '/d/e', '/d/e/f']],
    // A POST may be an action of the parent.
    ['POST', '/d/sync-from/?dry-run', ['/d', '/d/e', '/d/e/f', '/d/device=1/x']],
    ['POST', '/restconf/operations/reboot', tree],
    ['GET', '/d', []],
  ] as const)
    it(`forgets what ${method} ${path} may have changed, and nothing else`, async () => {
      for (const one of tree) await read(one);
      await act(method, path);
      assert.deepEqual(await forgotten(tree), expected);
    });

  it('forgets everything after a method by name', async () => {
    for (const path of tree) await read(path);
    await cache.changed(null);
    assert.deepEqual(await forgotten(tree), tree);
  });

  it('forgets also after a change that failed, because it may have been carried out', async () => {
    await read('/a');
    answer = (_request, response) => response.destroy();
    await assert.rejects(act('PUT', '/a'));
    answer = (_request, response) => response.end(String(arrived.length));
    assert.equal(await text('/a'), '3');
  });

  it('does not store a reply to a query that a change overtook, and does not share its request', async () => {
    const releaseEarly = holdReplies((response) => response.end('before'));
    const early = read('/a/b');
    await until(() => arrived.length === 1);
    answer = (_request, response) => response.end('after');
    await act('PUT', '/a');
    assert.equal(await text('/a/b'), 'after');
    releaseEarly();
    assert.equal((await early).reply.body.toString(), 'before');
    assert.equal(await text('/a/b'), 'after');
    assert.equal(arrived.length, 3);
  });

  it('forgets again when the reply of a forwarded change ends, because the orchestrator may work on after its head', async () => {
    let finish = (): void => undefined;
    answer = (request, response) => {
      if (request.method === 'GET') response.end(String(arrived.length));
      else {
        response.write('begun');
        finish = () => response.end('done');
      }
    };
    assert.ok(upstream.pass);
    const { body } = await upstream.pass(streamRequest({ method: 'PUT', path: '/a' }), never());
    assert.equal(await text('/a'), '2');
    const ended = new Promise((resolve) => body.once('close', resolve));
    body.resume();
    finish();
    await ended;
    assert.equal(await text('/a'), '3');
  });

  for (const [what, more] of [
    ['no-store', { 'cache-control': 'No-Store' }],
    ['Set-Cookie', { 'set-cookie': 'a=b' }],
  ] as const)
    it(`shares no reply with ${what} between callers who asked at once`, async () => {
      const release = holdReplies((response) => response.writeHead(200, more).end('first'));
      const both = [text('/a'), text('/a')];
      await until(() => arrived.length === 1);
      answer = headers(more);
      release();
      assert.deepEqual(await Promise.all(both), ['first', '2']);
    });

  it('sends nothing for a caller who has already left', async () => {
    await assert.rejects(read('/a', { signal: AbortSignal.abort(new Error('left')) }), /left/);
    assert.equal(await text('/a'), '1');
  });

  it('takes a 304 to conditions of the plugin for nothing else than the reply to them', async () => {
    const ask = async () => {
      const request = { method: 'GET', path: '/a', headers: { 'If-None-Match': '"b"' } };
      const query = { request, path: '/a', roles: [], signal: never() };
      return (await cache.read(query, (sent, ended) => upstream.send(sent, ended)))?.reply.status;
    };
    rule({ ttlSeconds: 1 });
    answer = headers({});
    assert.equal(await ask(), 200);
    await clock.pass(2_000);
    answer = headers({}, 304);
    assert.equal(await ask(), 304);
  });

  it('counts the segments of a path, and keeps no memory beside a body', async () => {
    open({ maxBytes: 100_000 });
    const path = '/a'.repeat(4_000);
    const spacious = Buffer.alloc(50_000).subarray(0, 10);
    await readFrom(cache, path, { body: spacious });
    assert.equal(cache.status().entries, 0);
    await readFrom(cache, '/a', { body: spacious });
    assert.equal((await readFrom(cache, '/a', { body: spacious }))?.reply.body.buffer.byteLength, 10);
  });

  it('follows changes of other processes', async () => {
    await read('/a/b');
    for (const [adapter, path, expected] of [
      ['nso2', '/a', '1'],
      ['nso1', '/a', '2'],
      [null, null, '3'],
    ] as const) {
      changes.apply({ adapter, path });
      assert.equal(await text('/a/b'), expected);
    }
  });

  it('waits until other processes know a change, and does not fail if they cannot', async () => {
    const sent: unknown[] = [];
    changes.addSender((change, origin) => {
      sent.push([change, origin]);
      return Promise.reject(new Error('away'));
    });
    await act('DELETE', '/a');
    assert.deepEqual(sent, [[{ adapter: 'nso1', path: '/a' }, 'process']]);
  });

  it('keeps its limits for 10,000 paths, and evicts the least recently used reply', async () => {
    await readFrom(cache, '/kept');
    for (let at = 0; at < 10_000; at += 1) {
      await readFrom(cache, `/p/${at}`);
      if (at % 50 === 0) await readFrom(cache, '/kept');
    }
    const { entries, bytes, evictions } = cache.status();
    assert.deepEqual([entries, evictions], [100, 9_901]);
    assert.ok(bytes <= 1_000_000);
    assert.equal((await readFrom(cache, '/kept'))?.cache.isHit, true);
    open({ maxBytes: 10_000 });
    for (let at = 0; at < 100; at += 1) await readFrom(cache, `/p/${at}`);
    assert.ok(cache.status().bytes <= 10_000);
    open({ maxBytes: 1_000 });
    await readFrom(cache, '/too-large');
    assert.equal(cache.status().entries, 0);
  });

  it('shares the size of the process with other caches', async () => {
    const pool = createCachePool(20_000);
    const deps = { clock, changes, pool };
    const caches = ['one', 'two'].map((adapter) => openReadCache(SETTINGS, { adapter, ...deps }));
    const fill = async (one: ReadCache, count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) await readFrom(one, `/${at}`);
    };
    const [one, two] = caches as [ReadCache, ReadCache];
    await fill(one, 50);
    await fill(two, 5);
    assert.ok(one.status().bytes + two.status().bytes <= 20_000);
    assert.equal(two.status().entries, 5);
    one.close();
    await fill(two, 50);
    assert.ok(two.status().bytes > 10_000);
    two.close();
  });

  it('holds nothing after it was closed', async () => {
    await read('/a');
    cache.close();
    assert.equal(cache.status().entries, 0);
    assert.equal(await text('/a'), '2');
    assert.equal(cache.status().entries, 0);
  });
});

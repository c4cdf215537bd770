import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { UpstreamReply } from '../../../src/core/adapter.js';
import { Problem } from '../../../src/core/problem.js';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import type { CallTerms } from '../../../src/core/upstream.js';
import { openYang, type OpenYang } from '../../../src/features/yang-forms/index.js';
import type { SearchLimits } from '../../../src/features/yang-forms/module-search.js';
import { yangFromAdapters } from '../../../src/features/yang-forms/yang-from-adapters.js';
import type { YangRequest, YangResult } from '../../../src/features/yang-forms/yang.js';
import type { AdmitQuery } from '../../../src/http/limit-caller.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler, type FakeScheduler } from '../../support/fake-scheduler.js';
import { UNLIMITED } from '../../support/limits.js';
import { policyWith } from '../../support/policy-with.js';
import { until } from '../../support/until.js';
import { YANG_LIMITS } from '../../support/yang-limits.js';
import { memoryYangModels } from '../../support/yang-models.js';

const BASE = 'https://nso.example';
const COUNT = 8;
const LIBRARY = JSON.stringify({
  'ietf-yang-library:modules-state': {
    module: Array.from({ length: COUNT }, (_, at) => ({ name: `m${at}`, revision: '', schema: `/m${at}` })),
  },
});

function moduleText(at: number): string {
  const next = at + 1 < COUNT ? `import m${at + 1} { prefix n; }` : '';
  return `module m${at} { namespace "urn:m${at}"; prefix m; ${next} }`;
}

function replyAt(path: string): string | undefined {
  if (path.endsWith('modules-state')) return LIBRARY;
  const [, at] = /^\/m(\d+)$/.exec(path) ?? [];
  return at === undefined ? undefined : moduleText(Number(at));
}

type Send = (path: string, signal: AbortSignal, terms?: CallTerms) => Promise<UpstreamReply>;

const replying = (text: string | undefined) =>
  Promise.resolve({ status: text === undefined ? 404 : 200, headers: {}, body: Buffer.from(text ?? '') });
const answering: Send = (path) => replying(replyAt(path));
const silent: Send = (_path, signal) =>
  once(signal, 'abort').then(() => {
    throw new Error('aborted');
  });

/** Returns a function that notes the paths that it sends. */
function noting(send: Send) {
  const asked: string[] = [];
  const noted: Send = (path, ...more) => {
    asked.push(path);
    return send(path, ...more);
  };
  return { asked, send: noted };
}

function instanceOf(send: Send): AdapterInstance {
  const adapter = {
    translate: ({ path }: { path: string }) => [{ method: 'GET', path, headers: {} }] as const,
  };
  const upstream = {
    send: ({ path }: { path: string }, signal: AbortSignal, terms?: CallTerms) => send(path, signal, terms),
    status: () => ({ baseUrls: [{ url: BASE }] }),
  };
  return { ready: () => Promise.resolve({ adapter, upstream }) } as unknown as AdapterInstance;
}

describe('yangFromAdapters', () => {
  let yang: OpenYang;
  let clock: FakeScheduler;
  let admitQuery: AdmitQuery;
  before(() => {
    yang = openYang({ yangPath: [], yang: YANG_LIMITS }, { models: memoryYangModels(), now: () => 0 });
  });
  beforeEach(() => {
    clock = createFakeScheduler();
    admitQuery = UNLIMITED;
  });
  after(() => yang.close());

  function compile(send: Send, limits: Partial<SearchLimits>, signal: AbortSignal): Promise<YangResult> {
    const compiler = yangFromAdapters(yang, {
      leaseAdapter: (_id, _signal, work) => work(instanceOf(send), policyWith()),
      renew: () => Promise.resolve(false),
      scheduler: clock,
      requireQueryRole: () => undefined,
      admitQuery,
      limits,
    });
    const text = 'module top { namespace "urn:top"; prefix t; import m0 { prefix m; } }';
    const request: YangRequest = {
      ...{ texts: [text], features: {}, deviations: [], dialect: 'plain', draft: '07', content: 'config' },
    };
    return compiler.compile({ ...request, origin: { adapterId: 'nso', address: '192.0.2.1', signal } });
  }
  const never = new AbortController().signal;
  const messagesOf = (result: YangResult) =>
    'complaints' in result ? result.complaints.map((one) => one.message) : [];

  it('follows imports from module to module', async () => {
    const result = await compile(answering, {}, never);
    assert.ok('schemas' in result, messagesOf(result).join());
    assert.equal(result.fetched?.length, COUNT);
  });

  it('counts a search as a query of the caller, and asks nothing when a limit refuses it', async () => {
    const { asked, send } = noting(answering);
    admitQuery = (adapter) => Promise.reject(new Problem('too_many_requests', `limit of ${adapter}`));
    await assert.rejects(compile(send, {}, never), problem('too_many_requests', /limit of nso/));
    assert.deepEqual(asked, []);
  });

  it('prefers a module of the orchestrator to a module of the package', async () => {
    const importing =
      'module m0 { namespace "urn:m0"; prefix m; import ietf-inet-types { prefix i; } leaf a { type i:port-number; } }';
    const own = 'module ietf-inet-types { namespace "urn:i"; prefix i; typedef port-number { type int8; } }';
    const compileWith = async (texts: Readonly<Record<string, string>>) => {
      const module = Object.keys(texts).map((name) => ({ name, revision: '', schema: `/${name}` }));
      const library = JSON.stringify({ 'ietf-yang-library:modules-state': { module } });
      const send: Send = (path) => replying(path.endsWith('modules-state') ? library : texts[path.slice(1)]);
      const result = await compile(send, {}, never);
      assert.ok('schemas' in result, messagesOf(result).join());
      return [result.fetched, result.bundled];
    };
    const fromOrchestrator = await compileWith({ m0: importing, 'ietf-inet-types': own });
    assert.deepEqual(fromOrchestrator, [['m0', 'ietf-inet-types'], undefined]);
    assert.deepEqual(await compileWith({ m0: importing }), [['m0'], ['ietf-inet-types@2025-12-22']]);
  });

  it('stops at the maximum number of modules and of bytes', async () => {
    const bytes = moduleText(0).length + moduleText(1).length + 1;
    for (const [limits, expected] of [
      [{ modules: 5 }, /"m5" is missing.*"nso" already received 5 requests for modules/],
      [{ bytes }, /"m2" is missing.*more than \d+ bytes together/],
    ] as const)
      assert.match(messagesOf(await compile(answering, limits, never))[0] ?? '', expected);
  });

  it('stops reading a module that exceeds the maximum together with the others, while it arrives', async () => {
    let arrived = 0;
    const endless: Send = async (path, signal, terms) => {
      const memory = terms?.memory?.open();
      for (; path === '/m1' && arrived < 100; arrived += 1) memory?.resize((arrived + 1) * 1000);
      return answering(path, signal);
    };
    const [message] = messagesOf(await compile(endless, { bytes: 10_000 }, never));
    assert.match(message ?? '', /"m1" is missing.*more than 10000 bytes together/);
    assert.equal(arrived, 10);
  });

  it('stops waiting for a module at the time limit', async () => {
    const { asked, send } = noting((path, signal) => (path === '/m3' ? silent : answering)(path, signal));
    const result = compile(send, { milliseconds: 1000 }, never);
    await until(() => asked.includes('/m3'));
    await clock.pass(1000);
    assert.match(messagesOf(await result)[0] ?? '', /"m3" is missing.*takes longer than 1000 ms/);
  });

  it('stops waiting for the library at the time limit', async () => {
    const { asked, send } = noting(silent);
    const result = compile(send, { milliseconds: 1000 }, never);
    const refused = assert.rejects(result, { code: 'upstream_timeout' });
    await until(() => asked.length > 0);
    await clock.pass(1000);
    await refused;
    assert.equal(clock.next(), undefined);
  });

  it('stops fetching when the caller disconnects', async () => {
    const caller = new AbortController();
    const { asked, send } = noting(silent);
    const refused = assert.rejects(compile(send, {}, caller.signal), /aborted/);
    await until(() => asked.length > 0);
    caller.abort();
    await refused;
    assert.equal(asked.length, 1);
    assert.equal(clock.next(), undefined);
  });

  it('treats a reply that is not JSON or not text as missing', async () => {
    const garbled: Send = () =>
      Promise.resolve({ status: 200, headers: {}, body: Buffer.from([0xff, 0xfe]) });
    assert.match(messagesOf(await compile(garbled, {}, never))[0] ?? '', /lists no modules/);
    const half: Send = (path, signal) => (path === '/m0' ? garbled(path, signal) : answering(path, signal));
    assert.match(messagesOf(await compile(half, {}, never))[0] ?? '', /the reply of "nso" at \/m0 is not m0/);
  });
});

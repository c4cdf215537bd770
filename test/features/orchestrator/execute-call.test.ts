import assert from 'node:assert/strict';
import type { OutboundRequest, RestCall } from '../../../src/core/adapter.js';
import { Problem, type ProblemExtras } from '../../../src/core/problem.js';
import { createReplyMemories } from '../../../src/core/reply-memory.js';
import { type AdapterInstance, adapterOf, type Snapshot } from '../../../src/core/snapshot.js';
import {
  type CallResult,
  executeCall,
  type OrchestratorManagerDeps,
} from '../../../src/features/orchestrator/execute-call.js';
import { restAction } from '../../../src/features/orchestrator/operations.js';
import { column } from '../../support/columns.js';
import { problem } from '../../support/failing.js';
import { operationCall } from '../../support/operation-call.js';
import { policyWith } from '../../support/policy-with.js';

const CALL: RestCall = { kind: 'action', method: 'POST', path: '/a', accept: 'application/json' };
const never = new AbortController().signal;

/**
 * Creates an instance whose translation is a list of paths and whose orchestrator answers with a list of
 * statuses.
 */
function instanceWith(paths: readonly string[], statuses: readonly number[]) {
  const sent: OutboundRequest[] = [];
  const calls: RestCall[] = [];
  const adapter = {
    translate(call: RestCall) {
      calls.push(call);
      return paths.map((path) => ({ method: 'POST', path, headers: {} }));
    },
  };
  const send = (request: OutboundRequest) => {
    sent.push(request);
    return Promise.resolve({ status: statuses[sent.length - 1] ?? 0, headers: {}, body: Buffer.alloc(0) });
  };
  const ready = () => Promise.resolve({ adapter, upstream: { send } });
  return { instance: { id: 'core1', ready } as unknown as AdapterInstance, sent, calls };
}

/**
 * Creates dependencies whose live snapshot has the first instance, and the next instance after each
 * successful renewal.
 */
function depsWith(...instances: readonly AdapterInstance[]) {
  const renewed: string[] = [];
  const deps: OrchestratorManagerDeps = {
    leaseAdapter: async (adapterId, _signal, work) => {
      const live = instances[Math.min(renewed.length, instances.length - 1)];
      const snapshot = { adapters: new Map([['core1', live]]), access: new Map() } as unknown as Snapshot;
      return work(adapterOf(snapshot, adapterId, undefined), policyWith());
    },
    renew: ({ id }) => {
      renewed.push(id);
      return Promise.resolve(renewed.length < instances.length);
    },
  };
  return { deps, renewed };
}

function execute(deps: OrchestratorManagerDeps, adapterId = 'core1'): Promise<CallResult> {
  const request = {
    operation: 'orchestrator-manager.restQuery',
    adapterId,
    call: CALL,
    signal: never,
    memory: createReplyMemories().open(adapterId),
  } as const;
  return executeCall(request, deps, (result) => result);
}

interface Action {
  readonly params?: object;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly bound?: { readonly adapter: string };
}

async function act(deps: OrchestratorManagerDeps, { params, body = {}, bound }: Action = {}) {
  const sent = { params: { path: '/a', accept: 'a/b', ...params }, body: { ...body } };
  const call = operationCall({ params: { adapterId: 'core1' }, body: sent, ...(bound && { bound }) });
  return restAction.handle(call, deps);
}

describe('executeCall', () => {
  it('sends the requests of the translation in order', async () => {
    const { instance, sent } = instanceWith(['/a', '/b', '/c'], [200, 201, 204]);
    const { replies, last } = await execute(depsWith(instance).deps);
    assert.deepEqual(column(sent, 'path'), ['/a', '/b', '/c']);
    assert.deepEqual(column(replies, 'status'), [200, 201, 204]);
    assert.equal(last.status, 204);
  });

  it('stops after the first reply of 400 or above, and restAction returns one result for each sent request', async () => {
    const { instance, sent } = instanceWith(['/a', '/b', '/c'], [200, 409, 200]);
    const { body: results, outcome } = await act(depsWith(instance).deps);
    assert.equal(sent.length, 2);
    assert.deepEqual([results, outcome], [[{ result: '200' }, { result: '409' }], '200 409']);
  });

  it('returns the headers that the upstream gives a caller for the request of each reply', async () => {
    const { instance } = instanceWith(['/a', '/b'], [200, 201]);
    const { adapter, upstream } = await instance.ready();
    const callerHeaders = (_headers: object, path = '') => ({ location: path });
    const ready = () => Promise.resolve({ adapter, upstream: { ...upstream, callerHeaders } });
    const reply = async (by: AdapterInstance) => {
      const { body } = await act(depsWith(by).deps, { params: { responseBody: true } });
      return String((body as { rawJson: Buffer }).rawJson);
    };
    const [a, b] = ['/a', '/b'].map((path) => `"headers":{"location":"${path}"},"body":""}`);
    assert.equal(await reply({ ...instance, ready }), `[{"result":"200",${a},{"result":"201",${b}]`);
    const { instance: other } = instanceWith(['/a'], [200]);
    assert.equal(await reply(other), '[{"result":"200","headers":{},"body":""}]');
  });

  it('passes no body for {} to the plugin, and the method in upper case, by default POST', async () => {
    for (const [params, body, method, sentBody] of [
      [{}, {}, 'POST', undefined],
      [{ method: 'patch' }, { a: 1 }, 'PATCH', '{"a":1}'],
    ] as const) {
      const { instance, calls } = instanceWith(['/a'], [200]);
      await act(depsWith(instance).deps, { params, body });
      assert.deepEqual([calls[0]?.method, calls[0]?.body?.toString()], [method, sentBody]);
    }
  });

  it('sends no approved call to an adapter that was replaced by another target (bug: a call that waited was sent)', async () => {
    const { instance, sent } = instanceWith(['/a'], [200]);
    const { deps } = depsWith({ ...instance, target: 'now' });
    const run = (adapter: string) => act(deps, { bound: { adapter } });
    await assert.rejects(run('before'), problem('proposal_outdated', /"core1" has another target/));
    assert.equal(sent.length, 0);
    await run('now');
    assert.equal(sent.length, 1);
  });

  it('rejects the name of an inherited property as an unknown adapter', async () => {
    const { deps } = depsWith();
    await assert.rejects(execute(deps, '__proto__'), /there is no adapter "__proto__"/);
  });
});

/** Creates an instance whose upstream rejects each request with a refusal of the credentials. */
function refusingWith(extras: ProblemExtras = {}, method = 'POST'): AdapterInstance {
  const adapter = { translate: () => [{ method, path: '/a', headers: {} }] };
  const send = () => Promise.reject(new Problem('upstream_auth', 'the login was refused', extras));
  const ready = () => Promise.resolve({ adapter, upstream: { send } });
  return { id: 'core1', ready } as unknown as AdapterInstance;
}

describe('executeCall with credentials that the orchestrator rejects', () => {
  const refusing = [401];
  const REPETITIONS = [
    ['S-08 sends the call once more if newer credentials are found', [refusing, [200, 204]], 204, [1, 2]],
    ['returns the rejection without newer credentials', [refusing], 401, [1]],
    ['returns the rejection after a repetition', [refusing, refusing], 401, [1, 1]],
    [
      'sends the call again if its newer credentials are replaced meanwhile (bug: it failed)',
      [refusing, refusing, [200, 204]],
      204,
      [1, 1, 2],
    ],
    ['gives up after three repetitions', Array<number[]>(6).fill(refusing), 401, [1, 1, 1, 1, 0, 0]],
    ['does not repeat a call of which a part was carried out', [[200, 401], [200, 200]], 401, [2, 0]],
  ] as const; // prettier-ignore
  for (const [title, statuses, last, counts] of REPETITIONS)
    it(title, async () => {
      const opened = statuses.map((answers) => instanceWith(['/a', '/b'], answers));
      const { deps, renewed } = depsWith(...opened.map(({ instance }) => instance));
      assert.equal((await execute(deps)).last.status, last);
      assert.deepEqual(opened.map(({ sent }) => sent.length), counts); // prettier-ignore
      assert.ok(renewed.every((id) => id === 'core1'));
    });

  it('S-08 sends the call once more after a rejected login, because nothing was sent', async () => {
    const next = instanceWith(['/a'], [200]);
    const refusing = refusingWith({ isUnsent: true });
    assert.equal((await execute(depsWith(refusing, next.instance).deps)).last.status, 200);
    await assert.rejects(execute(depsWith(refusing).deps), /the login was refused/);
  });

  it('sends a change only once if it may have been sent before the refusal, and renews the credentials (bug: it was sent twice)', async () => {
    const next = instanceWith(['/a'], [200]);
    const { deps, renewed } = depsWith(refusingWith(), next.instance);
    await assert.rejects(execute(deps), problem('upstream_auth'));
    assert.deepEqual([renewed, next.sent.length], [['core1'], 0]);
    assert.equal((await execute(deps)).last.status, 200);
    const query = depsWith(refusingWith({}, 'GET'), instanceWith(['/a'], [200]).instance);
    assert.equal((await execute(query.deps)).last.status, 200, 'a query is repeated');
  });

  it('sends the call once more if the start was refused the credentials, because nothing was sent', async () => {
    const next = instanceWith(['/a'], [200]);
    const cause = new Problem('upstream_auth', 'credentials refused');
    const failed = new Problem('adapter_unavailable', 'the adapter has not started', { cause });
    const starting = { ...instanceWith(['/a'], []).instance, ready: () => Promise.reject(failed) };
    const { deps, renewed } = depsWith(starting, next.instance);
    assert.equal((await execute(deps)).last.status, 200);
    assert.deepEqual(renewed, ['core1']);
    await assert.rejects(execute(depsWith(starting).deps), (error) => error === failed);
  });
});

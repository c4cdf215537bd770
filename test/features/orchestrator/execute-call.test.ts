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

function act(deps: OrchestratorManagerDeps, params: object, body: Record<string, unknown> = {}) {
  const sent = { params: { path: '/a', accept: 'a/b', ...params }, body };
  return restAction.handle(operationCall({ params: { adapterId: 'core1' }, body: sent }), deps);
}

describe('executeCall', () => {
  it('sends the requests of the translation in order', async () => {
    const { instance, sent } = instanceWith(['/a', '/b', '/c'], [200, 201, 204]);
    const { replies, last } = await execute(depsWith(instance).deps);
    assert.deepEqual(sent.map(({ path }) => path), ['/a', '/b', '/c']); // prettier-ignore
    assert.deepEqual(replies.map(({ status }) => status), [200, 201, 204]); // prettier-ignore
    assert.equal(last.status, 204);
  });

  it('stops after the first reply of 400 or above, and restAction returns one result for each sent request', async () => {
    const { instance, sent } = instanceWith(['/a', '/b', '/c'], [200, 409, 200]);
    const { body: results, outcome } = await act(depsWith(instance).deps, {});
    assert.equal(sent.length, 2);
    assert.deepEqual([results, outcome], [[{ result: '200' }, { result: '409' }], '200 409']);
  });

  it('returns the headers that the upstream gives a caller for the request of each reply', async () => {
    const { instance } = instanceWith(['/a', '/b'], [200, 201]);
    const { adapter, upstream } = await instance.ready();
    const callerHeaders = (_headers: object, path = '') => ({ location: path });
    const ready = () => Promise.resolve({ adapter, upstream: { ...upstream, callerHeaders } });
    const reply = async (by: AdapterInstance) => {
      const { body } = await act(depsWith(by).deps, { responseBody: true });
      return String((body as { rawJson: Buffer }).rawJson);
    };
    assert.equal(
      await reply({ ...instance, ready }),
      '[{"result":"200","headers":{"location":"/a"},"body":""},{"result":"201","headers":{"location":"/b"},"body":""}]',
    );
    const { instance: other } = instanceWith(['/a'], [200]);
    assert.equal(await reply(other), '[{"result":"200","headers":{},"body":""}]');
  });

  const bodies: readonly (readonly [object, string | undefined, string])[] = [
    [{}, undefined, 'no body for {}'],
    [{ a: 1 }, '{"a":1}', 'the body otherwise'],
  ];
  for (const [body, sentBody, title] of bodies) {
    it(`passes ${title} to the plugin, with the method in upper case and POST as the default`, async () => {
      for (const [method, expected] of [
        [undefined, 'POST'],
        ['patch', 'PATCH'],
      ] as const) {
        const { instance, calls } = instanceWith(['/a'], [200]);
        await act(depsWith(instance).deps, method ? { method } : {}, { ...body });
        assert.deepEqual([calls[0]?.method, calls[0]?.body?.toString()], [expected, sentBody]);
      }
    });
  }

  it('sends no approved call to an adapter that was replaced by another target (bug: a call that waited was sent)', async () => {
    const { instance, sent } = instanceWith(['/a'], [200]);
    const { deps } = depsWith({ ...instance, target: 'now' });
    const call = operationCall({
      params: { adapterId: 'core1' },
      body: { params: { path: '/a', accept: 'a/b' }, body: {} },
    });
    const run = (adapter: string) =>
      Promise.resolve(restAction.handle({ ...call, bound: { adapter } }, deps));
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
  it('S-08 sends the call once more if newer credentials are found', async () => {
    const [old, next] = [instanceWith(['/a', '/b'], [401]), instanceWith(['/a', '/b'], [200, 204])];
    const { deps, renewed } = depsWith(old.instance, next.instance);
    const { replies } = await execute(deps);
    assert.deepEqual([renewed, old.sent.length, replies.map(({ status }) => status)], [['core1'], 1, [200, 204]]); // prettier-ignore
  });

  it('returns the rejection without newer credentials, also after a repetition', async () => {
    const only = instanceWith(['/a'], [401]);
    assert.equal((await execute(depsWith(only.instance).deps)).last.status, 401);
    assert.equal(only.sent.length, 1);
    const [old, next] = [instanceWith(['/a'], [401]), instanceWith(['/a'], [401])];
    assert.equal((await execute(depsWith(old.instance, next.instance).deps)).last.status, 401);
    assert.equal(next.sent.length, 1);
  });

  it('sends the call again if its newer credentials are replaced meanwhile (bug: it failed)', async () => {
    const refused = [instanceWith(['/a'], [401]), instanceWith(['/a'], [401])];
    const next = instanceWith(['/a'], [200]);
    const { deps, renewed } = depsWith(...refused.map(({ instance }) => instance), next.instance);
    assert.equal((await execute(deps)).last.status, 200);
    assert.deepEqual([renewed.length, refused.map(({ sent }) => sent.length)], [2, [1, 1]]);
  });

  it('gives up after three repetitions', async () => {
    const refusing = Array.from({ length: 9 }, () => instanceWith(['/a'], [401]));
    const { deps } = depsWith(...refusing.map(({ instance }) => instance));
    assert.equal((await execute(deps)).last.status, 401);
    assert.equal(refusing.flatMap(({ sent }) => sent).length, 4);
  });

  it('does not repeat a call of which a part was carried out', async () => {
    const { instance, sent } = instanceWith(['/a', '/b'], [200, 401]);
    const { deps, renewed } = depsWith(instance, instance);
    assert.equal((await execute(deps)).last.status, 401);
    assert.deepEqual([sent.length, renewed], [2, []]);
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
  });

  it('repeats a query that was sent before the refusal', async () => {
    const next = instanceWith(['/a'], [200]);
    const { deps } = depsWith(refusingWith({}, 'GET'), next.instance);
    assert.equal((await execute(deps)).last.status, 200);
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

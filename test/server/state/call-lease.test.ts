import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Adapter, UpstreamReply } from '../../../src/core/adapter.js';
import { Problem } from '../../../src/core/problem.js';
import { createReplyMemories } from '../../../src/core/reply-memory.js';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import { executeCall } from '../../../src/features/orchestrator/execute-call.js';
import { createLeaseAdapter } from '../../../src/features/orchestrator/lease-adapter.js';
import { restQuery } from '../../../src/features/orchestrator/operations.js';
import type { ActiveSnapshot } from '../../../src/server/state/snapshot.js';
import { SnapshotHolder } from '../../../src/server/state/swap.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { operationCall } from '../../support/operation-call.js';
import { policyWith } from '../../support/policy-with.js';

const reply = (status: number): UpstreamReply => ({ status, headers: {}, body: Buffer.from('"a"') });

describe('a reload during a call', () => {
  let steps: string[];
  let live: SnapshotHolder<ActiveSnapshot>;
  /** Answers the request that the latest call has sent. */
  let answer: (sent: UpstreamReply | Problem) => void;

  /** Creates a snapshot whose plugin notes when it reads a reply, and when it is stopped. */
  function snapshot(name: string): ActiveSnapshot {
    const adapter: Adapter = {
      translate: () => [{ method: 'GET', path: '/a', headers: {} }],
      shape(_call, { status }) {
        steps.push(`${name} shapes ${status}`);
        return {};
      },
    };
    const send = () =>
      new Promise<UpstreamReply>((resolve, reject) => {
        steps.push(`${name} sends`);
        answer = (sent) => {
          if (sent instanceof Problem) reject(sent);
          else resolve(sent);
        };
      });
    const upstream = { send, close: () => Promise.resolve() };
    const instance = { id: 'core1', type: 'test', ready: () => Promise.resolve({ adapter, upstream }) };
    return {
      adapters: new Map([['core1', instance as unknown as AdapterInstance]]),
      access: new Map([['core1', policyWith()]]),
      suspended: new Map(),
      written: new Map(),
      close() {
        steps.push(`${name} stops`);
        return Promise.resolve();
      },
    } as unknown as ActiveSnapshot;
  }

  function open(renewed: boolean) {
    const leaseAdapter = createLeaseAdapter({ current: live, scheduler: createFakeScheduler() });
    return {
      leaseAdapter,
      renew: () => {
        if (renewed) void live.swap(snapshot('new'));
        return Promise.resolve(renewed);
      },
    };
  }

  beforeEach(() => {
    steps = [];
    live = new SnapshotHolder(snapshot('old'));
  });

  const query = (deps: ReturnType<typeof open>, signal = new AbortController().signal) =>
    restQuery.handle(
      operationCall({
        params: { adapterId: 'core1' },
        body: { params: { path: '/a', accept: 'application/json' } },
        signal,
      }),
      deps,
    );

  it('stops the plugin after it has shaped the reply (bug: before)', async () => {
    const result = query(open(false));
    await setImmediate();
    const swapped = live.swap(snapshot('new'));
    answer(reply(200));
    await Promise.all([result, swapped]);
    assert.deepEqual(steps, ['old sends', 'old shapes 200', 'old stops']);
  });

  it('stops the plugin after the call of a client that has left in the middle', async () => {
    const caller = new AbortController();
    const result = query(open(false), caller.signal);
    await setImmediate();
    const swapped = live.swap(snapshot('new'));
    caller.abort();
    await setImmediate();
    assert.deepEqual(steps, ['old sends']);
    answer(new Problem('caller_gone', 'The caller disconnected.'));
    await assert.rejects(Promise.resolve(result), /The caller disconnected/);
    await swapped;
    assert.deepEqual(steps, ['old sends', 'old stops']);
  });

  it('leases the next adapter for a repetition, and does not wait for itself', async () => {
    const result = query(open(true));
    await setImmediate();
    answer(reply(401));
    await setImmediate();
    assert.deepEqual(steps, ['old sends', 'new sends']);
    answer(reply(200));
    await result;
    await setImmediate();
    assert.deepEqual(steps, ['old sends', 'new sends', 'new shapes 200', 'old stops']);
  });

  it('waits for what the caller of the call makes of an asynchronous result', async () => {
    const call = { kind: 'query', method: 'GET', path: '/a', accept: 'application/json' } as const;
    const { signal } = new AbortController();
    const request = {
      operation: 'orchestrator-manager.restQuery',
      adapterId: 'core1',
      call,
      signal,
      memory: createReplyMemories().open('core1'),
    } as const;
    const result = executeCall(request, open(false), async () => {
      await setImmediate();
      steps.push('used');
    });
    await setImmediate();
    const swapped = live.swap(snapshot('new'));
    answer(reply(200));
    await Promise.all([result, swapped]);
    assert.deepEqual(steps, ['old sends', 'used', 'old stops']);
  });
});

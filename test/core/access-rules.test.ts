import assert from 'node:assert/strict';
import { createIdleInstance } from '../../src/adapters/instance.js';
import type { AccessRule } from '../../src/core/access.js';
import type { RestCall } from '../../src/core/adapter.js';
import type { Principal } from '../../src/core/principal.js';
import { createReplyMemories } from '../../src/core/reply-memory.js';
import type { AdapterInstance } from '../../src/core/snapshot.js';
import { executeCall, type OrchestratorManagerDeps } from '../../src/features/orchestrator/execute-call.js';
import { problem } from '../support/failing.js';
import { policyWith } from '../support/policy-with.js';

const CALL: RestCall = { kind: 'query', method: 'GET', path: '/data/x', accept: 'application/json' };
const signal = new AbortController().signal;

function start(access?: readonly AccessRule[]) {
  const steps: string[] = [];
  const instance: AdapterInstance = {
    ...createIdleInstance('core1', 'test', { name: 'RUNNING' }),
    ready: () =>
      Promise.resolve({
        adapter: {
          translate: ({ method, path }) => {
            steps.push('translate');
            return [{ method, path, headers: {} }];
          },
        },
        upstream: {
          send: () => {
            steps.push('send');
            return Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(0) });
          },
          close: () => Promise.resolve(),
        },
      }),
  };
  const deps: OrchestratorManagerDeps = {
    leaseAdapter: (_id, _signal, work) => work(instance, policyWith(access)),
    renew: () => Promise.resolve(false),
  };
  const memory = createReplyMemories().open('core1');
  const execute = (call: RestCall, caller: { readonly principal?: Principal } = {}) =>
    executeCall(
      { operation: 'orchestrator-manager.restQuery', adapterId: 'core1', call, signal, memory, ...caller },
      deps,
      (result) => result,
    );
  return { execute, steps };
}

const callerWith = (...roles: readonly string[]) => {
  const principal: Principal = { subject: 'ada', issuer: 'i', roles, expiresAt: 0 };
  return { principal };
};

describe('the access rules of an adapter', () => {
  it('refuse a call before the plugin translates it', async () => {
    const { execute, steps } = start([{ roles: ['engineering'], methods: ['GET'], paths: ['/data/**'] }]);
    await assert.rejects(execute(CALL, callerWith('admin')), problem('adapter_forbidden', /GET/));
    const action: RestCall = { ...CALL, method: 'DELETE' };
    await assert.rejects(execute(action, callerWith('engineering')), problem('adapter_forbidden'));
    const elsewhere = execute({ ...CALL, path: '/rpc' }, callerWith('engineering'));
    await assert.rejects(elsewhere, problem('adapter_forbidden'));
    assert.deepEqual(steps, []);
  });

  it('admit a call that at least one rule admits', async () => {
    const { execute, steps } = start([{ roles: ['admin'] }, { methods: ['GET'] }]);
    await execute(CALL, callerWith('engineering'));
    assert.deepEqual(steps, ['translate', 'send']);
  });
});

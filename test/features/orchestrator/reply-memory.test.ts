import assert from 'node:assert/strict';
import type { Call } from '../../../src/core/operation.js';
import { createReplyMemories } from '../../../src/core/reply-memory.js';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import type { CallTerms, Upstream } from '../../../src/core/upstream.js';
import { callAdapterMethod } from '../../../src/features/adapters/adapter-methods.js';
import type { AdaptersDeps } from '../../../src/features/adapters/deps.js';
import type { OrchestratorManagerDeps } from '../../../src/features/orchestrator/execute-call.js';
import { restAction, restQuery } from '../../../src/features/orchestrator/operations.js';
import { createQueryChoices } from '../../../src/features/tasks/query-choices.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { UNLIMITED } from '../../support/limits.js';
import { operationCall } from '../../support/operation-call.js';
import { policyWith } from '../../support/policy-with.js';

const BODY = Buffer.from('["a"]');
const REPLY = { status: 200, headers: { 'content-type': 'application/json' }, body: BODY };
const PRINCIPAL = { subject: 'ada', issuer: 'i', roles: ['admin'], expiresAt: 4e9 };

function start(bytes: number) {
  const replyMemories = createReplyMemories(bytes);
  const reply = async (_sent: unknown, _signal: unknown, terms?: CallTerms) => {
    terms?.memory?.open().resize(BODY.length);
    return Promise.resolve(REPLY);
  };
  const methods = () => Promise.resolve([{ name: 'get', summary: '', input: { type: 'object' } }]);
  const upstream: Partial<Upstream> = { send: reply, methods, callMethod: reply };
  const adapter = { translate: () => [{ method: 'GET', path: '/a', headers: {} }] };
  const instance = { id: 'core1', type: 't', ready: () => Promise.resolve({ adapter, upstream }) };
  const deps: OrchestratorManagerDeps = {
    leaseAdapter: (_id, _terms, work) => work(instance as unknown as AdapterInstance, policyWith()),
    renew: () => Promise.resolve(false),
    replyMemories,
  };
  const adapters = { ...deps, compile: () => () => ({ violations: [] }) } as unknown as AdaptersDeps;
  const params = { adapterId: 'core1', method: 'get' };
  const accept = 'application/json';
  const calls = [
    () => restQuery.handle(operationCall({ params, body: { params: { path: '/a', accept } } }), deps),
    () => {
      const body = { params: { path: '/a', accept, responseBody: true }, body: {} };
      return restAction.handle(operationCall({ params, body }), deps);
    },
    () => callAdapterMethod.handle(operationCall({ params, body: {} }), adapters),
  ];
  return { deps, replyMemories, calls };
}

describe('the memory of the reply to a call', () => {
  it('is reserved until the response of a query, action or method has been sent', async () => {
    const { replyMemories, calls } = start(1000);
    for (const handle of calls) {
      const reply = await handle();
      assert.equal(replyMemories.reserved, BODY.length);
      reply.onEnd?.();
      assert.equal(replyMemories.reserved, 0);
    }
  });

  it('refuses a query, action or method whose reply has no room, and frees what was reserved', async () => {
    const { replyMemories, calls } = start(4);
    for (const handle of calls) await assert.rejects(async () => handle(), problem('overloaded'));
    assert.equal(replyMemories.reserved, 0);
  });

  it('is freed when the choices of a form have been read', async () => {
    const { deps, replyMemories } = start(1000);
    const choices = createQueryChoices(deps, createFakeScheduler(), UNLIMITED);
    const call = { principal: PRINCIPAL, signal: new AbortController().signal } as unknown as Call;
    const asked = { adapterId: 'core1', params: { path: '/a', accept: '*/*' }, sender: PRINCIPAL };
    assert.deepEqual(await choices(asked, call), ['a']);
    assert.equal(replyMemories.reserved, 0);
  });
});

import assert from 'node:assert/strict';
import type { Call } from '../../../src/core/operation.js';
import { createReplyMemories } from '../../../src/core/reply-memory.js';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import type { Upstream } from '../../../src/core/upstream.js';
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
  const upstream: Partial<Upstream> = {
    send(_request, _signal, terms) {
      terms?.memory?.open().resize(BODY.length);
      return Promise.resolve(REPLY);
    },
    methods: () => Promise.resolve([{ name: 'get', summary: '', input: { type: 'object' } }]),
    callMethod(_call, _signal, terms) {
      terms?.memory?.open().resize(BODY.length);
      return Promise.resolve(REPLY);
    },
  };
  const adapter = { translate: () => [{ method: 'GET', path: '/a', headers: {} }] };
  const instance = { id: 'core1', type: 't', ready: () => Promise.resolve({ adapter, upstream }) };
  const deps: OrchestratorManagerDeps = {
    leaseAdapter: (_id, _terms, work) => work(instance as unknown as AdapterInstance, policyWith()),
    renew: () => Promise.resolve(false),
    replyMemories,
  };
  return { deps, replyMemories };
}

const PARAMS = { path: '/a', accept: 'application/json' };
const query = () => operationCall({ params: { adapterId: 'core1' }, body: { params: PARAMS } });
const action = () =>
  operationCall({
    params: { adapterId: 'core1' },
    body: { params: { ...PARAMS, responseBody: true }, body: {} },
  });
const methodCall = () => operationCall({ params: { adapterId: 'core1', method: 'get' }, body: {} });

describe('the memory of the reply to a call', () => {
  it('is reserved until the response of a query, action or method has been sent', async () => {
    const { deps, replyMemories } = start(1000);
    const adapters = { ...deps, compile: () => () => ({ violations: [] }) } as unknown as AdaptersDeps;
    for (const handle of [
      () => restQuery.handle(query(), deps),
      () => restAction.handle(action(), deps),
      () => callAdapterMethod.handle(methodCall(), adapters),
    ]) {
      const reply = await handle();
      assert.equal(replyMemories.reserved, BODY.length);
      reply.onEnd?.();
      assert.equal(replyMemories.reserved, 0);
    }
  });

  it('refuses a query, action or method whose reply has no room, and frees what was reserved', async () => {
    const { deps, replyMemories } = start(4);
    const adapters = { ...deps, compile: () => () => ({ violations: [] }) } as unknown as AdaptersDeps;
    await assert.rejects(async () => restQuery.handle(query(), deps), problem('overloaded'));
    await assert.rejects(async () => restAction.handle(action(), deps), problem('overloaded'));
    await assert.rejects(async () => callAdapterMethod.handle(methodCall(), adapters), problem('overloaded'));
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

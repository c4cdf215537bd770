import assert from 'node:assert/strict';
import type { Call } from '../../../src/core/operation.js';
import { Problem } from '../../../src/core/problem.js';
import type { AdapterInstance, LeaseAdapter } from '../../../src/core/snapshot.js';
import { createQueryChoices } from '../../../src/features/tasks/query-choices.js';
import { problem } from '../../support/failing.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { UNLIMITED } from '../../support/limits.js';
import { policyWith } from '../../support/policy-with.js';

const SENDER = { subject: 'ada', issuer: 'https://idp.test', roles: ['admin'], expiresAt: 4e9 };

describe('queries of bound fields', () => {
  it('are counted for each caller', async () => {
    // There is no adapter: each query that is sent ends with this Problem.
    const leaseAdapter = () => Promise.reject(new Problem('adapter_not_found', 'none'));
    const orchestrator = { leaseAdapter, renew: () => Promise.resolve(false) };
    const query = createQueryChoices(orchestrator, createFakeScheduler(), UNLIMITED);
    const codeFor = (subject: string): Promise<string> => {
      const call = { principal: { ...SENDER, subject } } as unknown as Call;
      const sent = { adapterId: 'core1', params: { path: '/a', accept: '*/*' }, sender: SENDER };
      return query(sent, call).then(
        () => 'answered',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      );
    };
    for (let sent = 0; sent < 60; sent += 1) assert.equal(await codeFor('bob'), 'adapter_not_found');
    assert.equal(await codeFor('bob'), 'too_many_requests');
    assert.equal(await codeFor('carol'), 'adapter_not_found');
  });

  it('count for the limits of the person who asks, and end with them (bug: choices escaped all limits)', async () => {
    const leaseAdapter = () => Promise.reject(new Problem('adapter_not_found', 'none'));
    const orchestrator = { leaseAdapter, renew: () => Promise.resolve(false) };
    const counted: unknown[] = [];
    let running = 0;
    const query = createQueryChoices(
      orchestrator,
      createFakeScheduler(),
      (adapter, { principal, address }) => {
        counted.push([adapter, principal?.subject, address]);
        if (counted.length > 1) return Promise.reject(new Problem('too_many_requests', 'limit night'));
        running += 1;
        return Promise.resolve(() => (running -= 1));
      },
    );
    const call = { principal: { ...SENDER, subject: 'bob' }, address: '192.0.2.1' } as unknown as Call;
    const ask = () =>
      query({ adapterId: 'core1', params: { path: '/a', accept: '*/*' }, sender: SENDER }, call);
    await assert.rejects(ask(), problem('adapter_not_found'));
    assert.equal(running, 0);
    await assert.rejects(ask(), problem('too_many_requests', /limit night/));
    assert.deepEqual(counted, Array(2).fill(['core1', 'bob', '192.0.2.1']));
  });

  it('check the access rules before an answer from memory', async () => {
    let policy = policyWith([{ roles: ['admin'] }]);
    let sent = 0;
    const send = () => {
      sent += 1;
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('["a"]') });
    };
    const adapter = { translate: () => [{ method: 'GET', path: '/a', headers: {} }] };
    const instance = {
      id: 'core1',
      type: 't',
      ready: () => Promise.resolve({ adapter, upstream: { send } }),
    };
    const leaseAdapter: LeaseAdapter = (_id, _signal, work) =>
      work(instance as unknown as AdapterInstance, policy);
    const query = createQueryChoices(
      { leaseAdapter, renew: () => Promise.resolve(false) },
      createFakeScheduler(),
      UNLIMITED,
    );
    const call = { principal: SENDER, signal: new AbortController().signal } as unknown as Call;
    const ask = () =>
      query({ adapterId: 'core1', params: { path: '/a', accept: '*/*' }, sender: SENDER }, call);
    assert.deepEqual(await ask(), await ask());
    assert.equal(sent, 1);
    policy = policyWith([{ roles: ['noc'] }]);
    await assert.rejects(ask(), problem('adapter_forbidden'));
  });

  it('refuse a reply of more than 50,000 values, which took 0.2 s of the event loop', async () => {
    const send = () =>
      Promise.resolve({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(`[${Array(50_001).fill('{}').join(',')}]`),
      });
    const adapter = { translate: () => [{ method: 'GET', path: '/a', headers: {} }] };
    const instance = {
      id: 'core1',
      type: 't',
      ready: () => Promise.resolve({ adapter, upstream: { send } }),
    };
    const leaseAdapter: LeaseAdapter = (_id, _signal, work) =>
      work(instance as unknown as AdapterInstance, policyWith([{ roles: ['admin'] }]));
    const query = createQueryChoices(
      { leaseAdapter, renew: () => Promise.resolve(false) },
      createFakeScheduler(),
      UNLIMITED,
    );
    const call = { principal: SENDER, signal: new AbortController().signal } as unknown as Call;
    const asked = query({ adapterId: 'core1', params: { path: '/a', accept: '*/*' }, sender: SENDER }, call);
    await assert.rejects(asked, problem('upstream_bad_reply', /more than 50000 values/));
  });
});

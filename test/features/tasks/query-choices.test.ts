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

const ADMINS = policyWith([{ roles: ['admin'] }]);
const ASKED = { adapterId: 'core1', params: { path: '/a', accept: '*/*' }, sender: SENDER };

/** Creates the query of the choices of an adapter, which answers with a body; without one there is no adapter. */
function queryOf({ body, headers = {}, policy = () => ADMINS, admit = UNLIMITED }: QuerySetup) {
  const sent: unknown[] = [];
  const send = (request: unknown) => {
    sent.push(request);
    return Promise.resolve({ status: 200, headers, body: Buffer.from(body ?? '') });
  };
  const adapter = { translate: () => [{ method: 'GET', path: '/a', headers: {} }] };
  const ready = () => Promise.resolve({ adapter, upstream: { send } });
  const instance = { id: 'core1', type: 't', ready } as unknown as AdapterInstance;
  const leaseAdapter: LeaseAdapter = (_id, _signal, work) =>
    body === undefined ? Promise.reject(new Problem('adapter_not_found', 'none')) : work(instance, policy());
  const orchestrator = { leaseAdapter, renew: () => Promise.resolve(false) };
  const query = createQueryChoices(orchestrator, createFakeScheduler(), admit);
  const ask = (subject = 'ada') => {
    const caller = { principal: { ...SENDER, subject }, address: '192.0.2.1' };
    return query(ASKED, { ...caller, signal: new AbortController().signal } as unknown as Call);
  };
  return { ask, sent };
}

interface QuerySetup {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly policy?: () => ReturnType<typeof policyWith>;
  readonly admit?: typeof UNLIMITED;
}

describe('queries of bound fields', () => {
  it('are counted for each caller', async () => {
    const { ask } = queryOf({});
    for (let sent = 0; sent < 60; sent += 1) await assert.rejects(ask('bob'), problem('adapter_not_found'));
    await assert.rejects(ask('bob'), problem('too_many_requests'));
    await assert.rejects(ask('carol'), problem('adapter_not_found'));
  });

  it('count for the limits of the person who asks, and end with them (bug: choices escaped all limits)', async () => {
    const counted: unknown[] = [];
    let running = 0;
    const { ask } = queryOf({
      admit: (adapter, { principal, address }) => {
        counted.push([adapter, principal?.subject, address]);
        if (counted.length > 1) return Promise.reject(new Problem('too_many_requests', 'limit night'));
        running += 1;
        return Promise.resolve(() => (running -= 1));
      },
    });
    await assert.rejects(ask('bob'), problem('adapter_not_found'));
    assert.equal(running, 0);
    await assert.rejects(ask('bob'), problem('too_many_requests', /limit night/));
    assert.deepEqual(counted, Array(2).fill(['core1', 'bob', '192.0.2.1']));
  });

  it('check the access rules before an answer from memory', async () => {
    let policy = ADMINS;
    const { ask, sent } = queryOf({ body: '["a"]', policy: () => policy });
    assert.deepEqual(await ask(), await ask());
    assert.equal(sent.length, 1);
    policy = policyWith([{ roles: ['noc'] }]);
    await assert.rejects(ask(), problem('adapter_forbidden'));
  });

  it('refuse a reply of more than 50,000 values, which took 0.2 s of the event loop', async () => {
    const body = `[${Array(50_001).fill('{}').join(',')}]`;
    const { ask } = queryOf({ body, headers: { 'content-type': 'application/json' } });
    await assert.rejects(ask(), problem('upstream_bad_reply', /more than 50000 values/));
  });
});

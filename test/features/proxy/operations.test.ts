import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { AccessRule } from '../../../src/core/access.js';
import { type AdapterInstance, adapterOf, type Snapshot } from '../../../src/core/snapshot.js';
import type { StreamReply } from '../../../src/core/stream.js';
import { passThrough } from '../../../src/features/proxy/operations.js';
import { problem } from '../../support/failing.js';
import { policyWith } from '../../support/policy-with.js';
import { streamRequest, type StreamRequestOptions } from '../../support/stream-request.js';

interface PassThroughSetup {
  readonly statuses?: readonly number[];
  readonly access?: readonly AccessRule[];
  readonly isStub?: boolean;
  /** Whether the plugin of the adapter sends requests itself. */
  readonly hasOwnTransport?: boolean;
  readonly isRenewed?: boolean;
}

function setUpPassThrough(setup: PassThroughSetup) {
  const { statuses = [200], access, isStub = false, hasOwnTransport = false, isRenewed = false } = setup;
  const replies: StreamReply[] = [];
  const steps: string[] = [];
  const pass = (): Promise<StreamReply> => {
    steps.push('pass');
    const status = statuses[replies.length] ?? 200;
    const reply = { status, headers: [], body: new Readable({ read: () => undefined }) };
    replies.push(reply);
    return Promise.resolve(reply);
  };
  const adapter = hasOwnTransport ? { send: () => undefined } : {};
  const ready = () => Promise.resolve({ adapter, upstream: !isStub && { pass } });
  const instance = { id: 'core1', type: 'itential-adapter', ready } as unknown as AdapterInstance;
  const snapshot = { adapters: new Map([['core1', instance]]), access: new Map() } as unknown as Snapshot;
  const deps: Parameters<typeof passThrough.open>[1] = {
    async leaseAdapter(id, _signal, work) {
      steps.push('lease');
      const done = await work(adapterOf(snapshot, id, undefined), policyWith(access));
      steps.push('end of lease');
      return done;
    },
    policyOf: () => undefined,
    renew() {
      steps.push('renew');
      return Promise.resolve(isRenewed);
    },
  };
  const principal = { subject: 'ada', issuer: 'i', roles: ['admin'], expiresAt: 4e9 };
  const { signal } = new AbortController();
  const open = (options: StreamRequestOptions = {}, adapterId = 'core1') =>
    passThrough.open({ adapterId, request: streamRequest(options), principal, signal }, deps);
  return { open, steps, replies };
}

describe('passThrough', () => {
  it('ends its lease with the head of the reply while the body continues', async () => {
    const { open, steps } = setUpPassThrough({});
    const { body } = await open();
    assert.deepEqual([steps, body.destroyed], [['lease', 'pass', 'end of lease'], false]);
  });

  it('forwards status 403, which concerns the request', async () => {
    assert.equal((await setUpPassThrough({ statuses: [403] }).open()).status, 403);
  });

  for (const status of [401, 407])
    it(`answers ${status} as upstream_auth, because it concerns the adapter, and destroys the reply`, async () => {
      const { open, replies } = setUpPassThrough({ statuses: [status] });
      await assert.rejects(open(), problem('upstream_auth'));
      assert.equal(replies[0]!.body.destroyed, true);
    });

  for (const statuses of [
    [401, 200],
    [401, 401, 200],
  ])
    // prettier-ignore
    it(`sends a request without a body again with newer credentials, also if those are replaced (${statuses.join()})`, async () => {
      const { open, replies } = setUpPassThrough({ statuses, isRenewed: true });
      assert.equal((await open()).status, 200);
      assert.equal(replies.length, statuses.length);
    });

  it('sends a request with a body only once and renews the credentials for the next call', async () => {
    const { open, steps } = setUpPassThrough({ statuses: [401, 200], isRenewed: true });
    await assert.rejects(open({ method: 'POST', text: '{}' }), problem('upstream_auth'));
    assert.deepEqual(steps, ['lease', 'pass', 'end of lease', 'renew']);
  });

  it('gives up after three repetitions', async () => {
    const { open, replies } = setUpPassThrough({ statuses: [401, 401, 401, 401, 200], isRenewed: true });
    await assert.rejects(open(), problem('upstream_auth'));
    assert.deepEqual([replies.length, replies.every(({ body }) => body.destroyed)], [4, true]);
  });

  it('checks the access rules of the adapter against the path as the caller wrote it', async () => {
    const access = [{ methods: ['GET'], paths: ['/open/**'] }];
    const { open } = setUpPassThrough({ access });
    assert.equal((await open({ path: '/open/x?y=z' })).status, 200);
    for (const options of [{ path: '/%6fpen/x' }, { path: '/other' }, { path: '/open/x', method: 'HEAD' }])
      await assert.rejects(open(options), problem('adapter_forbidden'));
  });

  it('rejects a stub and an unknown adapter', async () => {
    await assert.rejects(setUpPassThrough({ isStub: true }).open(), problem('stub_missing'));
    await assert.rejects(setUpPassThrough({}).open({}, '__proto__'), problem('adapter_not_found'));
  });

  it('names the plugin that cannot pass requests through, and does not call its adapter a stub', async () => {
    const { open } = setUpPassThrough({ isStub: true, hasOwnTransport: true });
    await assert.rejects(open(), problem('proxy_not_supported', /"core1" .* plugin itential-adapter sends/));
  });
});

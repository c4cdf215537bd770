import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { passThrough } from '../../../src/api/proxy/pass-through.js';
import type { AccessRule } from '../../../src/core/access.js';
import { type AdapterInstance, adapterOf, type Snapshot } from '../../../src/core/snapshot.js';
import type { StreamReply } from '../../../src/core/stream.js';
import { problem } from '../../support/failing.js';
import { streamRequest, type StreamRequestOptions } from '../../support/stream-request.js';

interface Scene {
  /** Statuses that the orchestrator answers, in order. */
  readonly statuses?: readonly number[];
  readonly access?: readonly AccessRule[];
  readonly isStub?: boolean;
  /** Whether newer credentials are found. */
  readonly isRenewed?: boolean;
}

function stage({ statuses = [200], access, isStub = false, isRenewed = false }: Scene) {
  const replies: StreamReply[] = [];
  const steps: string[] = [];
  const pass = (): Promise<StreamReply> => {
    steps.push('pass');
    const status = statuses[replies.length] ?? 200;
    const reply = { status, headers: [], body: new Readable({ read: () => undefined }) };
    replies.push(reply);
    return Promise.resolve(reply);
  };
  const upstream = { ...(access && { access }), ...(!isStub && { pass }) };
  const instance = { id: 'core1', ready: () => Promise.resolve({ upstream }) } as unknown as AdapterInstance;
  const snapshot = { adapters: new Map([['core1', instance]]) } as unknown as Snapshot;
  const open = (options: StreamRequestOptions = {}, adapterId = 'core1') =>
    passThrough.open(
      {
        adapterId,
        request: streamRequest(options),
        principal: { subject: 'ada', issuer: 'i', roles: ['admin'], expiresAt: 4e9 },
        signal: new AbortController().signal,
      },
      {
        async leaseAdapter(id, _signal, work) {
          steps.push('lease');
          const done = await work(adapterOf(snapshot, id));
          steps.push('end of lease');
          return done;
        },
        renew: () => {
          steps.push('renew');
          return Promise.resolve(isRenewed);
        },
      },
    );
  return { open, steps, replies };
}

describe('the operation that passes streams on', () => {
  it('ends its lease with the head of the reply, although the body goes on', async () => {
    const { open, steps } = stage({});
    const { body } = await open();
    assert.deepEqual([steps, body.destroyed], [['lease', 'pass', 'end of lease'], false]);
  });

  it('passes 403 on, which concerns the request', async () => {
    assert.equal((await stage({ statuses: [403] }).open()).status, 403);
  });

  for (const status of [401, 407])
    it(`answers ${status} as upstream_auth, because it concerns the adapter, and lets go of the reply`, async () => {
      const { open, replies } = stage({ statuses: [status] });
      await assert.rejects(open(), problem('upstream_auth'));
      assert.equal(replies[0]!.body.destroyed, true);
    });

  it('is sent once more with newer credentials when it has no body', async () => {
    const { open, steps } = stage({ statuses: [401, 200], isRenewed: true });
    assert.equal((await open()).status, 200);
    assert.equal(steps.filter((step) => step === 'pass').length, 2);
  });

  it('is never sent twice with a body; the newer credentials serve the next call', async () => {
    const { open, steps } = stage({ statuses: [401, 200], isRenewed: true });
    await assert.rejects(open({ method: 'POST', text: '{}' }), problem('upstream_auth'));
    assert.deepEqual(steps, ['lease', 'pass', 'end of lease', 'renew']);
  });

  it('gives up after two refusals', async () => {
    const { open, replies } = stage({ statuses: [401, 401, 200], isRenewed: true });
    await assert.rejects(open(), problem('upstream_auth'));
    assert.deepEqual([replies.length, replies[1]!.body.destroyed], [2, true]);
  });

  it('asks the access rules of the adapter with the path as the caller wrote it', async () => {
    const access = [{ methods: ['GET'], paths: ['/open/**'] }];
    const { open } = stage({ access });
    assert.equal((await open({ path: '/open/x?y=z' })).status, 200);
    for (const options of [{ path: '/%6fpen/x' }, { path: '/other' }, { path: '/open/x', method: 'HEAD' }])
      await assert.rejects(open(options), problem('adapter_forbidden'));
  });

  it('has nothing to say for a stub, and for an adapter that is not there', async () => {
    await assert.rejects(stage({ isStub: true }).open(), problem('stub_missing'));
    await assert.rejects(stage({}).open({}, '__proto__'), problem('adapter_not_found'));
  });
});

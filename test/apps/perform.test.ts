import assert from 'node:assert/strict';
import { adapterOf, perform } from '../../src/apps/orchestrator-manager/perform.js';
import { restAction } from '../../src/apps/orchestrator-manager/rest-action.js';
import type { OutboundRequest, RestCall } from '../../src/domain/adapter.js';
import type { AdapterInstance, Lease, Snapshot } from '../../src/domain/snapshot.js';

const CALL: RestCall = { kind: 'action', method: 'POST', path: '/a', accept: 'application/json' };
const never = new AbortController().signal;

/** An instance whose translation is a list of paths and whose orchestrator answers with a list of statuses. */
function instanceWith(paths: readonly [string, ...string[]], statuses: readonly number[]) {
  const sent: OutboundRequest[] = [];
  const calls: RestCall[] = [];
  const requestFor = (path: string): OutboundRequest => ({ method: 'POST', path, headers: {} });
  const [first, ...others] = paths;
  const instance: AdapterInstance = {
    id: 'core1',
    type: 'test',
    state: () => ({ name: 'RUNNING' }),
    ready: () =>
      Promise.resolve({
        adapter: {
          translate: (call) => {
            calls.push(call);
            return [requestFor(first), ...others.map(requestFor)];
          },
        },
        upstream: {
          send: (request) => {
            sent.push(request);
            return Promise.resolve({
              status: statuses[sent.length - 1] ?? 0,
              headers: {},
              body: Buffer.alloc(0),
            });
          },
          close: () => Promise.resolve(),
        },
      }),
    close: () => Promise.resolve(),
  };
  return { instance, sent, calls };
}

function leaseOf(instance: AdapterInstance): Lease {
  const snapshot = { adapters: new Map([['core1', instance]]) } as unknown as Snapshot;
  return (work) => work(snapshot);
}

describe('performing a call', () => {
  it('sends the requests of the translation in order', async () => {
    const { instance, sent } = instanceWith(['/a', '/b', '/c'], [200, 201, 204]);
    const { replies, last } = await perform(instance, CALL, never);
    assert.deepEqual(sent.map(({ path }) => path), ['/a', '/b', '/c']); // prettier-ignore
    assert.deepEqual(replies.map(({ status }) => status), [200, 201, 204]); // prettier-ignore
    assert.equal(last.status, 204);
  });

  it('stops behind the first reply of 400 or above, and an action gives one result for each call made', async () => {
    const { instance, sent } = instanceWith(['/a', '/b', '/c'], [200, 409, 200]);
    const reply = await restAction.handle(
      {
        params: { adapterId: 'core1' },
        query: new URLSearchParams(),
        body: { params: { path: '/a', accept: 'application/json' }, body: {} },
        requestId: 'r',
        signal: never,
      },
      { lease: leaseOf(instance) },
    );
    assert.equal(sent.length, 2);
    assert.deepEqual(reply, { body: [{ result: '200' }, { result: '409' }], outcome: '200 409' });
  });

  const bodies: readonly (readonly [object, string | undefined, string])[] = [
    [{}, undefined, 'no body for {}'],
    [{ a: 1 }, '{"a":1}', 'the body otherwise'],
  ];
  for (const [body, sentBody, title] of bodies) {
    it(`hands the plugin ${title}, and the method in upper case with POST as the default`, async () => {
      for (const [method, expected] of [
        [undefined, 'POST'],
        ['patch', 'PATCH'],
      ] as const) {
        // prettier-ignore
        const { instance, calls } = instanceWith(['/a'], [200]);
        await restAction.handle(
          {
            params: { adapterId: 'core1' },
            query: new URLSearchParams(),
            body: { params: { path: '/a', accept: 'a/b', ...(method && { method }) }, body: { ...body } },
            requestId: 'r',
            signal: never,
          },
          { lease: leaseOf(instance) },
        );
        assert.deepEqual([calls[0]?.method, calls[0]?.body?.toString()], [expected, sentBody]);
      }
    });
  }

  it('finds adapters by their own name alone', () => {
    const snapshot = { adapters: new Map() } as unknown as Snapshot;
    assert.throws(() => adapterOf(snapshot, '__proto__'), /there is no adapter "__proto__"/);
  });
});

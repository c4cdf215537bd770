import assert from 'node:assert/strict';
import { bindingOf } from '../../../src/adapters/call-binding.js';
import type { AccessRule } from '../../../src/core/access.js';
import type { AdapterMethod, MethodCall } from '../../../src/core/adapter-method.js';
import { Problem } from '../../../src/core/problem.js';
import type { AdapterInstance } from '../../../src/core/snapshot.js';
import type { Upstream } from '../../../src/core/upstream.js';
import { callAdapterMethod } from '../../../src/features/adapters/adapter-methods.js';
import type { AdaptersDeps } from '../../../src/features/adapters/deps.js';
import { column } from '../../support/columns.js';
import { invalidAt, problem } from '../../support/failing.js';
import { operationCall } from '../../support/operation-call.js';
import { policyWith } from '../../support/policy-with.js';

const METHOD: AdapterMethod = {
  name: 'scale',
  summary: 'Scale a service',
  input: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    required: ['service'],
    properties: {
      service: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      instances: { type: 'number', default: 2 },
      args: { type: 'array' },
    },
  },
};

/** A method whose schema refers to a definition that does not exist. */
const BROKEN: AdapterMethod = {
  name: 'broken',
  summary: 'Not usable',
  input: { ...METHOD.input, properties: { a: { $ref: '#/definitions/nothing' } } },
};

function depsFor(
  callMethod: (call: MethodCall) => Promise<unknown> = () => Promise.resolve(null),
  more: Partial<Upstream> = {},
  access: readonly AccessRule[] = [],
) {
  const calls: MethodCall[] = [];
  const renewed: string[] = [];
  const upstream: Upstream = {
    send: () => Promise.reject(new Error('the host’s upstream was used')),
    close: () => Promise.resolve(),
    async callMethod(call) {
      calls.push(call);
      const body = Buffer.from(JSON.stringify(await callMethod(call)));
      return { status: 200, headers: {}, body };
    },
    methods: () => Promise.resolve([METHOD, BROKEN]),
    ...more,
  };
  const adapter = { translate: () => assert.fail('no request') };
  const instance = { id: 'nms', type: 'test', ready: () => Promise.resolve({ adapter, upstream }) };
  const deps = {
    leaseAdapter: (_id: string, _signal: unknown, work: (...leased: unknown[]) => unknown) =>
      work(instance, policyWith(access)),
    renew: ({ id }: AdapterInstance) => Promise.resolve(renewed.push(id)),
  } as unknown as AdaptersDeps;
  return { deps, calls, renewed };
}

type Body = Readonly<Record<string, unknown>> | undefined;

/** Calls a method; with `bound`, as the call that a person approved. */
async function run(body: Body, deps: AdaptersDeps, { method = 'scale', bound }: Partial<Bound> = {}) {
  const call = operationCall<Body>({ params: { adapterId: 'nms', method }, body });
  return callAdapterMethod.handle({ ...call, ...(bound && { bound }) }, deps);
}

interface Bound {
  readonly method: string;
  readonly bound: { readonly adapter: string; readonly method: string };
}

const BODY = { service: { id: 'a' } };

describe('callAdapterMethod', () => {
  it('runs no approved method that has changed (bug: an approval did not bind the method that runs)', async () => {
    const { deps, calls } = depsFor();
    const runAs = async (approved: AdapterMethod) => {
      const { method = '' } = await bindingOf({ target: '' } as AdapterInstance, approved);
      return run(BODY, deps, { bound: { adapter: '', method } });
    };
    const other = { ...METHOD, summary: 'Wipe a service' };
    await assert.rejects(runAs(other), problem('proposal_outdated', /method .* has changed/));
    assert.equal(calls.length, 0);
    await runAs(METHOD);
    assert.equal(calls.length, 1);
  });

  it('returns the bytes of the result, and its status for the audit record', async () => {
    const { deps } = depsFor(() => Promise.resolve({ ok: true }));
    const { body, outcome } = await run(BODY, deps);
    assert.deepEqual([body, outcome], [{ rawJson: Buffer.from('{"ok":true}') }, '200']);
  });

  it('passes arguments with the defaults of the schema', async () => {
    const { deps, calls } = depsFor();
    await run({ ...BODY, instances: null }, deps);
    assert.deepEqual(calls, [{ method: 'scale', args: { service: { id: 'a' }, instances: 2 } }]);
  });

  it('takes "args" for the argument of this name if the method has such a parameter', async () => {
    const { deps, calls } = depsFor();
    await assert.rejects(run({ args: [] }, deps), problem('invalid_request', /\/service is missing/));
    await run({ ...BODY, args: [1] }, deps);
    assert.deepEqual(calls[0]?.args['args'], [1]);
  });

  it('reports a missing body as missing arguments, and every error with its pointer', async () => {
    const { deps } = depsFor();
    await assert.rejects(run(undefined, deps), problem('invalid_request', /\/service is missing/));
    const wrong = run({ service: { id: 1 }, instances: 'two' }, deps);
    await assert.rejects(wrong, invalidAt('/instances', '/service/id'));
  });

  it('reports a schema that cannot be used, and does not call the method', async () => {
    const { deps, calls } = depsFor();
    const message = /schema of the arguments of the method "broken" cannot be used: /;
    await assert.rejects(run({}, deps, { method: 'broken' }), problem('plugin_failed', message));
    assert.deepEqual(calls, []);
  });

  it('renews the credentials that the orchestrator refused, and does not send the call again', async () => {
    const { deps, calls, renewed } = depsFor(() => Promise.reject(new Problem('upstream_auth', 'refused')));
    await assert.rejects(run(BODY, deps), problem('upstream_auth', /refused/));
    assert.deepEqual([calls.length, renewed], [1, ['nms']]);
  });

  it('renews the credentials that the start was refused (bug: only restQuery and restAction did)', async () => {
    const { deps, renewed } = depsFor();
    const cause = new Problem('upstream_auth', 'refused');
    const ready = () => Promise.reject(new Problem('adapter_unavailable', 'has not started', { cause }));
    const leaseAdapter = (_id: string, _signal: unknown, work: (...leased: unknown[]) => unknown) =>
      work({ id: 'nms', type: 'test', ready }, policyWith());
    const unstarted = { ...deps, leaseAdapter } as unknown as AdaptersDeps;
    await assert.rejects(run({}, unstarted), problem('adapter_unavailable', /has not started/));
    assert.deepEqual(renewed, ['nms']);
  });

  it('removes the credentials of the adapter from a result and an error (bug: the reply of the orchestrator had them)', async () => {
    const redactReply: Upstream['redactReply'] = (reply) => {
      const text = reply.body.toString().replaceAll('my-token', '[redacted]');
      return Promise.resolve({ ...reply, body: Buffer.from(text) });
    };
    const { deps } = depsFor(() => Promise.resolve('my-token'), { redactReply });
    assert.deepEqual((await run(BODY, deps)).body, { rawJson: Buffer.from('"[redacted]"') });
    const upstream = { status: 409, body: { error: 'no my-token', count: 1 } };
    const failure = new Problem('upstream_rejected', 'words with my-token', { status: 409, upstream });
    const failing = depsFor(() => Promise.reject(failure), { redactReply });
    await assert.rejects(run(BODY, failing.deps), {
      code: 'upstream_rejected',
      status: 409,
      message: 'words with [redacted]',
      extras: { status: 409, upstream: { status: 409, body: { error: 'no [redacted]', count: 1 } } },
    });
  });

  it('checks access rules before it says whether the method exists', async () => {
    const access = [{ methods: ['CALL'], paths: ['/call/scale'] }];
    const { deps } = depsFor(undefined, {}, access);
    await run(BODY, deps);
    await assert.rejects(run({}, deps, { method: 'other' }), problem('adapter_forbidden', /CALL/));
  });

  it('checks access rules about tags and effects when the method is known, and does not call it if they refuse', async () => {
    const reads: AdapterMethod = { ...METHOD, name: 'list', effect: 'read', tags: ['services'] };
    const methods = () => Promise.resolve([METHOD, reads]);
    for (const rule of [{ methodTags: ['serv*'] }, { methodEffects: ['read' as const] }]) {
      const { deps, calls } = depsFor(undefined, { methods }, [rule]);
      await run(BODY, deps, { method: 'list' });
      await assert.rejects(run(BODY, deps), problem('adapter_forbidden', /CALL/));
      assert.deepEqual(column(calls, 'method'), ['list']);
    }
  });
});

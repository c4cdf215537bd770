import assert from 'node:assert/strict';
import { withMethods } from '../../../src/adapters/openapi/with-methods.js';

const PLAN = { method: 'DELETE', path: '/a', accept: 'application/json', parameters: [] } as const;

/** Calls a method whose replies are all described by one schema. */
const call = (status: number, text: string) =>
  withMethods({
    adapter: { translate: ({ method, path }) => [{ method, path, headers: {} }] },
    upstream: {
      send: () =>
        Promise.resolve({ status, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) }),
      close: () => Promise.resolve(),
    },
    methods: {
      methods: [],
      planOf: () => PLAN,
      outputOf: () => ({ type: 'object' }),
      digests: new Map(),
    },
    checkReply: (_schema, json) => (json.toString().startsWith('{') ? undefined : 'must be an object'),
  }).callMethod!({ method: 'a', args: {} }, AbortSignal.timeout(5_000));

describe('methods of a document with validated replies', () => {
  it('give null for a 204, whose reply has nothing to validate (bug: 502 after a change that was made)', async () => {
    assert.equal((await call(204, '')).body.toString(), 'null');
  });

  it('refuse another reply that the document does not describe', async () => {
    assert.equal((await call(200, '{}')).body.toString(), '{}');
    await assert.rejects(call(200, ''), { code: 'upstream_bad_reply' });
  });
});

import assert from 'node:assert/strict';
import type { DocumentMethods } from '../../../src/adapters/openapi/document-methods.js';
import { withMethods } from '../../../src/adapters/openapi/with-methods.js';
import type { UpstreamReply } from '../../../src/core/adapter.js';
import type { Upstream } from '../../../src/core/upstream.js';

const PLAN = { method: 'DELETE', path: '/a', accept: 'application/json', parameters: [] } as const;

/** Returns an upstream with one method, whose replies are all described by one schema. */
function upstreamWith(reply: UpstreamReply): Upstream {
  const methods: DocumentMethods = {
    methods: [],
    planOf: () => PLAN,
    outputOf: () => ({ type: 'object' }),
    digests: new Map(),
  };
  return withMethods({
    adapter: { translate: ({ method, path }) => [{ method, path, headers: {} }] },
    upstream: { send: () => Promise.resolve(reply), close: () => Promise.resolve() },
    methods,
    checkReply: (_schema, json) => (json.toString().startsWith('{') ? undefined : 'must be an object'),
  });
}

describe('methods of a document with validated replies', () => {
  const call = ({ status, text }: { readonly status: number; readonly text: string }) =>
    upstreamWith({
      status,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(text),
    }).callMethod!({ method: 'a', args: {} }, AbortSignal.timeout(5_000));

  it('give null for a 204, whose reply has nothing to validate (bug: 502 after a change that was made)', async () => {
    assert.equal((await call({ status: 204, text: '' })).body.toString(), 'null');
  });

  it('refuse another reply that the document does not describe', async () => {
    assert.equal((await call({ status: 200, text: '{}' })).body.toString(), '{}');
    await assert.rejects(call({ status: 200, text: '' }), { code: 'upstream_bad_reply' });
  });
});

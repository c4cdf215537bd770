import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../src/core/schema.js';
import { restAction } from '../../../src/features/orchestrator/operations.js';
import { restCall } from '../../../src/features/tools/operations.js';
import { compileSchema } from '../../../src/json-schema/compile.js';

const messagesOf = (schema: JsonSchema | undefined, value: unknown): readonly string[] =>
  compileSchema(schema ?? {})(value).violations.map(({ pointer, message }) => `${pointer} ${message}`);

describe('a list as body (bulk requests of NetBox)', () => {
  it('is refused, as specified, with the way to send it', () => {
    const params = { path: '/api/dcim/devices/', accept: 'application/json' };
    assert.deepEqual(messagesOf(restAction.body, { params, body: [{ id: 1 }] }), [
      '/body must be an object; send a list, such as a bulk request, with /proxy/ADAPTER/PATH',
    ]);
    const call = { uri: 'http://h/', verb: 'POST', responseHeaders: false, body: [] };
    assert.deepEqual(messagesOf(restCall.body, call), [
      '/body must be an object; send a list through an adapter with /proxy/ADAPTER/PATH',
    ]);
  });

  it('is accepted inside an object (batches of ServiceNow)', () => {
    const params = { path: '/api/now/v1/batch', accept: 'application/json' };
    assert.deepEqual(messagesOf(restAction.body, { params, body: { rest_requests: [] } }), []);
  });
});

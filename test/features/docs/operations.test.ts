import assert from 'node:assert/strict';
import { schemaFiles } from '../../../src/config/schema-files.js';
import { getConfigSchema } from '../../../src/features/docs/operations.js';
import { operationCall } from '../../support/operation-call.js';

async function get(name: string, condition?: string) {
  const header = (wanted: string) => (wanted === 'if-none-match' ? condition : undefined);
  const call = operationCall({ body: undefined, params: { name }, header });
  return getConfigSchema.handle(call, { configSchemas: schemaFiles });
}

describe('GET /schemas/:name', () => {
  for (const name of ['gatehouse.schema.json', 'adapter.schema.json'])
    it(`returns ${name} with its ETag, and caches may keep it`, async () => {
      const { body, headers = {} } = await get(name);
      const { rawJson } = body as { readonly rawJson: Buffer };
      assert.deepEqual(JSON.parse(rawJson.toString()), schemaFiles()[name]);
      assert.match(String(headers['etag']), /^"[\w-]{22}"$/);
      assert.equal(headers['cache-control'], 'public, max-age=3600');
    });

  it('returns not modified for its own ETag alone', async () => {
    const { headers = {} } = await get('adapter.schema.json');
    const etag = String(headers['etag']);
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      assert.equal((await get('adapter.schema.json', condition)).notModified, true, condition);
    for (const condition of ['"other"', '', etag.slice(1, -1)])
      assert.equal((await get('adapter.schema.json', condition)).notModified, undefined, condition);
    assert.equal((await get('gatehouse.schema.json', etag)).notModified, undefined);
  });

  for (const name of ['other.json', '__proto__', 'toString', ''])
    it(`has no schema "${name}"`, async () => {
      await assert.rejects(get(name), { code: 'not_found' });
    });
});

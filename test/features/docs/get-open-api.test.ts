import assert from 'node:assert/strict';
import { createApiDescription } from '../../../src/features/api-description.js';
import { getOpenApi } from '../../../src/features/docs/operations.js';
import type { OpenApiDocument } from '../../../src/http/openapi-types.js';
import { invalidAt } from '../../support/failing.js';
import { operationCall } from '../../support/operation-call.js';

const roles = {};
const describeApi = createApiDescription(() => roles);

/** Returns the description as its readers get it. */
function described(): OpenApiDocument {
  return JSON.parse(JSON.stringify(describeApi())) as OpenApiDocument;
}

async function documentFor(query: string): Promise<OpenApiDocument> {
  const call = operationCall({ body: undefined, query: new URLSearchParams(query) });
  const { body } = await getOpenApi.handle(call, { describeApi });
  return JSON.parse((body as { readonly rawJson: Buffer }).rawJson.toString()) as OpenApiDocument;
}

const https = (rest: string): string => `https://${rest}`;

describe('GET /help/openapi', () => {
  it('returns the document for this server without a url parameter', async () => {
    assert.deepEqual(await documentFor('token=x'), described());
    assert.deepEqual((await documentFor('')).servers, [{ url: '/' }]);
  });

  const named = [https('gw.example'), 'HTTPS://gw.example/a%20b/~c'];
  for (const url of [...named, 'http://10.0.0.1:3000/', 'http://[::1]:80'])
    it(`lists ${url} unchanged as its only server`, async () => {
      const document = await documentFor(new URLSearchParams({ url }).toString());
      assert.deepEqual(document.servers, [{ url }]);
      assert.deepEqual({ ...document, servers: [] }, { ...described(), servers: [] });
    });

  for (const url of [
    ...['', '/', 'gw.example', '//gw.example', 'ftp://gw.example', 'javascript:alert(1)', 'https://'],
    ...['user:pw@gw.example', 'gw.example/?a=b', 'gw.example/#a', 'gw.example/{version}'].map(https),
    ...['gw.example/ a', 'gw.example/\n', 'gw.example:99999', `gw.example/${'x'.repeat(2_000)}`].map(https),
    ' https://gw.example',
  ])
    it(`rejects the url ${JSON.stringify(url.slice(0, 40))}`, async () => {
      await assert.rejects(documentFor(new URLSearchParams({ url }).toString()), invalidAt('/query/url'));
    });
});

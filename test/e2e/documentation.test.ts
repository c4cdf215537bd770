import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import type { OpenApiDocument } from '../../src/core/openapi.js';
import { type CallResult, callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the API documentation', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => testServer.close());

  const get = (path: string, ...roles: readonly string[]): Promise<CallResult> =>
    callUrl(testServer.url + path, { method: 'GET', token: testServer.issueToken(...roles) });
  const documentAt = async (path: string): Promise<OpenApiDocument> =>
    (await get(path, 'viewer')).json as OpenApiDocument;

  it('is the same document at both addresses, and a page, for every caller with a token', async () => {
    const document = await documentAt('/openapi.json');
    assert.deepEqual(await documentAt('/help/openapi'), document);
    assert.deepEqual((await documentAt('/help/openapi?url=https://gw.example')).servers, [
      { url: 'https://gw.example' },
    ]);
    assert.equal((await get('/help/openapi?url=gw', 'viewer')).status, 400);
    const { status, headers, text } = await get('/docs', 'viewer');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/);
    assert.ok(text.startsWith('<!doctype html>'));
    assert.equal((await get('/docs', 'viewer')).text, text);
  });

  it('is compressed, and 304 while it is the same', async () => {
    const headers = { authorization: `Bearer ${testServer.issueToken('viewer')}` };
    for (const path of ['/openapi.json', '/docs', '/help/openapi?url=https://gw.example']) {
      const first = await fetch(testServer.url + path, { headers });
      const { length } = await first.text();
      const sentBytes = Number(first.headers.get('content-length'));
      assert.ok(sentBytes < length / 4, `${path}: ${sentBytes} of ${length} bytes`);
      assert.equal(first.headers.get('cache-control'), 'private, no-cache');
      const etag = first.headers.get('etag') ?? '';
      const again = await fetch(testServer.url + path, { headers: { ...headers, 'if-none-match': etag } });
      assert.deepEqual([again.status, await again.text()], [304, ''], path);
      const other = await fetch(testServer.url + path, { headers: { ...headers, 'if-none-match': '"x"' } });
      assert.equal(other.status, 200);
    }
  });

  it('shows changed roles after a reload', async () => {
    const rolesOf = async () =>
      (await documentAt('/openapi.json')).paths['/tools/restCall']?.['post']?.['x-roles'];
    assert.deepEqual(await rolesOf(), ['admin', 'engineering']);
    appendFileSync(testServer.configPath, 'roles: { tools.restCall: [viewer] }\n');
    assert.deepEqual(await testServer.running.reload(), []);
    assert.deepEqual(await rolesOf(), ['viewer']);
    assert.match((await get('/docs', 'viewer')).text, /Roles: viewer\./);
  });
});

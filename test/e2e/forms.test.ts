import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl, type CallResult } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the JSON forms of a running server', () => {
  let testServer: TestServer;
  const call = (method: string, path: string, body?: unknown): Promise<CallResult> =>
    callUrl(`${testServer.url}/json-forms${path}`, { method, token: testServer.issueToken('admin'), ...(body !== undefined && { body }) }); // prettier-ignore

  before(async () => {
    const arrange = (folder: string): void => {
      appendFileSync(join(folder, 'gatehouse.yaml'), 'forms: { validateTimeoutMs: 20000, maxVersions: 1 }\n');
    };
    testServer = await startTestServer({ folder: temporaryFolder().path, arrange });
  });

  after(() => testServer.close());

  it('are stored, listed, changed, validated and deleted', async () => {
    const created = await call('POST', '/forms', { name: 'site', schema: { required: ['name'] } });
    const { id } = (created.json as { doc: { id: string } }).doc;
    for (const description of ['a', 'b']) await call('PUT', '/forms/site', { options: { description } });
    assert.equal(((await call('GET', `/forms/${id}`)).json as { description: string }).description, 'b');
    assert.equal(((await call('GET', '/forms')).json as unknown[]).length, 1);
    assert.equal(((await call('GET', '/forms/site/history')).json as unknown[]).length, 1);
    const checked = await call('POST', '/validate-form/site', { formData: {} });
    assert.match(checked.text, /"errors":\["The form data must have required property 'name'"\]/);
    assert.deepEqual((await call('DELETE', '/forms', { ids: [id] })).json, {
      status: 'success',
      n: 1,
      deleted: 1,
    });
  });

  it('are restricted to admins', async () => {
    const token = testServer.issueToken('engineering');
    for (const [method, path] of [
      ['GET', '/forms'],
      ['POST', '/validate-data'],
      ['DELETE', '/forms'],
    ] as const)
      // prettier-ignore
      assert.equal((await callUrl(`${testServer.url}/json-forms${path}`, { method, token })).status, 403);
  });
});

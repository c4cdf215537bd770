import assert from 'node:assert/strict';
import { callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('L9: a clock that jumps while gatehouse runs', () => {
  const wall = Date.now;
  let testServer: TestServer;

  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
  });
  afterEach(() => {
    Date.now = wall;
  });
  after(() => testServer.close());

  const get = async (path: string, token?: string): Promise<number> => {
    const reply = await callUrl(`${testServer.url}${path}`, {
      method: 'GET',
      ...(token !== undefined && { token }),
    });
    return reply.status;
  };

  it('ahead does not make secrets stale (bug: readiness failed until the next read from Vault)', async () => {
    Date.now = () => wall() + 400 * 86_400_000;
    assert.equal(await get('/readyz'), 200);
  });

  it('ahead expires earlier tokens, including tokens that were accepted', async () => {
    const token = testServer.issueToken('admin');
    assert.equal(await get('/json-forms/forms', token), 200);
    Date.now = () => wall() + 2 * 3_600_000;
    assert.deepEqual(
      [await get('/json-forms/forms', token), await get('/json-forms/forms', testServer.issueToken('admin'))],
      [401, 200],
    );
  });
});

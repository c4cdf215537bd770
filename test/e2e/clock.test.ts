import assert from 'node:assert/strict';
import { callsTo } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('L9: a clock that jumps while gatehouse runs', () => {
  const wall = Date.now;

  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer();
  });
  after(() => testServer.close());
  afterEach(() => {
    Date.now = wall;
  });

  const { call } = callsTo(() => testServer);

  it('ahead does not make secrets stale (bug: readiness failed until the next read from Vault)', async () => {
    Date.now = () => wall() + 400 * 86_400_000;
    assert.equal((await call('GET /readyz')).status, 200);
  });

  it('ahead expires earlier tokens, including tokens that were accepted', async () => {
    const token = testServer.issueToken('admin');
    const statusOf = async () => (await call('GET /json-forms/forms', { token })).status;
    assert.equal(await statusOf(), 200);
    Date.now = () => wall() + 2 * 3_600_000;
    assert.equal(await statusOf(), 401);
    assert.equal((await call('GET /json-forms/forms')).status, 200);
  });
});

import assert from 'node:assert/strict';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PORTAL = 'https://portal.example';
const QUERY = JSON.stringify({
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
});

describe('CORS with two processes for calls', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      folder: temporaryFolder().path,
      main: { server: `workers: 2, cors: { origins: ["${PORTAL}"] }` },
    });
  });
  after(() => server.close());

  const ask = (path: string, init: RequestInit = {}, origin = PORTAL): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${server.issueToken('admin')}`,
        'content-type': 'application/json',
        origin,
        'sec-fetch-site': 'cross-site',
      },
    });

  for (const [what, path, init, varied] of [
    ['a call', '/orchestrator_manager/restQuery/core1', { method: 'POST', body: QUERY }, /Origin/],
    ['a pass-through', '/proxy/core1/restconf/data/ietf-interfaces:interfaces', {}, /Origin/],
    ['the management API', '/adapters', {}, /Origin/],
    ['a compressed reply', '/openapi.json', {}, /Origin.*Accept-Encoding/],
  ] as const)
    it(`lets a page of a listed origin use ${what}`, async () => {
      const response = await ask(path, init);
      assert.equal(response.status, 200, await response.clone().text());
      assert.equal(response.headers.get('access-control-allow-origin'), PORTAL);
      assert.match(response.headers.get('vary') ?? '', varied);
      const foreign = await ask(path, init, 'https://other.example');
      assert.equal(foreign.headers.get('access-control-allow-origin'), null);
    });

  it('accepts no cookie of another site', async () => {
    const cookie = `gatehouse_session=${server.issueToken('admin')}`;
    const response = await fetch(`${server.url}/adapters`, {
      headers: { cookie, origin: PORTAL, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('access-control-allow-credentials'), null);
  });
});

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { type OidcProvider, startOidcProvider } from '../support/oidc-provider.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PATH = '/restconf/data/ietf-interfaces:interfaces';
const QUERY = { params: { path: PATH, accept: 'application/yang-data+json' } };

describe('back-channel logout at a server with two call workers', function () {
  this.timeout(60_000);
  let provider: OidcProvider;
  let server: TestServer;

  before(async () => {
    provider = await startOidcProvider({ client: { id: 'public', secret: '' } });
    const issuer = `{ issuer: "${provider.url}", audience: gatehouse, discovery: true, algorithms: [ES256],
      rolesClaim: /realm_access/roles, roleMap: { net-admins: admin }, signIn: { clientId: public } }`;
    server = await startTestServer({
      folder: temporaryFolder().path,
      arrange(folder) {
        const file = join(folder, 'gatehouse.yaml');
        const text = readFileSync(file, 'utf8')
          .replace('server: {', 'server: { workers: 2, publicUrl: "http://127.0.0.1:1",')
          .replace('\nauth: {', `\nauth: { issuers: [${issuer}],`);
        writeFileSync(file, text);
      },
    });
  });

  after(async () => {
    await Promise.all([server.close(), provider.close()]);
  });

  /** Returns the statuses of calls on new connections, which reach the workers in turn. */
  async function statusesOf(token: string): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      const headers = { connection: 'close' };
      const call = { token, headers, body: QUERY };
      statuses.push((await callUrl(`${server.url}/orchestrator_manager/restQuery/core1`, call)).status);
    }
    return statuses;
  }

  async function logOut(claims: object): Promise<number> {
    const { status } = await fetch(`${server.url}/console/oidc/back-channel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: await provider.logoutToken({ ...claims }) }),
    });
    return status;
  }

  it('ends the bearer tokens of a session in every worker before its reply, and no others', async () => {
    const token = await provider.sign({ aud: 'gatehouse', sid: 's1' });
    const other = await provider.sign({ aud: 'gatehouse', sid: 's2' });
    assert.deepEqual(await statusesOf(token), [200, 200, 200, 200]);
    assert.deepEqual(await statusesOf(other), [200, 200, 200, 200]);
    assert.equal(await logOut({ sid: 's1' }), 200);
    assert.deepEqual(await statusesOf(token), [401, 401, 401, 401]);
    assert.deepEqual(await statusesOf(other), [200, 200, 200, 200]);
  });

  it('ends the bearer tokens of a subject in every worker', async () => {
    const token = await provider.sign({ aud: 'gatehouse', sub: 'grace' });
    assert.deepEqual(await statusesOf(token), [200, 200, 200, 200]);
    assert.equal(await logOut({ sub: 'grace' }), 200);
    assert.deepEqual(await statusesOf(token), [401, 401, 401, 401]);
  });
});

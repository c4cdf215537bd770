import assert from 'node:assert/strict';
import { describeOperations } from '../../src/features/operations.js';
import { callUrl } from '../support/call.js';
import { pageFolderIn } from '../support/page-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const ROLE_SETS = [['admin'], ['engineering'], ['unknown', 'viewer'], ['unknown', 'Admin', 'admin '], []];

describe('the token and role check of every operation at every path', () => {
  let testServer: TestServer;
  before(async () => {
    // Sets a release that serves the deprecated operations.
    const folder = temporaryFolder().path;
    testServer = await startTestServer({
      folder,
      pageFolder: pageFolderIn(folder),
      main: { more: 'release: "2020.2"\n' },
    });
  });
  after(() => testServer.close());

  for (const { name, paths, row } of describeOperations()) {
    for (const path of paths) {
      const method = row.method === 'ANY' ? 'GET' : row.method;
      // A GET of an event stream would not end.
      const open = row.replyType === 'text/event-stream' ? 'HEAD' : method;
      const ask = (token?: string, how: string = method) =>
        callUrl(testServer.url + path.replaceAll(/:\w+|\*/g, 'nobody'), {
          method: how,
          ...(token !== undefined && { token }),
          ...(row.body && { body: {} }),
        });

      it(`${name} at ${path}: ${String(row.roles)}`, async () => {
        const { status, json } = await ask();
        // Operations with a body refuse the empty body, and nothing has the name in the path.
        const answer = row.body ? 400 : row.redirects ? 303 : row.path.includes(':') ? 404 : 200;
        assert.equal(status, row.roles === 'public' ? answer : 401);
        if (row.roles === 'public') return;
        assert.equal((json as { code: string }).code, 'unauthorized');
        assert.equal((await ask('not.a.token')).status, 401);
        for (const roles of ROLE_SETS) await assertDecision(roles);
      });

      const assertDecision = async (roles: readonly string[]): Promise<void> => {
        const isAllowed =
          row.roles === 'authenticated' ||
          roles.some((role) => (row.roles as readonly string[]).includes(role));
        const { status, json } = await ask(testServer.issueToken(...roles), isAllowed ? open : method);
        const code = (json as { code?: string } | null)?.code;
        const about = `[${roles.join()}]: ${status} ${code ?? ''}`;
        if (!isAllowed) assert.deepEqual([status, code], [403, 'forbidden'], about);
        else if (row.method === 'ANY') assert.deepEqual([status, code], [404, 'adapter_not_found'], about);
        // The role check passes; an operation with a body then refuses the empty body.
        else assert.ok([200, 400, 404, 409, 429].includes(status), about);
      };
    }
  }
});

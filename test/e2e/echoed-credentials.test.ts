import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { callUrl } from '../support/call.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const PASSWORD = 'S3cr3t-nso1-AAAA';

/** Answers every request with the headers that it received, also as names of members. */
const orchestrator = createServer(({ headers, url = '' }, response) => {
  response.statusCode = url.startsWith('/refused') ? 400 : 200;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ headers, [PASSWORD]: 1, state: 'up' }));
});

describe('finding F13: an orchestrator that repeats the credentials of its adapter', () => {
  let server: TestServer;
  before(async () => {
    orchestrator.listen(0, '127.0.0.1');
    await once(orchestrator, 'listening');
    const baseUrl = `http://127.0.0.1:${(orchestrator.address() as AddressInfo).port}`;
    server = await startTestServer({
      folder: temporaryFolder().path,
      arrange: (folder, vault) => {
        vault.putSecret({ path: 'adapters/echo' }, { password: PASSWORD });
        const auth = 'auth: { type: basic, username: admin, password: $VAULT_adapters/echo#password }';
        for (const [name, more] of Object.entries({ redacted: '', plain: 'redactReplies: false\n' }))
          writeFileSync(
            join(folder, 'adapters', `${name}.yaml`),
            `plugin: http-rest\nbaseUrl: ${baseUrl}\n${auth}\n${more}`,
          );
      },
    });
  });
  after(async () => {
    await server.close();
    orchestrator.closeAllConnections();
    orchestrator.close();
  });

  const query = async (adapter: string, path: string) => {
    const token = server.issueToken('admin');
    const url = `${server.url}/orchestrator_manager/restQuery/${adapter}`;
    return callUrl(url, { method: 'POST', token, body: { params: { path, accept: 'application/json' } } });
  };
  const CREDENTIALS = /S3cr3t|UzNjcjN0|MzY3IzdC|TM2NyM3Q/;

  it('does not show them in replies, whatever their status', async () => {
    const reply = await query('redacted', '/state');
    assert.equal(reply.status, 200, reply.text);
    assert.doesNotMatch(reply.text, CREDENTIALS);
    assert.match(reply.text, /"authorization":"Basic [^"]*\[redacted\]/);
    assert.match(reply.text, /"state":"up"/);
    const refused = await query('redacted', '/refused');
    assert.doesNotMatch(refused.text, CREDENTIALS);
    assert.match(refused.text, /\[redacted\]/);
  });

  it('passes its replies through unchanged with redactReplies: false, but no problem document', async () => {
    // Not callUrl: the leak scan searches what that returns, and here the password belongs in the reply.
    const reply = await fetch(`${server.url}/orchestrator_manager/restQuery/plain`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.issueToken('admin')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ params: { path: '/state', accept: 'application/json' } }),
    });
    assert.match(await reply.text(), /"S3cr3t-nso1-AAAA":1/);
    assert.doesNotMatch((await query('plain', '/refused')).text, CREDENTIALS);
  });
});

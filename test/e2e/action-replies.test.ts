import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CallResult } from '../support/call.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { assertMembers } from '../support/members.js';
import { callsTo } from '../support/server-calls.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { until } from '../support/until.js';

const PASSWORD = 'S3cr3t-of-the-dns-server-51';
/** The password, and its parts in base64 at each offset. */
const CREDENTIALS = /S3cr3t|UzNjcjN0|MzY3IzdC|TM2NyM3Q/;

/** A REST interface that repeats what it receives, also as the name of a member, and refuses with `{"error": ...}`. */
const dnsServer = createServer((request, response) => {
  void text(request).then((body) => {
    const { url = '', headers } = request;
    const isRefused = url === '/api/v1/refused';
    if (url === '/api/v1/marked') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('\ufeff{"a":1}');
      return;
    }
    response.writeHead(isRefused ? 422 : 200, { 'content-type': 'application/json' });
    const echo = { url, headers, body, [PASSWORD]: 1, state: 'up' };
    response.end(
      JSON.stringify(isRefused ? { error: `Domain exists, for ${headers.authorization ?? ''}` } : echo),
    );
  });
});

const INTERFACES = '/restconf/data/ietf-interfaces:interfaces';
const ethernet = (name: string) => ({
  'ietf-interfaces:interface': [{ name, type: 'iana-if-type:ethernetCsmacd' }],
});

describe('replies to actions and queries', () => {
  let server: TestServer;
  let dns: Listener;
  before(async () => {
    dns = await listenOnLoopback(dnsServer);
    const auth = 'auth: { type: basic, username: admin, password: $VAULT_adapters/dns#password }\n';
    const adapter = `plugin: http-rest\nbaseUrl: http://${dns.host}/api/v1\n${auth}`;
    server = await startTestServer({
      adapters: { dns: adapter, plain: `${adapter}redactReplies: false\n` },
      secrets: { 'adapters/dns': { password: PASSWORD } },
    });
  });
  after(async () => {
    await server.close();
    await dns.close();
  });

  const { call, ask } = callsTo(() => server);
  const act = (adapter: string, params: object, body: object = {}): Promise<CallResult> =>
    call(`POST /nso_manager/restAction/${adapter}`, {
      body: { params: { accept: 'application/yang-data+json', ...params }, body },
    });
  const query = (adapter: string, path: string) =>
    call(`POST /orchestrator_manager/restQuery/${adapter}`, {
      body: { params: { path, accept: 'application/json' } },
    });
  const recordOf = async (requestId: unknown) => {
    const { results } = await ask<{ results: readonly object[] }>(
      `GET /audit?requestId=${String(requestId)}`,
    );
    return results[0] as { outcome: string; reason?: string };
  };
  const accessLineOf = async (requestId: unknown): Promise<Record<string, unknown>> => {
    const isLine = (line: string) => line.includes(String(requestId)) && line.includes('"message":"request"');
    await until(() => server.logLines.some(isLine));
    return JSON.parse(server.logLines.find(isLine) ?? '') as Record<string, unknown>;
  };

  it('keep the default result, and record and log the reason of the orchestrator', async () => {
    const { text: result, headers } = await act('core1', { path: INTERFACES }, ethernet('eth0'));
    assert.equal(result, '[{"result":"409"}]');
    const reason = "data-exists: object already exists (/ietf-interfaces:interfaces/interface[name='eth0'])";
    assertMembers(await recordOf(headers['x-request-id']), { outcome: '409', reason });
    assertMembers(await accessLineOf(headers['x-request-id']), { status: 200, outcome: '409', reason });
    const success = await act('dns', { path: '/zones' });
    assert.equal(success.text, '[{"result":"200"}]');
    assertMembers(await recordOf(success.headers['x-request-id']), { reason: undefined });
  });

  it('contain the body and the headers with responseBody, for success and failure', async () => {
    const refused = await act('core1', { path: INTERFACES, responseBody: true }, ethernet('eth0'));
    assertMembers(refused.json, [{ result: '409' }]);
    assert.match(refused.text, /ietf-restconf:errors.*data-exists/s);
    const created = await act('core1', { path: INTERFACES, responseBody: true }, ethernet('eth7'));
    const location = `${INTERFACES}/interface=eth7`;
    assertMembers(created.json, [{ result: '201', body: '', headers: { location } }]);
    const read = await act('core1', { path: location, method: 'GET', responseBody: true });
    assert.match(read.text, /^\[\{"result":"200","headers":\{.*"body":\{\s+"ietf-interfaces:interface":/);
    const again = await act('core1', { path: INTERFACES, responseBody: false }, ethernet('eth7'));
    assert.equal(again.text, '[{"result":"409"}]');
  });

  it('finding F13: show no credentials of the adapter that the orchestrator repeats', async () => {
    const reply = await query('dns', '/state');
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.text, /"authorization":"Basic [^"]*\[redacted\]/);
    const refused = await act('dns', { path: '/refused', responseBody: true });
    assert.match(refused.text, /Domain exists, for Basic \w*\[redacted\]/);
    const problem = await query('plain', '/refused');
    assert.match(problem.text, /"detail":"the orchestrator answered 422: Domain exists/);
    for (const { text: shown } of [reply, refused, problem]) assert.doesNotMatch(shown, CREDENTIALS);
    const id = 'plain-reply';
    // Not callUrl: the leak scan searches what that returns, and here the password belongs in the reply.
    const plain = await fetch(`${server.url}/nso_manager/restAction/plain`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.issueToken('admin')}`,
        'content-type': 'application/json',
        'x-request-id': id,
      },
      body: JSON.stringify({
        params: { path: '/refused', accept: 'application/json', responseBody: true },
        body: {},
      }),
    });
    const basic = Buffer.from(`admin:${PASSWORD}`).toString('base64');
    assert.ok((await plain.text()).includes(basic), 'redactReplies: false passes the reply through');
    for (const requestId of [refused.headers['x-request-id'], problem.headers['x-request-id'], id])
      for (const kept of [await recordOf(requestId), await accessLineOf(requestId)]) {
        assert.match(JSON.stringify(kept), /answered 422: Domain exists, for Basic \[redacted\]/);
        assert.doesNotMatch(JSON.stringify(kept), CREDENTIALS);
      }
  });

  it('the body of an action arrives as the caller wrote it (bug: 1.50 became 1.5, and 1e3 became 1000)', async () => {
    const written = '{ "rate": 1.50, "burst": 1e3, "2": "b", "1": "a" }';
    const { json } = await call('POST /orchestrator_manager/restAction/dns', {
      headers: { 'content-type': 'application/json' },
      text: `{"params":{"path":"/form","accept":"application/json","responseBody":true}, "body" : ${written} }`,
    });
    assertMembers(json, [{ body: { body: written, headers: { 'content-type': 'application/json' } } }]);
    const contentType = 'application/x-www-form-urlencoded';
    const form = await act(
      'dns',
      { path: '/form', contentType, responseBody: true },
      { a: 'b c', d: [1, 2] },
    );
    assertMembers(form.json, [{ body: { body: 'a=b+c&d=1&d=2', headers: { 'content-type': contentType } } }]);
  });
});

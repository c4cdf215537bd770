import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { callUrl } from '../support/call.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { postMcp } from '../support/mcp-client.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const JSON_HEADERS = { 'content-type': 'application/json' };
const items = (count: number): string => `[${Array<string>(count).fill('{}').join(',')}]`;

describe('a body with very many values (bug: one request of 1 MiB stopped the server for up to 0.75 s)', () => {
  let server: TestServer;
  let target: Listener;
  const received: string[] = [];
  before(async () => {
    const plain = createServer((req, res) => {
      void textOf(req).then((text) => {
        received.push(text);
        res.setHeader('content-type', 'application/json').end('{}');
      });
    });
    target = await listenOnLoopback(plain);
    server = await startTestServer({
      egressAllow: `"${target.host}", `,
      adapters: { plain: `plugin: http-rest\nbaseUrl: http://${target.host}\n` },
      main: { more: 'mcp: { enabled: true }\n' },
    });
  });
  after(() => Promise.all([server.close(), target.close()]));

  const send = (path: string, text: string) =>
    callUrl(server.url + path, { token: server.issueToken('admin'), text, headers: JSON_HEADERS });

  it('is refused before any schema is applied, with the setting to raise', async () => {
    for (const [path, count] of [
      ['/profiles', 10_001],
      ['/json-forms/forms', 80_001],
      ['/json-forms/import/forms', 80_001],
      ['/json-forms/task/RenderJsonSchema', 80_001],
      ['/orchestrator_manager/restAction/plain', 10_001],
      ['/tools/restCall', 10_001],
    ] as const) {
      const { status, text } = await send(path, `{"unknown":${items(count)}}`);
      assert.equal(status, 413, path);
      assert.match(text, /more than [18]0000 members and items.*server\.limits\.bodyValues/);
      assert.equal((await send(path, `{"unknown":${items(9_000)}}`)).status, 400, path);
    }
  });

  it('is refused in forms if very many members have names in another order, which take as long to read', async () => {
    const members = (count: number) => Array.from({ length: count }, (_, at) => `"m${at}":1`).join(',');
    const { status, text } = await send('/json-forms/forms', `{"unknown":{${members(20_100)}}}`);
    assert.equal(status, 413);
    assert.match(
      text,
      /more than 20000 numbers of 16 and more digits, and members whose names no other object has in the same order/,
    );
    assert.equal((await send('/json-forms/forms', `{"unknown":{${members(19_000)}}}`)).status, 400);
  });

  it('reaches an orchestrator and a server as it is written, if it is the body to send', async () => {
    const body = `{ "all": ${items(100_000)}, "one": 1.0 }`;
    const action = await send(
      '/orchestrator_manager/restAction/plain',
      `{"params":{"path":"/things","accept":"application/json"},"body":${body}}`,
    );
    assert.deepEqual([action.status, action.json], [200, [{ result: '200' }]]);
    const call = await send(
      '/tools/restCall',
      `{"uri":"http://${target.host}/","verb":"PUT","responseHeaders":false,"body":${body}}`,
    );
    assert.equal(call.status, 200, call.text);
    assert.deepEqual(received, [body, body]);
  });

  it('shows at most 20 errors, and says how many more there are', async () => {
    const members = Array.from({ length: 50 }, (_, at) => `"m${at}":1`).join(',');
    const { json, text } = await send('/json-forms/task/RenderJsonSchema', `{"jsonSchema":true,${members}}`);
    const { errors, detail } = json as { readonly errors: readonly unknown[]; readonly detail: string };
    assert.equal(errors.length, 20, text);
    assert.match(detail, /\(and 49 more errors\)/);
    const many = Array.from({ length: 9_000 }, (_, at) => `"m${at}":1`).join(',');
    const refused = await send('/json-forms/task/RenderJsonSchema', `{${many},"jsonSchema":true}`);
    assert.match(refused.text, /"\/m0 is not known here.* \(and 99 more errors\)/);
  });

  it('is refused by the entrance for agents around the arguments, before its SDK reads it', async () => {
    const meta = Array.from({ length: 600 }, (_, at) => `"m${at}":1`).join(',');
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{${meta}}}}`;
    const reply = await postMcp(server.url, { token: server.issueToken('admin'), text: message });
    assert.equal(reply.status, 400);
    assert.match(reply.text, /may have 500 members and items/);
  });
});

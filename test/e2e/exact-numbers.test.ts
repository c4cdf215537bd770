import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { runCommand } from '../support/command-io.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { postMcp } from '../support/mcp-client.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const BIG = '18446744073709551615';
const JSON_TYPE = { 'content-type': 'application/json' };
/** A schema with the bounds of int64, as generators of OpenAPI write them. */
const SCHEMA =
  '{"type":"object","properties":{"id":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},"octets":{"type":"integer","maximum":18446744073709551615,"default":18446744073709551615}}}';

describe('numbers with more digits than a double keeps', () => {
  let server: TestServer;
  let orchestrator: Listener;
  let target = '';
  const bodies: string[] = [];

  before(async () => {
    orchestrator = await listenOnLoopback(
      createServer((req, res) => {
        void textOf(req).then((body) => {
          bodies.push(body);
          const found = req.url === '/ids' ? `{"ids":[${BIG},7],"rate":0.12345678901234567890}` : '{}';
          res.writeHead(200, JSON_TYPE).end(body === '' ? found : body);
        });
      }),
    );
    target = `http://${orchestrator.host}`;
    server = await startTestServer({
      egressAllow: `"${orchestrator.host}", `,
      adapters: { echo: `plugin: http-rest\nbaseUrl: ${target}\nhealth: { type: none }\n` },
      main: {
        more: 'mcp: { enabled: true, operations: [orchestrator-manager.restAction, orchestrator-manager.restQuery], actions: allowed }\n',
      },
    });
  });
  after(async () => {
    await server.close();
    await orchestrator.close();
  });

  const send = async (route: Parameters<TestServer['call']>[0], text: string): Promise<string> => {
    const reply = await server.call(route, { text, headers: JSON_TYPE });
    assert.equal(reply.status, 200, reply.text);
    return reply.text;
  };
  const exchange = (text: string) => postMcp(server.url, { token: server.issueToken('admin'), text });
  const refusal = async (text: string): Promise<string> => {
    const route = 'POST /orchestrator_manager/restAction/echo';
    const reply = await server.call(route, { text, headers: JSON_TYPE });
    assert.equal(reply.status, 400, reply.text);
    return reply.text;
  };
  const idOf = (text: string): string => /"id":"([0-9a-f]{24})"/.exec(text)?.[1] ?? '';

  it('reach an orchestrator as the caller wrote them, in the body of restAction and of restCall', async () => {
    const body = `{"orderId": 4634343214213523454, "rate": 0.12345678901234567890, "max": 1e400}`;
    bodies.length = 0;
    const params = '{"path":"/orders","accept":"application/json"}';
    await send('POST /orchestrator_manager/restAction/echo', `{"params":${params},"body":${body}}`);
    await send(
      'POST /tools/restCall',
      `{"uri":"${target}/x","verb":"POST","responseHeaders":false,"body":${body}}`,
    );
    assert.deepEqual(bodies, [body, body]);
  });

  it('reach an orchestrator in a form, and are refused there only if a form cannot keep them', async () => {
    bodies.length = 0;
    const params =
      '{"path":"/orders","accept":"application/json","contentType":"application/x-www-form-urlencoded"}';
    await send(
      'POST /orchestrator_manager/restAction/echo',
      `{"params":${params},"body":{"id":${BIG},"n":1}}`,
    );
    assert.deepEqual(bodies, [`id=${BIG}&n=1`]);
    assert.match(
      await refusal(`{"params":{"path":"/x","accept":"a/b","n":${BIG}},"body":{}}`),
      /\/params\/n is a number with more digits/,
    );
    assert.match(
      await refusal(`{"params":${params},"body":{"rate":0.12345678901234567890}}`),
      /\/body\/rate is a number with more digits than can be kept/,
    );
  });

  it('stay in a form: when it is created, changed, listed, exported and restored', async () => {
    const created = await send('POST /json-forms/forms', `{"name":"int64","schema":${SCHEMA}}`);
    assert.ok(created.includes(SCHEMA), created);
    const id = idOf(created);
    await send(`PUT /json-forms/forms/${id}`, `{"options":{"description":"x","uiSchema":{"max":${BIG}}}}`);
    await send(`PUT /json-forms/forms/${id}`, '{"options":{"description":"y"}}');
    for (const path of [
      `/forms/${id}`,
      '/forms',
      '/forms?contains=9223372036854775807&containsField=schema.properties.id.maximum',
      `/forms/${id}/history`,
    ]) {
      const { text } = await server.call(`GET /json-forms${path}`);
      assert.ok(text.includes(SCHEMA) && text.includes(`"uiSchema":{"max":${BIG}}`), `${path}: ${text}`);
    }
    await send('POST /json-forms/import/forms', `{"forms":[{"name":"imported","schema":${SCHEMA}}]}`);
    const { text } = await server.call('GET /json-forms/forms/imported');
    assert.ok(text.includes(SCHEMA), text);
  });

  it('are compared exactly with the bounds of a schema', async () => {
    const verdict = async (id: string): Promise<boolean> =>
      (
        await send('POST /json-forms/validate-data', `{"jsonSchema":${SCHEMA},"formData":{"id":${id}}}`)
      ).includes('"valid":true');
    assert.deepEqual(
      await Promise.all(
        ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809'].map(
          verdict,
        ),
      ),
      [true, false, true, false],
    );
    const decoded = await send('POST /json-forms/decode', `{"jsonSchema":${SCHEMA}}`);
    assert.ok(decoded.includes('"maximum":9223372036854775807'), decoded);
    const ofForm = await send(
      'POST /json-forms/validate-form/int64',
      `{"formData":{"octets":${BIG.replace(/5$/, '6')}}}`,
    );
    assert.match(ofForm, /must be <= 18446744073709551615/);
  });

  it('are compared exactly with the values that a form lists', async () => {
    for (const rule of [
      `"const":${BIG}`,
      `"enum":[1,${BIG}]`,
      `"multipleOf":${BIG}`,
      `"not":{"const":${BIG}}`,
    ]) {
      const schema = `{"type":"object","properties":{"id":{${rule}}}}`;
      const data = rule.startsWith('"not"') ? BIG : '18446744073709551614';
      const reply = await send(
        'POST /json-forms/validate-data',
        `{"jsonSchema":${schema},"formData":{"id":${data}}}`,
      );
      assert.match(reply, /"valid":false/, rule);
    }
  });

  it('are kept in a body of very many values, and refused beside it', async () => {
    bodies.length = 0;
    const body = `{"ids":[${Array<string>(20_000).fill(BIG).join(',')}],"rate":0.12345678901234567890}`;
    const text = (params: string) =>
      `{"params":{"path":"/x","accept":"application/json"${params}},"body":${body}}`;
    await send('POST /orchestrator_manager/restAction/echo', text(''));
    await send(
      'POST /tools/restCall',
      `{"uri":"${target}/x","verb":"POST","responseHeaders":false,"body":${body}}`,
    );
    assert.deepEqual(bodies, [body, body]);
    assert.match(await refusal(text(`,"n":${BIG}`)), /\/params\/n is a number with more digits/);
    assert.match(
      await refusal(text(',"contentType":"application/x-www-form-urlencoded"')),
      /\/body has too many values to be a form/,
    );
  });

  it('are refused in a message of an agent around the arguments, with its id', async () => {
    for (const message of [
      `{"jsonrpc":"2.0","id":${BIG},"method":"tools/list"}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"n":${BIG}}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"restAction","arguments":[${BIG}]}}`,
    ]) {
      const { status, text } = await exchange(message);
      assert.equal(status, 400, text);
      assert.match(text, /is a number with more digits than can be kept/);
    }
  });

  it('stay in a task: in its data, its draft and its outcome', async () => {
    const opened = await send(
      'POST /json-forms/task/ShowJsonForm',
      `{"form_id":"int64","instance_data":{"octets":${BIG}}}`,
    );
    assert.ok(opened.includes(SCHEMA) && opened.includes(`"formData":{"octets":${BIG}}`), opened);
    const id = idOf(opened);
    const drafted = await send(
      `PUT /json-forms/tasks/${id}/draft`,
      `{"formData":{"octets":${BIG},"id":9223372036854775806}}`,
    );
    assert.match(drafted, /"pointers":\["\/id"\]/);
    const data = '{"octets":18446744073709551614,"id":9223372036854775807}';
    const done = await send(
      `POST /json-forms/tasks/${id}/outcome`,
      `{"outcome":"approved","formData":${data}}`,
    );
    assert.ok(done.includes(`"export":${data}`), done);
    const { text } = await server.call(`GET /json-forms/tasks/${id}`);
    assert.ok(text.includes(`"export":${data}`), text);
  });

  it('stay in the body that an agent sends, and are refused elsewhere', async () => {
    bodies.length = 0;
    const call = async (name: string, more: string): Promise<string> => {
      const sent = `{"adapterId":"echo","params":{"path":"/x","accept":"application/json"}${more}}`;
      const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${sent}}}`;
      return (await exchange(message)).text;
    };
    await call('restAction', `,"body":{"id":${BIG}}`);
    assert.deepEqual(bodies, [`{"id":${BIG}}`]);
    const refused = await call('restQuery', `,"more":${BIG}`);
    assert.match(refused, /isError":true/);
  });

  it('stay in the files of dump, and apply changes nothing the second time', async () => {
    const folder = temporaryFolder().path;
    const env = {
      GATEHOUSE_URL: server.url,
      GATEHOUSE_TOKEN: server.issueToken('admin'),
      XDG_CONFIG_HOME: temporaryFolder().path,
    };
    const dumped = await runCommand(['dump', folder, '--kind', 'forms'], { env });
    assert.equal(dumped.code, 0, dumped.err);
    const file = readFileSync(join(folder, 'forms/int64.yaml'), 'utf8');
    assert.match(file, /maximum: 9223372036854775807\n[^]*default: 18446744073709551615\n/);
    assert.equal((await runCommand(['diff', folder], { env })).code, 0);
    writeFileSync(
      join(folder, 'forms/int64.yaml'),
      file.replace('9223372036854775807', '9223372036854775806'),
    );
    const changed = await runCommand(['diff', folder], { env });
    assert.match(
      changed.out,
      /\/schema\/properties\/id\/maximum: 9223372036854775807 -> 9223372036854775806/,
    );
    assert.equal((await runCommand(['apply', folder], { env })).code, 0);
    assert.match((await server.call('GET /json-forms/forms/int64')).text, /"maximum":9223372036854775806/);
  });
});

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { openLocalIssuer } from '../../src/auth/local-issuer.js';
import { systemClock } from '../../src/core/lib/clock.js';
import { callUrl } from '../support/call.js';
import { makeCertificate } from '../support/certificates.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const SHOWS_CHAIN = '"openssl s_client -showcerts -connect HOST:PORT" shows the chain.';

/** Returns the source of a plugin whose adapter has these functions, the first of which begins on line 8. */
const pluginSource = (type: string, functions: string): string => `export const plugin = {
  type: '${type}',
  apiVersion: 1,
  summary: 'Test.',
  options: { type: 'object', additionalProperties: false, properties: {} },
  create() {
    return {
${functions}
    };
  },
};
`;

const GET = "[{ method: 'GET', path: '/a', headers: {} }]";
const PLUGINS: Readonly<Record<string, string>> = {
  r1: "translate() {\n  throw new Error('boom with a detail');\n},",
  r2: 'translate: () => [],',
  r3: `translate: () => ${GET},\nshape() {\n  throw new Error('boom with a detail');\n},`,
  r4: "translate: () => [{ method: 'GET', path: '/a', headers: { Authorization: 'x' } }],",
  r5: 'translate: () => [undefined],',
};

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Opens a server that answers every request over plain HTTP. */
function openPlainTarget(): Server {
  return createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
  });
}

describe('a failed call tells how to correct', () => {
  let server: TestServer;
  const targets: Server[] = [];
  const folder = temporaryFolder().path;

  before(async () => {
    const own = await makeCertificate({ ip: '127.0.0.1' });
    const other = await makeCertificate({ dns: 'other.example' });
    targets.push(
      createHttpsServer({ key: own.key, cert: own.cert }, (_request, response) => response.end('{}')),
      createHttpsServer({ key: other.key, cert: other.cert }, (_request, response) => response.end('{}')),
      openPlainTarget(),
    );
    const [ownPort = 0, otherPort = 0, plainPort = 0] = await Promise.all(targets.map(listen));
    const adapters: Readonly<Record<string, string>> = {
      u1: `plugin: http-rest\nbaseUrl: https://127.0.0.1:${ownPort}\n`,
      u2: `plugin: http-rest\nbaseUrl: https://127.0.0.1:${otherPort}\ntls: { caFile: ../other.pem }\n`,
      u6: `plugin: http-rest\nbaseUrl: https://127.0.0.1:${plainPort}\n`,
      u7: `plugin: http-rest\nbaseUrl: http://127.0.0.1:${ownPort}\n`,
    };
    server = await startTestServer({
      folder,
      arrange() {
        writeFileSync(join(folder, 'other.pem'), other.cert);
        for (const [id, text] of Object.entries(adapters))
          writeFileSync(join(folder, 'adapters', `${id}.yaml`), text);
        for (const [type, functions] of Object.entries(PLUGINS)) {
          installPlugin(type, functions);
          const adapter = `plugin: ${type}\nbaseUrl: http://127.0.0.1:${plainPort}\n`;
          writeFileSync(join(folder, 'adapters', `${type}.yaml`), adapter);
        }
      },
    });
  });
  after(async () => {
    await server.close();
    for (const target of targets) target.close();
  });

  function installPlugin(type: string, functions: string): void {
    const at = join(folder, 'node_modules', type);
    mkdirSync(at, { recursive: true });
    const manifest = { name: type, version: '1.0.0', type: 'module', exports: './index.js' };
    writeFileSync(join(at, 'package.json'), JSON.stringify({ ...manifest, keywords: ['gatehouse-plugin'] }));
    writeFileSync(join(at, 'index.js'), pluginSource(type, functions));
  }

  async function query(adapterId: string): Promise<{ code: string; says: string }> {
    const { json } = await callUrl(`${server.url}/orchestrator_manager/restQuery/${adapterId}`, {
      token: server.issueToken('admin'),
      body: { params: { path: '/a', accept: 'application/json' } },
    });
    return problemIn(json);
  }

  function problemIn(json: unknown): { code: string; says: string } {
    const { code, detail, recommendation } = json as Record<'code' | 'detail' | 'recommendation', string>;
    return { code, says: `${detail} | ${recommendation}` };
  }

  for (const [mistake, id, says] of [
    [
      'U01 a self-signed certificate',
      'u1',
      `the certificate of the target is self-signed and not trusted | Ask the operator to name the certificate of the target in tls.caFile of the adapter; ${SHOWS_CHAIN}`,
    ],
    [
      'U02 a certificate for another name',
      'u2',
      'the certificate of the target is for another host name | Ask the operator to write a name of the certificate in baseUrl, or in tls.serverName of the adapter; "openssl s_client -connect HOST:PORT </dev/null | openssl x509 -noout -ext subjectAltName" shows its names.',
    ],
    [
      'U06 TLS to a port without TLS',
      'u6',
      'the target does not speak TLS on this port | Ask the operator to write the TLS port of the target in baseUrl, or http:// if the target has no TLS.',
    ],
    [
      'U07 plain HTTP to a TLS port',
      'u7',
      'the target closed the connection without an answer | Ask the operator to write https:// in baseUrl if the target expects TLS on this port; otherwise the log of the target has the reason.',
    ],
  ] as const)
    // prettier-ignore
    it(mistake, async () => {
      assert.deepEqual(await query(id), { code: 'upstream_unreachable', says });
    });

  it('U01 in the log, for the operator', async () => {
    await query('u1');
    const line = server.logLines.find((text) =>
      text.includes('"orchestrator cannot be used","adapter":"u1"'),
    );
    assert.match(line ?? '', /"fix":"Name the certificate of the target in tls\.caFile of the adapter; /);
  });

  const REPORT =
    'Report the requestId to the operator: the log names the error, which the author of the plugin must correct.';
  for (const [mistake, id, says] of [
    [
      'R1 a plugin that throws in translate, with its line',
      'r1',
      'the function translate of the plugin of "r1" failed at r1/index.js:9',
    ],
    [
      'R2 a plugin that returns no request',
      'r2',
      'the function translate of the plugin of "r2" returned no request; it must return [{ method, path, headers }]',
    ],
    [
      'R3 a plugin that throws in shape, with its line',
      'r3',
      'the function shape of the plugin of "r3" failed at r3/index.js:10',
    ],
    [
      'R4 a plugin that sets a header of the host',
      'r4',
      'the plugin\'s header "Authorization" carries credentials, which come from the adapter\'s settings alone',
    ],
    [
      'R2 a plugin that returns something else than requests',
      'r5',
      'the function translate of the plugin of "r5" returned something else than a list of requests; it must return [{ method, path, headers }]',
    ],
  ] as const)
    // prettier-ignore
    it(mistake, async () => {
      const { code, says: found } = await query(id);
      assert.deepEqual([code, found], ['plugin_failed', `${says} | ${REPORT}`]);
      const reason = JSON.stringify(says).slice(1, -1);
      assert.ok(server.logLines.some((line) => line.includes('"plugin failed"') && line.includes(reason)));
    });

  it('R1 with the error of the plugin only in the log', async () => {
    assert.doesNotMatch((await query('r1')).says, /boom/);
    assert.ok(server.logLines.some((line) => line.includes('"message":"boom with a detail"')));
  });

  it('H06 a token that another node signed, in the log', async () => {
    const keyFile = join(temporaryFolder().path, 'other-node.pem');
    const issuer = await openLocalIssuer({
      keyFile,
      tokenTtlSeconds: 60,
      clock: systemClock,
      createKey: true,
    });
    const token = issuer.issueToken({ subject: 'ada', roles: ['admin'] });
    const { status } = await callUrl(`${server.url}/adapters`, { method: 'GET', token });
    assert.equal(status, 401);
    assert.ok(
      server.logLines.some((line) =>
        line.includes(
          '"reason":"no key of the issuer fits: another node or an earlier key signed the token; give all nodes the same auth.local.keyFile"',
        ),
      ),
    );
  });

  const COMPARE = 'Compare the path and the method with the API description, GET /openapi.json.';
  for (const [path, detail] of [
    ['/', 'No operation has this path.'],
    ['/adapter', 'No operation has this path; did you mean "/adapters"?'],
    ['/adapters/core1/restrt', 'No operation has this path; did you mean "/adapters/core1/restart"?'],
    ['/frobnicate', 'No operation has this path.'],
  ] as const)
    it(`H14 the unknown path ${path}`, async () => {
      const { json } = await callUrl(`${server.url}${path}`, { method: 'GET' });
      assert.deepEqual(problemIn(json), { code: 'not_found', says: `${detail} | ${COMPARE}` });
    });
});

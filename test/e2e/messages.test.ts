import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { openLocalIssuer } from '../../src/auth/local-issuer.js';
import { systemClock } from '../../src/lib/clock.js';
import { callUrl } from '../support/call.js';
import { makeCertificate } from '../support/certificates.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

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

describe('a failed call tells how to correct', () => {
  let server: TestServer;
  let target: Listener;
  const folder = temporaryFolder().path;

  before(async () => {
    const { key, cert } = await makeCertificate({ ip: '127.0.0.1' });
    target = await listenOnLoopback(createServer({ key, cert }, (_request, response) => response.end('{}')));
    const adapter = (plugin: string) => `plugin: ${plugin}\nbaseUrl: https://${target.host}\n`;
    const adapters: Record<string, string> = { u1: adapter('http-rest') };
    for (const type of Object.keys(PLUGINS)) adapters[type] = `${adapter(type)}tls: { insecure: true }\n`;
    server = await startTestServer({
      folder,
      adapters,
      arrange() {
        for (const [type, functions] of Object.entries(PLUGINS)) installPlugin(type, functions);
      },
    });
  });
  after(async () => {
    await server.close();
    await target.close();
  });

  function installPlugin(type: string, functions: string): void {
    const at = join(folder, 'node_modules', type);
    mkdirSync(at, { recursive: true });
    const manifest = { name: type, version: '1.0.0', type: 'module', exports: './index.js' };
    writeFileSync(join(at, 'package.json'), JSON.stringify({ ...manifest, keywords: ['gatehouse-plugin'] }));
    writeFileSync(join(at, 'index.js'), pluginSource(type, functions));
  }

  async function query(adapterId: string): Promise<{ code: string; says: string }> {
    const { json } = await server.query(adapterId, { path: '/a' });
    return problemIn(json);
  }

  function problemIn(json: unknown): { code: string; says: string } {
    const { code, detail, recommendation } = json as Record<'code' | 'detail' | 'recommendation', string>;
    return { code, says: `${detail} | ${recommendation}` };
  }

  it('U01 a self-signed certificate, also in the log for the operator', async () => {
    assert.deepEqual(await query('u1'), {
      code: 'upstream_unreachable',
      says: 'the certificate of the target is self-signed and not trusted | Ask the operator to name the certificate of the target in tls.caFile of the adapter; "openssl s_client -showcerts -connect HOST:PORT" shows the chain.',
    });
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
    // The entrance for agents is off by default.
    ['/mcp', 'No operation has this path.'],
    ['/adapters/core1/restrt', 'No operation has this path; did you mean "/adapters/core1/restart"?'],
  ] as const)
    it(`H14 the unknown path ${path}`, async () => {
      const { json } = await callUrl(`${server.url}${path}`, { method: 'GET' });
      assert.deepEqual(problemIn(json), { code: 'not_found', says: `${detail} | ${COMPARE}` });
    });
});

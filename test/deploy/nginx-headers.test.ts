import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../support/free-port.js';
import { startLoadBalancer } from '../support/load-balancer.js';
import { NGINX } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { startStreamOrchestrator, type StreamOrchestrator } from '../support/stream-orchestrator.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { type CertificateFiles, writeCertificate, writeNginx } from './balancer-files.js';

const IGNORED =
  'proxy_ignore_headers X-Accel-Redirect X-Accel-Expires X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Charset;';
const SECRET = 'a file that only nginx may read';

describeWith([NGINX], 'nginx in front of a server that sends X-Accel headers', function () {
  this.timeout(60_000);
  const opened = openedBySuite();
  let orchestrator: StreamOrchestrator;
  let gatehouse: TestServer;
  let certificate: CertificateFiles;

  before(async () => {
    orchestrator = await opened(
      startStreamOrchestrator({
        steers: (_req, res) =>
          res
            .writeHead(200, {
              ...{ 'content-type': 'text/plain', 'X-Accel-Redirect': '/internal/secret.txt' },
              ...{ 'X-Accel-Charset': 'koi8-r', 'X-Accel-Expires': '60', 'X-Accel-Buffering': 'yes' },
            })
            .end('the reply of the server'),
      }),
    );
    const adapter = `plugin: http-rest\nbaseUrl: ${orchestrator.url}\nhealth: { type: none }\n`;
    gatehouse = await opened(startTestServer({ adapters: { steering: adapter } }));
    certificate = await writeCertificate(temporaryFolder().path);
  });

  /** Starts nginx with the shipped file, an internal folder, and these changes, in front of a server. Returns its port. */
  const startNginx = async (server: number, ...changes: readonly (readonly [string, string])[]) => {
    const { path: folder } = temporaryFolder();
    mkdirSync(join(folder, 'internal'));
    writeFileSync(join(folder, 'internal', 'secret.txt'), SECRET);
    const internal = `location /internal/ { internal; root ${folder}; }\n    location / {`;
    const port = await freePort();
    const machine = { folder, port, nodes: [server, server], ...certificate } as const;
    const args = writeNginx(machine, [['location / {', internal], ...changes]);
    const nginx = await startLoadBalancer('nginx', args, port);
    await opened({ close: () => nginx.stop() });
    return port;
  };
  const get = async (port: number, path: string) => {
    const authorization = `Bearer ${gatehouse.issueToken('admin')}`;
    const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false } as const;
    const sent = httpsRequest({ ...options, headers: { authorization } });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { type: response.headers['content-type'], body: await text(response) };
  };
  const plain = { type: 'text/plain', body: 'the reply of the server' };

  it('serves an internal file at the wish of the server, if its file does not say otherwise', async () => {
    const port = await startNginx(orchestrator.port, [IGNORED, '']);
    assert.equal((await get(port, '/steers')).body, SECRET);
  });

  it('finding N3: ignores these headers with the shipped file', async () => {
    const port = await startNginx(orchestrator.port);
    assert.deepEqual(await get(port, '/steers'), plain);
  });

  it('finding N3: gets none of these headers from an orchestrator through gatehouse, whatever its file says', async () => {
    const port = await startNginx(Number(new URL(gatehouse.url).port), [IGNORED, '']);
    assert.deepEqual(await get(port, '/proxy/steering/steers'), plain);
  });
});

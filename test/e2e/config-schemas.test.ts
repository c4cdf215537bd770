import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemScheduler } from '../../src/core/lib/clock.js';
import { createServer, type Server } from '../../src/server/create-server.js';
import { collectingStream } from '../support/collecting-stream.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startYamlLanguageServer } from '../support/yaml-language-server.js';

describe('a server whose configuration takes numbers from variables', () => {
  const folder = temporaryFolder().path;
  const env: Record<string, string> = { PORT: '0', DRAIN: '0', STUB: 'true' };
  const adapterFile = join(folder, 'adapters', 'a.yaml');
  let server: Server;

  before(async () => {
    mkdirSync(join(folder, 'adapters'));
    writeFileSync(
      join(folder, 'gatehouse.yaml'),
      'server:\n  listen: 127.0.0.1:${PORT}\n  drainSeconds: ${DRAIN}\nauth: { local: { keyFile: issuer.pem } }\n',
    );
    writeFileSync(adapterFile, 'plugin: http-rest\nbaseUrl: http://a.example\nstub: ${STUB}\n');
    const { stream: logStream } = collectingStream();
    server = await createServer({
      configPath: join(folder, 'gatehouse.yaml'),
      clock: systemScheduler,
      env,
      logStream,
    });
  });
  after(() => server.close());

  it('reloads a file whose number comes from a variable, and names the variable of a fault', async () => {
    env['TOTAL'] = 'soon';
    const text = 'plugin: http-rest\nbaseUrl: http://a.example\ntimeouts:\n  totalMs: ${TOTAL}\n';
    writeFileSync(adapterFile, text);
    const faults = await server.reload();
    assert.deepEqual(
      faults.map(({ line, message }) => `${line} ${message}`),
      ['4 TOTAL is "soon", which is not a whole number'],
    );
    env['TOTAL'] = '1500';
    assert.deepEqual(await server.reload(), []);
  });

  it('gives its schemas to an editor by their URL', async () => {
    const editor = await startYamlLanguageServer();
    const line = `# yaml-language-server: $schema=${server.url}/schemas/gatehouse.schema.json\n`;
    const text = `${line}sever: {}\nadapters: { a: { plugin: restconf, baseUrl: nowhere } }\n`;
    const found = await editor.diagnose(join(folder, 'served.yaml'), text);
    await editor.close();
    assert.deepEqual(found.map(({ line: at, column }) => `${at}:${column}`).sort(), ['2:1', '3:45']);
  });
});

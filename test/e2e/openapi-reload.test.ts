import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../shape/source-files.js';
import { createFakeScheduler } from '../support/fake-scheduler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

describe('a changed OpenAPI document', () => {
  // The clock is stopped: the server detects a changed file only when the test advances the clock.
  const clock = createFakeScheduler(Date.now());
  const { path: folder } = temporaryFolder();
  const devices = join(folder, 'apis', 'devices.yaml');

  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      folder,
      clock,
      adapters: {
        lab: 'plugin: http-rest\nbaseUrl: http://127.0.0.1:9/api/v1\nopenapi: { file: ../apis/devices.yaml, methods: ["*"] }\n',
      },
      arrange: () => {
        cpSync(join(ROOT, 'test/adapters/openapi/documents'), join(folder, 'apis'), { recursive: true });
      },
    });
  });
  after(() => server.close());

  const inputOf = async (method: string): Promise<string> => {
    const { json } = await server.call(`GET /adapters/lab/methods?equalsField=name&equals=${method}`);
    return JSON.stringify((json as { readonly results: readonly object[] }).results);
  };
  const change = (file: string, from: string, to: string): void => {
    const text = readFileSync(file, 'utf8');
    assert.ok(text.includes(from));
    writeFileSync(file, text.replaceAll(from, to));
  };
  /** Waits until the log has a new line with these words. */
  const logged = (words: RegExp, since: number) =>
    eventually(async () => {
      await clock.pass(500);
      assert.match(server.logLines.slice(since).join(''), words);
    });

  it('is read again, and the log names the methods that changed', async () => {
    const since = server.logLines.length;
    change(devices, 'operationId: getStatus', 'operationId: readStatus');
    await logged(/methods of the adapter changed.*1 added \(readStatus\); 1 removed \(getStatus\)/, since);
    assert.match(await inputOf('readStatus'), /"name":"readStatus"/);
    assert.equal(await inputOf('getStatus'), '[]');
  });

  it('is read again when a file that it refers to changes', async () => {
    const since = server.logLines.length;
    change(join(folder, 'apis', 'parts', 'speeds.json'), '[1, 10, 100]', '[1, 10, 100, 400]');
    await logged(/methods of the adapter changed.*1 changed \(addPort\)/, since);
    assert.match(await inputOf('addPort'), /"enum":\[1,10,100,400\]/);
  });
});

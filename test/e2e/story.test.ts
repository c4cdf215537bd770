import assert from 'node:assert/strict';
import { refuseEnc } from '../../demo/refuse-enc.js';
import { visit } from '../../demo/stop.js';
import { TOUR } from '../../demo/tour.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

describe('the complete path from a configuration file to the orchestrator and back', () => {
  let testServer: TestServer;
  let folder: string;

  before(async () => {
    folder = temporaryFolder().path;
    testServer = await startTestServer({ folder });
  });
  after(() => testServer.close());

  for (const stop of TOUR) {
    it(`the tour: ${stop.title}`, async () => {
      const guide = { ...testServer, print: () => undefined };
      assert.deepEqual(await visit(stop, guide), []);
    });
  }

  it('the tour: a configuration with $ENC is refused with its pointer', async () => {
    assert.deepEqual(await refuseEnc(folder, () => undefined), []);
  });

  it('sends the credentials of the adapter upstream, and no header of the caller', async () => {
    const seen = testServer.orchestrator.requests.length;
    const reply = await testServer.query('core1', {
      headers: { cookie: 'token=of-the-caller', 'x-forwarded-for': '203.0.113.9', 'x-own': '1' },
    });
    assert.equal(reply.status, 200);
    const sent = testServer.orchestrator.requests.slice(seen);
    assert.equal(sent.length, 1);
    const headers = sent[0]?.headers ?? {};
    assert.equal(
      headers['authorization'],
      `Basic ${Buffer.from(`gatehouse:${testServer.password}`).toString('base64')}`,
    );
    assert.deepEqual(Object.keys(headers).sort(), [
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'traceparent',
      'user-agent',
    ]);
  });
});

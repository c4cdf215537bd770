import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../docs/markdown.js';
import { startTestServer } from '../support/test-server.js';

describe('the complete path from a configuration file to the orchestrator and back', () => {
  it('the tour: gatehouse demo --once', async () => {
    const command = join(ROOT, 'dist/bin/gatehouse.js');
    // Rejects on any other exit code.
    const { stdout } = await promisify(execFile)(process.execPath, [command, 'demo', '--once'], {
      timeout: 15_000,
    });
    assert.match(stdout, /Every answer was right\.\s*$/);
    assert.ok(!stdout.includes('of-the-orchestrator'), 'the password was printed');
  });

  it('sends the credentials of the adapter upstream, and no header of the caller', async () => {
    const testServer = await startTestServer();
    const reply = await testServer.query('core1', {
      headers: { cookie: 'token=of-the-caller', 'x-forwarded-for': '203.0.113.9', 'x-own': '1' },
    });
    await testServer.close();
    assert.equal(reply.status, 200);
    const { headers = {} } = testServer.orchestrator.requests.at(-1) ?? {};
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

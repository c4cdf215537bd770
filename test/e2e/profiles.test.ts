import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemScheduler } from '../../src/lib/clock.js';
import { createServer } from '../../src/server/create-server.js';
import { type CallResult, callUrl } from '../support/call.js';
import { collectingStream } from '../support/collecting-stream.js';
import { runCommand } from '../support/command-io.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

describe('the profiles of a running server', () => {
  let testServer: TestServer;
  /** Address of the server; it changes after a restart. */
  let url: string;

  before(async () => {
    testServer = await startTestServer();
    ({ url } = testServer);
  });
  after(() => testServer.close());

  const ask = (method: string, path: string, body?: unknown) =>
    callUrl(url + path, {
      method,
      token: testServer.issueToken('admin'),
      ...(body !== undefined && { body }),
    });
  const messageOf = ({ status, json, text }: CallResult): string => {
    assert.equal(status, 200, text);
    return (json as { message: string }).message;
  };
  const create = async (id: string, members: object = {}) =>
    messageOf(await ask('POST', '/profiles', { properties: { id, ...members } }));
  const activate = (id: string) => ask('PUT', `/profiles/${id}/active`);
  const query = async (): Promise<number> => {
    const path = '/restconf/data/ietf-interfaces:interfaces';
    const body = { params: { path, accept: 'application/yang-data+json' } };
    return (await ask('POST', '/orchestrator_manager/restQuery/core1', body)).status;
  };

  it('stop the adapters that they exclude, and start them again, before the reply', async () => {
    assert.equal(await query(), 200);
    await create('quiet', { services: ['JsonForms'] });
    await create('everything');
    assert.equal(messageOf(await activate('quiet')), 'Successfully activated quiet. Stopped: core1.');
    assert.equal(await query(), 503);
    assert.equal(
      messageOf(await activate('everything')),
      'Successfully activated everything. Started: core1.',
    );
    assert.equal(await query(), 200);
  });

  it('finding 17: follow gatehouse profile --none without a reload', async () => {
    await create('idle', { services: ['JsonForms'] });
    await activate('idle');
    assert.equal(await query(), 503);
    const { code, out } = await runCommand(['profile', '--none', '--config', testServer.configPath]);
    assert.equal(code, 0);
    assert.match(out, /A running server follows within two seconds/);
    await eventually(async () => {
      assert.equal(await query(), 200);
    });
  });

  it('report an adapter that cannot be started', async () => {
    messageOf(await activate('quiet'));
    const caFile = join(dirname(testServer.configPath), 'orchestrator-ca.pem');
    renameSync(caFile, `${caFile}.away`);
    const message = messageOf(await activate('everything'));
    renameSync(`${caFile}.away`, caFile);
    assert.equal(message, 'Successfully activated everything. Could not be started: core1.');
    assert.equal(
      messageOf(await activate('everything')),
      'Successfully activated everything. Started: core1.',
    );
    assert.equal(await query(), 200);
  });

  it('stay active after a reload and after a restart', async () => {
    messageOf(await activate('quiet'));
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal(await query(), 503);
    await testServer.running.close();
    const next = await createServer({
      configPath: testServer.configPath,
      env: {},
      clock: systemScheduler,
      logStream: collectingStream().stream,
    });
    try {
      ({ url } = next);
      assert.equal(await query(), 503);
    } finally {
      await next.close();
    }
  });
});

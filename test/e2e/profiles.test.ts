import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CallResult } from '../support/call.js';
import { runCommand } from '../support/command-io.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

describe('the profiles of a running server', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer();
  });
  after(() => testServer.close());

  const messageOf = ({ status, json, text }: CallResult): string => {
    assert.equal(status, 200, text);
    return (json as { message: string }).message;
  };
  const create = async (id: string, members: object = {}) =>
    messageOf(await testServer.call('POST /profiles', { body: { properties: { id, ...members } } }));
  const activate = (id: string) => testServer.call(`PUT /profiles/${id}/active`);
  const query = async (): Promise<number> => (await testServer.query()).status;

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
});

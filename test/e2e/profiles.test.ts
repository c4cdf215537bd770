import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemScheduler } from '../../src/core/lib/clock.js';
import { createServer } from '../../src/server/create-server.js';
import { type CallResult, callUrl } from '../support/call.js';
import { collectingStream } from '../support/collecting-stream.js';
import { runCommand } from '../support/command-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { eventually } from '../support/until.js';

describe('the profiles of a running server', () => {
  let testServer: TestServer;
  /** Address of the server; it changes after a restart. */
  let url: string;

  before(async () => {
    testServer = await startTestServer({ folder: temporaryFolder().path });
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
  const callOut = async (role = 'admin'): Promise<number> => {
    const body = { uri: testServer.inventoryUrl, verb: 'GET', responseHeaders: false };
    return (await callUrl(`${url}/tools/restCall`, { token: testServer.issueToken(role), body })).status;
  };
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

  it('take effect before the reply, also when an active profile changes', async () => {
    assert.equal(await callOut(), 200);
    await create('closed', { egress: { allow: ['192.0.2.1:443'] } });
    assert.equal(await callOut(), 200);
    messageOf(await activate('closed'));
    assert.equal(await callOut(), 403);
    const roles = { 'tools.restCall': ['viewer'] };
    messageOf(await ask('PUT', '/profiles/closed', { properties: { egress: null, roles } }));
    assert.equal(await callOut(), 403);
    assert.equal(await callOut('viewer'), 200);
    messageOf(await activate('everything'));
    assert.equal(await callOut(), 200);
  });

  it('change nothing if they are invalid', async () => {
    messageOf(await activate('closed'));
    const properties = { egress: { allow: ['10.0.0.0/99:443'] } };
    const { status, json, text } = await ask('PUT', '/profiles/closed', { properties });
    assert.equal(status, 400, text);
    const { code, errors } = json as { code: string; errors: readonly { pointer: string }[] };
    assert.equal(code, 'invalid_request');
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      ['/properties/egress/allow/0'],
    );
    assert.equal(await callOut('viewer'), 200);
    const { metadata } = (await ask('GET', '/profiles/closed')).json as { metadata: object };
    assert.deepEqual(metadata, { isActive: true, activeSync: true });
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

  it('are activated one after the other for concurrent requests', async () => {
    const names = ['quiet', 'everything', 'closed', 'quiet', 'everything'];
    for (const answer of await Promise.all(names.map(activate))) messageOf(answer);
    const { results } = (await ask('GET', '/profiles')).json as {
      results: readonly { metadata: { isActive: boolean; activeSync: boolean } }[];
    };
    const active = results.filter(({ metadata }) => metadata.isActive);
    assert.deepEqual(
      active.map(({ metadata }) => metadata.activeSync),
      [true],
    );
    messageOf(await activate('everything'));
    assert.equal(await query(), 200);
  });

  it('stay active after a reload', async () => {
    messageOf(await activate('quiet'));
    assert.deepEqual(await testServer.running.reload(), []);
    assert.equal(await query(), 503);
  });

  it('stay active after a restart', async () => {
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
      assert.equal((await ask('DELETE', '/profiles/quiet')).status, 409);
      messageOf(await activate('everything'));
      assert.equal(await query(), 200);
      assert.equal(messageOf(await ask('DELETE', '/profiles/quiet')), 'Successfully deleted quiet.');
    } finally {
      await next.close();
    }
  });
});

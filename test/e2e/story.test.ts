import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/storage/open-store.js';
import { refuseEnc } from '../../demo/refuse-enc.js';
import { visit } from '../../demo/stop.js';
import { TOUR } from '../../demo/tour.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const INTERFACES = '/restconf/data/ietf-interfaces:interfaces';

describe('the complete path from a configuration file to the orchestrator and back', () => {
  let testServer: TestServer;
  let folder: string;
  const replies: string[] = [];

  before(async () => {
    folder = temporaryFolder().path;
    testServer = await startTestServer({ folder });
  });
  after(() => testServer.close());

  for (const stop of TOUR) {
    it(`the tour: ${stop.title}`, async () => {
      const guide = { ...testServer, print: (line: string) => replies.push(line) };
      assert.deepEqual(await visit(stop, guide), []);
    });
  }

  it('the tour: a configuration with $ENC is refused with its pointer', async () => {
    assert.deepEqual(await refuseEnc(folder, (line) => replies.push(line)), []);
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

  it('appends one audit record for each audited call', async () => {
    const path = `${INTERFACES}/interface=eth1`;
    await testServer.query('core1', { path, headers: { 'x-request-id': 'audit-1' } });
    const store = await openStore(`sqlite:${join(folder, 'data', 'gatehouse.db')}`);
    const [record, ...others] = (await store.recentAudit(10)).filter(
      ({ requestId }) => requestId === 'audit-1',
    );
    await store.close();
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...record, time: '', durationMs: 0 },
      {
        time: '',
        requestId: 'audit-1',
        operation: 'orchestrator-manager.restQuery',
        subject: 'ada',
        issuer: 'gatehouse',
        clientAddress: '127.0.0.1',
        target: `/orchestrator_manager/restQuery/core1 GET ${INTERFACES}/interface=eth1`,
        status: 200,
        outcome: '200',
        durationMs: 0,
        before: '',
        after: '',
      },
    );
  });

  it('exposes neither the password nor a token in replies and log lines', () => {
    const token = testServer.issueToken('admin');
    const said = [
      ...replies,
      ...testServer.logLines,
      readFileSync(join(folder, 'data', 'gatehouse.log'), 'utf8'),
    ].join('\n');
    assert.ok(said.includes('audit-1'), 'the log is there to be searched');
    const { password } = testServer;
    for (const secret of [
      password,
      Buffer.from(password).toString('base64'),
      Buffer.from(password).toString('hex'),
      Buffer.from(`gatehouse:${password}`).toString('base64'),
      token.split('.')[1] ?? '-',
    ])
      assert.ok(!said.includes(secret), 'a secret was printed');
    assert.ok(!said.includes('eyJ'), 'a token was printed');
  });
});

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createFakeScheduler, type FakeScheduler } from '../support/fake-scheduler.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { callsTo } from '../support/server-calls.js';
import { type MailServer, startMailServer } from '../support/smtp-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { SECRET, startTestServer, type TestServer, type TestServerOptions } from '../support/test-server.js';
import { eventually } from '../support/until.js';

/** A message as the webhook received it. */
interface Received {
  readonly body: string;
  readonly timestamp: string;
  readonly signature: string;
}

interface Message {
  readonly test: boolean;
  readonly problems: readonly { readonly event: string; readonly id: string; readonly adapters: string[] }[];
}

const REFERENCE = `$VAULT_${SECRET.path}#${SECRET.field}`;

const receiversAt = (port: number, mailPort: number): string => `notifications:
  receivers:
    - name: chat
      webhook: { url: "http://127.0.0.1:${port}/hook", secret: "${REFERENCE}" }
      tags: [core]
      waitSeconds: 0
      repeatMinutes: 5
    - name: noc
      mail:
        host: 127.0.0.1
        port: ${mailPort}
        username: gatehouse
        password: "${REFERENCE}"
        caFile: mail-ca.pem
        from: gatehouse <gatehouse@example.com>
        to: [noc@example.com]
      minSeverity: danger
      waitSeconds: 20
`;

describe('notifications', () => {
  const received: Received[] = [];
  let status = 204;
  let folder: string;
  let options: TestServerOptions;
  let webhook: Listener;
  let mailServer: MailServer;
  const clock: FakeScheduler = createFakeScheduler(Date.now());
  let testServer: TestServer;

  before(async () => {
    folder = temporaryFolder().path;
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { 'x-gatehouse-timestamp': timestamp, 'x-gatehouse-signature': signature } = request.headers;
        received.push({ body, timestamp: String(timestamp), signature: String(signature) });
        response.writeHead(status).end();
      });
    });
    webhook = await listenOnLoopback(server);
    mailServer = await startMailServer('gatehouse', () => testServer.password);
    const { port } = webhook;
    options = {
      folder,
      clock,
      egressAllow: `"127.0.0.1:${port}", `,
      main: { more: receiversAt(port, mailServer.port) },
      // The orchestrator of this adapter does not exist.
      adapters: { 'nso1.example.com': 'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\ntags: [core]\n' },
      arrange() {
        writeFileSync(join(folder, 'mail-ca.pem'), mailServer.caPem);
      },
    };
    testServer = await startTestServer(options);
  });
  after(async () => {
    await testServer.close();
    await mailServer.close();
    await webhook.close();
  });

  const { call } = callsTo(() => testServer);
  const messages = () => received.map(({ body }) => JSON.parse(body) as Message);
  const events = () => messages().flatMap(({ problems }) => problems.map(({ event }) => event));
  /** Lets time pass until the condition holds. */
  const passUntil = (isTrue: () => boolean) =>
    eventually(async () => {
      await clock.pass(10_000);
      assert.ok(isTrue(), isTrue.toString());
    });

  it('send a signed test message to a webhook, and a mail by STARTTLS with a login', async () => {
    assert.equal((await call('POST /notifications/receivers/chat/test')).status, 200);
    const [{ body, timestamp, signature } = { body: '', timestamp: '', signature: '' }] = received;
    const expected = createHmac('sha256', testServer.password).update(`${timestamp}.${body}`).digest('hex');
    assert.ok(signature === `sha256=${expected}`, 'the receiver verifies the signature');
    assert.equal((JSON.parse(body) as Message).test, true);
    assert.equal((await call('POST /notifications/receivers/noc/test')).status, 200);
    const [mail] = mailServer.mails;
    assert.deepEqual([mail?.user, mail?.isSecure, mail?.to], ['gatehouse', true, ['noc@example.com']]);
    assert.match(mail?.text ?? '', /Subject: \[gatehouse .*\] Test message/);
    assert.equal((await call('POST /notifications/receivers/nobody/test')).status, 404);
    received.length = 0;
  });

  it('report a problem once, try again after a failure, and name the failure', async () => {
    status = 500;
    await passUntil(() => received.length > 0);
    await eventually(async () => {
      const { json } = await call('GET /notifications');
      const [chat] = (json as { receivers: { failure: { reason: string } | null }[] }).receivers;
      assert.match(chat?.failure?.reason ?? '', /status 500/);
    });
    status = 204;
    received.length = 0;
    await passUntil(() => received.length > 0 && mailServer.mails.length > 1);
    const [problem] = messages()[0]?.problems ?? [];
    assert.deepEqual([problem?.event, problem?.adapters], ['begun', ['nso1.example.com']]);
    assert.match(mailServer.mails[1]?.text ?? '', /Adapters: nso1\.example\.com/);
    await clock.pass(60_000);
    assert.deepEqual(events(), ['begun']);
  });

  it('repeat nothing after a restart, and remind until the problem is acknowledged', async () => {
    await testServer.close();
    testServer = await startTestServer({ ...options, password: testServer.password });
    await passUntil(() => events().length > 1);
    assert.deepEqual(events(), ['begun', 'lasts']);
    const id = messages()[0]?.problems[0]?.id ?? '';
    const path = `/notifications/problems/${id}/acknowledgement` as const;
    assert.equal((await call(`PUT ${path}`, { body: { note: 'cable ordered' } })).status, 200);
    await clock.pass(12 * 60_000);
    assert.deepEqual(events(), ['begun', 'lasts']);
    const { json } = await call('GET /notifications');
    const { acknowledgements } = json as { acknowledgements: { note: string; by: string }[] };
    assert.deepEqual(
      acknowledgements.map(({ note, by }) => [note, by]),
      [['cable ordered', 'ada']],
    );
    assert.equal((await call(`DELETE ${path}`)).status, 200);
    assert.equal((await call(`DELETE ${path}`)).status, 404);
  });

  it('are silenced by a mute, and report the end of the problem after it', async () => {
    received.length = 0;
    const mute = { kind: 'tag', name: 'core', minutes: 120, reason: 'power work' };
    const created = await call('POST /notifications/mutes', { body: mute });
    assert.equal(created.status, 200);
    await clock.pass(7 * 60_000);
    assert.deepEqual(events(), []);
    const { id } = (created.json as { data: { id: string } }).data;
    assert.equal((await call(`DELETE /notifications/mutes/${id}`)).status, 200);
    assert.equal(
      (await call('POST /notifications/mutes', { body: { ...mute, name: 'two words' } })).status,
      400,
    );
    rmSync(join(folder, 'adapters', 'nso1.example.com.yaml'));
    assert.deepEqual(await testServer.running.reload(), []);
    await passUntil(() => events().includes('ended'));
  });

  it('contain no secrets, and neither does the list of receivers', async () => {
    const { text: listed } = await call('GET /notifications');
    for (const kept of [
      listed,
      ...received.map(({ body }) => body),
      ...mailServer.mails.map((mail) => mail.text),
    ])
      assert.ok(!kept.includes(testServer.password), 'the password is in no message');
    assert.ok(!listed.includes('/hook'), 'the path of a webhook may be a secret');
  });
});

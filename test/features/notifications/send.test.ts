import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { EgressCaller } from '../../../src/core/egress.js';
import { Secret } from '../../../src/core/secret.js';
import { createSend, SEND_TIMEOUT_MS } from '../../../src/features/notifications/send.js';
import type { ReceiverSettings } from '../../../src/settings/notifications.js';
import { createFakeScheduler } from '../../support/fake-scheduler.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { startMailServer } from '../../support/smtp-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const MESSAGE = { problems: [], host: 'gw1', url: null, at: 0, isTest: true };
const { signal } = new AbortController();

/** Speaks SMTP: replies to each line that a client sends with the text of the function; undefined: no reply. */
async function startSmtp(replyOf: (line: string) => string | undefined) {
  const sockets: Socket[] = [];
  const lines: string[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).write('220 mail.example.com\r\n');
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        lines.push(line);
        const reply = replyOf(line);
        if (reply !== undefined) socket.write(`${reply}\r\n`);
      }
    });
  });
  const { port, close } = await listenOnLoopback(server);
  const isLeft = () => sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded);
  return { port, lines, isLeft, close };
}

const PEOPLE = { from: 'gatehouse@example.com', to: ['noc@example.com', 'ops@example.com'] };

/** Sends a message by mail, which uses no egress. */
function mailTo(more: object, scheduler = createFakeScheduler()) {
  const plain = { host: '127.0.0.1', security: 'none', username: null, caFile: null };
  const receiver = { name: 'noc', mail: { ...plain, ...PEOPLE, ...more } } as unknown as ReceiverSettings;
  const useEgress = () => Promise.reject(new Error('a mail uses no egress'));
  return createSend({ useEgress, scheduler })(receiver, MESSAGE, signal);
}

describe('a message by mail', () => {
  it('ends after the time limit, although the server answers each step slowly (bug: a mail had no total time limit)', async () => {
    const scheduler = createFakeScheduler();
    const server = await startSmtp((line) =>
      /^(EHLO|MAIL)/.test(line) ? '250 mail.example.com' : undefined,
    );
    const sending = mailTo({ port: server.port }, scheduler);
    sending.catch(() => undefined);
    await until(() => server.lines.some((line) => line.startsWith('RCPT')));
    await scheduler.pass(SEND_TIMEOUT_MS);
    await assert.rejects(sending, /did not accept the message within 30 s/);
    await until(server.isLeft);
    assert.equal(scheduler.next(), undefined);
    await server.close();
  });

  it('returns the recipients that the server refused (bug: they never got a mail, and nothing said so)', async () => {
    let isData = false;
    const server = await startSmtp((line) => {
      if (line.includes('ops@example.com') && line.startsWith('RCPT')) return '550 no such user';
      if (line === 'DATA') isData = true;
      if (line === 'DATA') return '354 go on';
      if (isData && line !== '.') return undefined;
      isData = false;
      return '250 ok';
    });
    assert.deepEqual(await mailTo({ port: server.port }), { refused: ['ops@example.com'] });
    await server.close();
  });

  it('names the hop that failed (bug: "connect ECONNREFUSED", "self-signed certificate", "Invalid login: 535 ...")', async () => {
    const server = await startMailServer('gatehouse', () => 'right');
    const caFile = join(temporaryFolder().path, 'ca.pem');
    writeFileSync(caFile, server.caPem);
    const account = { username: 'gatehouse', password: new Secret('wrong') };
    const login = { port: server.port, security: 'starttls', ...account };
    const target = `the mail server 127.0.0.1:${server.port}`;
    for (const [settings, message] of [
      [{ port: 1 }, 'the mail server 127.0.0.1:1 refuses connections on this port'],
      [login, `the certificate of ${target} is self-signed and not trusted`],
      [{ ...login, caFile }, `${target} refused the login (status 535)`],
    ] as const)
      await assert.rejects(mailTo(settings), { message });
    await server.close();
  });
});

describe('a message to a webhook', () => {
  const receiver = {
    name: 'chat',
    webhook: { url: 'https://chat.example.com/hook', secret: new Secret('key') },
  } as unknown as ReceiverSettings;
  const sendWith = (call: EgressCaller['call'], scheduler = createFakeScheduler()) =>
    createSend({ useEgress: (work) => work({ call }), scheduler });

  it('is not accepted by a redirect, which is not followed', async () => {
    let calls = 0;
    const send = sendWith(() => {
      calls += 1;
      return Promise.resolve({ status: 307, release: () => undefined } as never);
    });
    await assert.rejects(send(receiver, MESSAGE, signal), /answered with the status 307/);
    assert.equal(calls, 1);
  });

  it('ends after the time limit, and when the server stops', async () => {
    for (const end of ['time', 'close'] as const) {
      const scheduler = createFakeScheduler();
      const closing = new AbortController();
      let isEnded = false;
      const send = sendWith((_call, cancel) => {
        cancel.addEventListener('abort', () => (isEnded = true), { once: true });
        return new Promise(() => undefined);
      }, scheduler);
      const sending = send(receiver, MESSAGE, closing.signal);
      sending.catch(() => undefined);
      if (end === 'time') await scheduler.pass(SEND_TIMEOUT_MS);
      else closing.abort(new Error('the server stops'));
      await assert.rejects(sending);
      assert.equal(isEnded, true);
      assert.equal(scheduler.next(), undefined);
    }
  });

  it('takes the share of its receiver of the concurrent calls (bug: receivers that hang kept the others from sending)', async () => {
    const subjects: string[] = [];
    const send = sendWith(({ subject }) => {
      subjects.push(subject);
      return Promise.resolve({ status: 204, release: () => undefined } as never);
    });
    for (const name of ['chat', 'noc']) await send({ ...receiver, name }, MESSAGE, signal);
    assert.deepEqual(subjects, ['notifications chat', 'notifications noc']);
  });
});

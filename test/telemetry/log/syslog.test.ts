import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { SyslogSettings } from '../../../src/settings/log.js';
import { openLog } from '../../../src/telemetry/log/open-log.js';
import { makeCertificate } from '../../support/certificates.js';
import { collectingStream } from '../../support/collecting-stream.js';
import { listenOnLoopback } from '../../support/loopback.js';
import { receiveConnections, receiveDatagrams, type SyslogReceiver } from '../../support/syslog-receiver.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const HEAD = new RegExp(
  `^<(\\d+)>1 2026-01-02T03:04:05\\.678Z ${hostname().replaceAll('.', '\\.')} gatehouse ${process.pid} - - (\\{.*\\})$`,
);

/** Opens a log with a syslog receiver; `lines` returns the lines of its console. */
function open(settings: Pick<SyslogSettings, 'url'> & Partial<SyslogSettings>) {
  const clock = { time: Date.UTC(2026, 0, 2, 3, 4, 5, 678), now: () => clock.time };
  const { stream, lines } = collectingStream();
  const syslog: SyslogSettings = { facility: 'local3', appName: 'gatehouse', caFile: null, ...settings };
  const opened = openLog(
    { level: 'info', format: 'json', file: null, rotation: null, syslog },
    { stream, clock },
  );
  return { ...opened, clock, lines };
}

describe('syslog (RFC 5424)', () => {
  const receivers: SyslogReceiver[] = [];
  const closeLater = <T extends SyslogReceiver>(receiver: T): T => {
    receivers.push(receiver);
    return receiver;
  };
  after(() => {
    for (const receiver of receivers) receiver.close();
  });

  const folder = temporaryFolder().path;
  const transports: readonly (readonly [
    transport: string,
    open: () => Promise<[SyslogReceiver, string | null]>,
  ])[] = [
    ['datagrams (RFC 5426)', async () => [await receiveDatagrams(), null]],
    ['a connection (RFC 6587)', async () => [await receiveConnections(), null]],
    ['a Unix socket', async () => [await receiveConnections({ path: join(folder, 'log') }), null]],
    [
      'TLS (RFC 5425)',
      async () => {
        const { cert, key } = await makeCertificate({ ip: '127.0.0.1' });
        const caFile = join(folder, 'ca.pem');
        writeFileSync(caFile, cert);
        return [await receiveConnections({ tls: { cert, key } }), caFile];
      },
    ],
  ];
  for (const [transport, openReceiver] of transports)
    it(`receives each complete line with its severity over ${transport}`, async () => {
      const [receiver, caFile] = await openReceiver();
      closeLater(receiver);
      const { log, close } = open({ url: receiver.url, caFile });
      log.info('grüße', { adapter: 'nso1' });
      log.error('two\nlines');
      log.warn('third');
      await until(() => receiver.messages.length === 3);
      await close();
      const parts = receiver.messages.map((message) => HEAD.exec(message) ?? []);
      assert.deepEqual(parts.map(([, priority]) => Number(priority)), [19 * 8 + 6, 19 * 8 + 3, 19 * 8 + 4]); // prettier-ignore
      assert.deepEqual(JSON.parse(parts[0]?.[2] ?? ''), {
        time: '2026-01-02T03:04:05.678Z',
        level: 'info',
        message: 'grüße',
        adapter: 'nso1',
      });
    });

  /** Starts a receiver with an untrusted certificate. */
  async function receiveUntrusted(): Promise<SyslogReceiver> {
    return closeLater(await receiveConnections({ tls: await makeCertificate({ ip: '127.0.0.1' }) }));
  }

  it('counts and reports the lines that it loses if the certificate is not trusted (bug: they were lost silently)', async () => {
    const receiver = await receiveUntrusted();
    const { log, close, lines, droppedLines } = open({ url: receiver.url });
    log.info('for the receiver alone');
    await until(() => lines().some((line) => line.includes('DEPTH_ZERO_SELF_SIGNED_CERT')));
    await close();
    // The line itself, and the line that reports the failure.
    assert.deepEqual([receiver.messages, droppedLines().syslog], [[], 2]);
  });

  it('sends nothing if the certificate is not trusted, even with NODE_TLS_REJECT_UNAUTHORIZED=0 (bug: that was obeyed)', async () => {
    const receiver = await receiveUntrusted();
    // Node.js warns of the variable.
    const emitWarning = process.emitWarning.bind(process);
    process.emitWarning = () => undefined;
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const { log, close, lines } = open({ url: receiver.url });
      log.info('for the receiver alone');
      await until(() => lines().some((line) => line.includes('the certificate of the syslog receiver is')));
      await close();
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      process.emitWarning = emitWarning;
    }
    assert.deepEqual(receiver.messages, []);
  });

  it('cuts a line between two characters if a datagram cannot contain it', async () => {
    const receiver = closeLater(await receiveDatagrams());
    const { log, close } = open({ url: receiver.url });
    log.info('x', { a: 'ä'.repeat(8000) });
    await until(() => receiver.messages.length === 1);
    await close();
    const [message = ''] = receiver.messages;
    assert.ok(Buffer.byteLength(message) <= 8192 && Buffer.byteLength(message) > 8185);
    assert.doesNotMatch(message, /\ufffd/);
  });

  it('reconnects after the receiver has closed the connection', async () => {
    const receiver = closeLater(await receiveConnections());
    const { log, close, clock } = open({ url: receiver.url });
    log.info('one');
    await until(() => receiver.messages.length === 1);
    receiver.disconnect();
    await until(() => {
      clock.time += 1000;
      log.info('again');
      return receiver.messages.length > 1;
    });
    await close();
  });

  it('is reported once, and its lost lines are counted, if no receiver listens; the console gets all lines', async () => {
    const { log, close, lines, droppedLines, clock } = open({ url: 'tcp://127.0.0.1:1' });
    log.info('one');
    const refusal = 'the syslog receiver refuses connections on this port (ECONNREFUSED)';
    await until(() => lines().some((line) => line.includes(refusal)));
    clock.time += 1000;
    log.info('two');
    await until(() => (droppedLines().syslog ?? 0) >= 3);
    await close();
    assert.equal(lines().filter((line) => line.includes('log output failed')).length, 1);
    assert.deepEqual(lines().filter((line) => /"(one|two)"/.test(line)).length, 2);
    assert.equal(droppedLines().console, 0);
  });

  it('drops lines for a stalled receiver without blocking the server', async () => {
    const sockets: Socket[] = [];
    const server = await listenOnLoopback(createServer((socket) => sockets.push(socket.pause())));
    const { log, close, droppedLines } = open({ url: `tcp://${server.host}` });
    // The lines exceed the socket buffers of the system.
    for (let at = 0; at < 4000 && droppedLines().syslog === 0; at += 1) {
      log.info('x'.repeat(8000));
      if (at % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.notEqual(droppedLines().syslog, 0);
    for (const socket of sockets) socket.destroy();
    await server.close();
    await close();
  });
});

import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { lookup } from 'node:dns';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { Writable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { LogLevel } from '../../core/log.js';
import type { SyslogSettings } from '../../settings/log.js';
import type { LineStream } from './bounded-writer.js';
import type { Render } from './line.js';

/** Facility numbers (RFC 5424 section 6.2.1). */
const FACILITIES: Readonly<Record<SyslogSettings['facility'], number>> = {
  user: 1,
  daemon: 3,
  auth: 4,
  authpriv: 10,
  local0: 16,
  local1: 17,
  local2: 18,
  local3: 19,
  local4: 20,
  local5: 21,
  local6: 22,
  local7: 23,
};

const SEVERITIES: Readonly<Record<LogLevel, number>> = {
  error: 3,
  warn: 4,
  info: 6,
  debug: 7,
  trace: 7,
  spam: 7,
};

/**
 * Maximum size of a datagram, in bytes; receivers may not accept even this much (RFC 5426 section 3.2). The
 * rest is truncated.
 */
const DATAGRAM_BYTES = 8192;
/** Maximum time to open a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Returns a renderer for syslog messages (RFC 5424), whose text is the line of another renderer. On
 * connections each message has a length prefix (RFC 6587 section 3.4.1, RFC 5425 section 4.3); a datagram
 * holds one message.
 */
export function renderSyslog({ url, facility, appName }: SyslogSettings, render: Render): Render {
  const tail = `${printable(hostname(), 255)} ${printable(appName, 48)} ${process.pid} - -`;
  const isFramed = !url.startsWith('udp:');
  return (entry) => {
    const priority = FACILITIES[facility] * 8 + SEVERITIES[entry.level];
    const message = `<${priority}>1 ${entry.time} ${tail} ${render(entry).trimEnd()}`;
    return isFramed ? `${Buffer.byteLength(message)} ${message}` : `${message}\n`;
  };
}

function printable(text: string, length: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, length) || '-';
}

/**
 * Opens a stream to a receiver: `udp://`, `tcp://` or `tls://` with a host and an optional port, or `unix:`
 * with a path.
 */
export function openSyslog({ url, caFile }: SyslogSettings): LineStream {
  if (url.startsWith('unix:')) return withConnectTimeout(connect(url.slice('unix:'.length)));
  const { protocol, hostname: bracketed, port } = new URL(url);
  const host = bracketed.replace(/^\[(.*)\]$/, '$1');
  if (protocol === 'udp:') return datagrams(host, Number(port || 514));
  if (protocol === 'tcp:') return withConnectTimeout(connect(Number(port || 601), host));
  const ca = caFile === null ? {} : { ca: readFileSync(caFile) };
  // Always explicit, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
  return withConnectTimeout(
    connectTls({ host, port: Number(port || 6514), rejectUnauthorized: true, ...ca }),
  );
}

/** Adds a connection timeout to a socket, and discards received data. */
function withConnectTimeout(socket: Socket): Socket {
  socket.resume();
  socket.setTimeout(CONNECT_TIMEOUT_MS, () =>
    socket.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS} ms`)),
  );
  const settle = (): void => {
    socket.setTimeout(0).setKeepAlive(true);
  };
  return socket.once('encrypted' in socket ? 'secureConnect' : 'connect', settle);
}

/** Creates a stream that sends each line as a datagram. */
function datagrams(host: string, port: number): Writable {
  let socket: DatagramSocket | undefined;
  const stream: Writable = new Writable({
    construct(done) {
      lookup(host, (error, address, family) => {
        if (error) {
          done(error);
          return;
        }
        socket = createSocket(family === 6 ? 'udp6' : 'udp4').unref();
        // Without a receiver, the system reports an error some time after a message was sent.
        socket.on('error', (failure) => stream.destroy(failure));
        socket.connect(port, address, done);
      });
    },
    write(chunk: Buffer, _encoding, done) {
      sendAll(socket, linesOf(chunk), done);
    },
    destroy(error, done) {
      socket?.close();
      done(error);
    },
  });
  return stream;
}

function sendAll(
  socket: DatagramSocket | undefined,
  [first, ...rest]: readonly Buffer[],
  done: (error?: Error | null) => void,
): void {
  if (!first) {
    done();
    return;
  }
  socket?.send(first, (error) => {
    if (error) done(error);
    else sendAll(socket, rest, done);
  });
}

function linesOf(chunk: Buffer): readonly Buffer[] {
  const lines = chunk.toString().split('\n').slice(0, -1);
  return lines.map((line) => truncate(Buffer.from(line)));
}

/** Truncates a datagram at a character boundary. */
function truncate(bytes: Buffer): Buffer {
  let length = Math.min(bytes.length, DATAGRAM_BYTES);
  while (length < bytes.length && ((bytes[length] ?? 0) & 0xc0) === 0x80) length -= 1;
  return bytes.subarray(0, length);
}

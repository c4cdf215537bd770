import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** A receiver of syslog messages on loopback. */
export interface SyslogReceiver {
  readonly url: string;
  /** Messages so far, without their framing. */
  readonly messages: readonly string[];
  /** Closes all connections; accepts new ones. */
  disconnect(): void;
  close(): void;
}

interface SyslogReceiverOptions {
  /** Listens with TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Path of a socket to listen on instead of a port. */
  readonly path?: string;
}

/** Receives datagrams with one message each (RFC 5426). */
export async function receiveDatagrams(): Promise<SyslogReceiver> {
  const messages: string[] = [];
  const socket = createSocket('udp4').unref();
  socket.on('message', (message) => messages.push(message.toString()));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    url: `udp://127.0.0.1:${socket.address().port}`,
    messages,
    disconnect: () => undefined,
    close: () => socket.close(),
  };
}

/** Accepts connections that carry messages with their lengths (RFC 6587 section 3.4.1). */
export async function receiveConnections({ tls, path }: SyslogReceiverOptions = {}): Promise<SyslogReceiver> {
  const messages: string[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket): void => {
    sockets.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      rest = readMessages(Buffer.concat([rest, chunk]), messages);
    });
  };
  const server: Server = tls ? createTlsServer(tls, take) : createServer(take);
  server.unref().listen(path ?? { port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const port = path === undefined ? (server.address() as AddressInfo).port : 0;
  const url = path === undefined ? `${tls ? 'tls' : 'tcp'}://127.0.0.1:${port}` : `unix:${path}`;
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url,
    messages,
    disconnect,
    close() {
      disconnect();
      server.close();
    },
  };
}

/** Removes whole messages and returns the remaining bytes. */
function readMessages(bytes: Buffer, messages: string[]): Buffer {
  let at = 0;
  for (;;) {
    const blank = bytes.indexOf(' ', at);
    const length = Number(bytes.toString('latin1', at, blank));
    if (blank < 0 || bytes.length < blank + 1 + length) return bytes.subarray(at);
    messages.push(bytes.toString('utf8', blank + 1, blank + 1 + length));
    at = blank + 1 + length;
  }
}

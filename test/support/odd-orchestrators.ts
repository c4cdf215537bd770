import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** A server on a free port of 127.0.0.1, and the number of its open connections. */
export interface OddOrchestrator {
  readonly port: number;
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Opens a server that accepts connections and never sends a byte. */
export function openSilentServer(): Promise<OddOrchestrator> {
  return open(createTcpServer((socket) => socket.on('error', () => undefined).resume()));
}

/** Opens a server that answers every request with the HTML of a login page. */
export function openLoginPageServer(): Promise<OddOrchestrator> {
  return open(
    createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<html><body><form action="/login">Sign in</form></body></html>');
    }),
  );
}

async function open(server: Server): Promise<OddOrchestrator> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';

/** A server that listens on loopback. */
export interface Listener {
  readonly port: number;
  /** Address and port. */
  readonly host: string;
  /** Returns the number of open connections. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Makes a server listen on 127.0.0.1, on a free port unless a port is given. */
export async function listenOnLoopback(
  server: Server,
  { port = 0, host = '127.0.0.1' } = {},
): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  return {
    port: bound,
    host: `${host}:${bound}`,
    connections: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      // A server that a test has closed calls back as well.
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns true if a port of 127.0.0.1 accepts connections. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from './loopback.js';

/** A port of 127.0.0.1 that leads to another one, unless it is cut. */
export interface TcpRelay {
  readonly port: number;
  /** Ends all connections, and each further one at once. */
  cut(): void;
  /** Connects again. */
  mend(): void;
  close(): Promise<void>;
}

/** Starts a relay to a port of 127.0.0.1, which may be known only when the first connection arrives. */
export async function startTcpRelay(target: () => number): Promise<TcpRelay> {
  let isCut = false;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(target(), '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    port,
    cut() {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    close,
  };
}

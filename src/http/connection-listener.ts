import { createServer, type Socket } from 'node:net';
import type { Log } from '../core/log.js';
import { bind, type BindTarget } from './bind.js';
import { formatAddress } from './listen-address.js';

/** A listener that reads nothing: whoever is handed a connection serves it. */
export interface ConnectionListener {
  /** `host:port`, with the port that the system chose, if it did. */
  readonly address: string;
  /** Takes no more connections. */
  close(): void;
}

export interface ListenTarget extends BindTarget {
  /** Most connections that may wait to be handed on; more are dropped. */
  readonly connections: number;
}

/** Opens an entrance; `give` is handed each connection, paused. Throws an Error that says what to do when it cannot. */
export async function openConnectionListener(
  target: ListenTarget,
  give: (socket: Socket) => void,
  log: Log,
): Promise<ConnectionListener> {
  // As Node's servers of HTTP open theirs.
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, give);
  server.maxConnections = target.connections;
  const address = formatAddress(await bind(server, target));
  server.on('error', (error) => {
    log.error('server error', { error });
  });
  return {
    address,
    close() {
      server.close();
    },
  };
}

import { createServer, type Socket } from 'node:net';
import type { Log } from '../core/log.js';
import { bind, type BindTarget } from './bind.js';
import { formatAddress } from './listen-address.js';

/** A listener that accepts connections without reading from them; another component serves them. */
export interface ConnectionListener {
  /** `host:port`, with the actual port if the system chose it. */
  readonly address: string;
  /** Stops accepting connections. */
  close(): void;
}

export interface ListenTarget extends BindTarget {
  /** Maximum number of connections that wait to be passed on; more are dropped. */
  readonly connections: number;
}

/**
 * Opens a listener that passes each connection to `give`, paused. Throws an Error with advice when the
 * address cannot be listened on.
 */
export async function openConnectionListener(
  target: ListenTarget,
  give: (socket: Socket) => void,
  log: Log,
): Promise<ConnectionListener> {
  // The socket options that Node's HTTP servers use.
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

import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Log } from '../core/log.js';

/** Address that a server listens on, such as `127.0.0.1:3000`. */
interface ListenAddress {
  /** Host name or IP address; an IPv6 address has no brackets. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** Parses `host:port`; an IPv6 host is in brackets. Throws an Error that shows the expected form. */
export function parseListen(listen: string): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s/]+)):(\d{1,5})$/.exec(listen);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port > 65535)
    throw new Error(
      `server.listen is "${listen}". Write host:port, for example 127.0.0.1:3000 or [::1]:3000.`,
    );
  return { host, port };
}

/** Formats an address as `host:port` for a URL. */
export function formatAddress({ host, port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Creates the Error, with advice, for an address that a server cannot use; the system error is the cause. */
export function listenError(address: ListenAddress, cause: NodeJS.ErrnoException): Error {
  const advice =
    ADVICE[cause.code ?? ''] ??
    `The system reports ${cause.code ?? 'no code'}. Choose another address (server.listen, or --listen).`;
  return new Error(`Cannot listen on ${formatAddress(address)}. ${advice}`, { cause });
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another process holds the port: stop it, or choose another port (server.listen, or --listen).',
  EACCES:
    'The port needs privileges: choose a port above 1023 (server.listen, or --listen), or grant CAP_NET_BIND_SERVICE.',
  EADDRNOTAVAIL:
    'This machine does not have that address: choose one that it has (server.listen, or --listen).',
  ENOTFOUND: 'The host name is not known: choose an address of this machine (server.listen, or --listen).',
};

/** Address or socket that a server listens on. */
interface BindTarget {
  /** `host:port`; an IPv6 host is in brackets. */
  readonly listen: string;
  /** File descriptor of a listening socket, inherited from the parent process; overrides `listen`. */
  readonly inherited?: number | undefined;
}

/**
 * Starts listening. Resolves to the address, with the actual port if the system chose the port. Throws an
 * Error with advice if the server cannot use the address.
 */
export async function bind(server: Server, { listen, inherited }: BindTarget): Promise<ListenAddress> {
  const configured = parseListen(listen);
  await listenOn(server, inherited === undefined ? configured : { fd: inherited }).catch((error: unknown) => {
    throw listenError(configured, error as NodeJS.ErrnoException);
  });
  const { address, port } = server.address() as AddressInfo;
  return inherited === undefined ? { host: configured.host, port } : { host: address, port };
}

/** Starts listening on a port, a Unix domain socket or a file descriptor. */
function listenOn(server: Server, target: ListenOptions & { readonly fd?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(target, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** Maximum number of turns of the event loop that accept waiting connections, so that a flood cannot delay a stop. */
const MAX_ACCEPT_TURNS = 1000;
/** Maximum duration of the last of these turns, in milliseconds: a connection that arrives after its start is lost. */
const MAX_LAST_TURN_MS = 0.1;

/**
 * Accepts the connections that the system has already established for a listening server, because the system resets
 * them when the server stops listening. Call it just before.
 */
export async function acceptWaiting(server: Server): Promise<void> {
  if (!server.listening) return;
  let hasAccepted = false;
  const onConnection = (): void => {
    hasAccepted = true;
  };
  server.on('connection', onConnection);
  // The first turn ends before the event loop looks for connections.
  await setImmediate();
  for (let turns = 0; turns < MAX_ACCEPT_TURNS; turns += 1) {
    hasAccepted = false;
    const startedAt = performance.now();
    await setImmediate();
    // `hasAccepted` changes during the wait.
    if (!(hasAccepted as boolean) && performance.now() - startedAt < MAX_LAST_TURN_MS) break;
  }
  server.off('connection', onConnection);
}

/** A listener that accepts connections for other processes and does not read from the connections. */
interface ConnectionListener {
  /** `host:port`, with the actual port if the system chose it. */
  readonly address: string;
  /** Passes on the connections that wait, and stops accepting connections. */
  close(): Promise<void>;
}

interface ListenTarget extends BindTarget {
  /** Maximum number of connections that wait for another process; the listener drops further connections. */
  readonly connections: number;
}

/**
 * Opens a listener that passes each connection, paused, to `onConnection`. Throws an Error with advice if the
 * listener cannot use the address.
 */
export async function openConnectionListener(
  target: ListenTarget,
  onConnection: (socket: Socket) => void,
  log: Log,
): Promise<ConnectionListener> {
  // These socket options are those of Node's HTTP servers.
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, onConnection);
  server.maxConnections = target.connections;
  const address = formatAddress(await bind(server, target));
  server.on('error', (error) => {
    log.error('server error', { error });
  });
  return {
    address,
    async close() {
      await acceptWaiting(server);
      server.close();
    },
  };
}

import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { type ListenAddress, listenError, parseListen } from './listen-address.js';

/** Address or socket that a server listens on. */
export interface BindTarget {
  /** `host:port`; an IPv6 host is in brackets. */
  readonly listen: string;
  /** File descriptor of a listening socket, inherited from the parent process; overrides `listen`. */
  readonly inherited?: number | undefined;
}

/**
 * Starts listening and resolves to the address, including a port chosen by the system. Throws an Error with
 * advice when the address cannot be listened on.
 */
export async function bind(server: Server, { listen, inherited }: BindTarget): Promise<ListenAddress> {
  const wanted = parseListen(listen);
  await bindTo(server, inherited === undefined ? wanted : { fd: inherited }).catch((error: unknown) => {
    throw listenError(wanted, error as NodeJS.ErrnoException);
  });
  const { address, port } = server.address() as AddressInfo;
  return inherited === undefined ? { host: wanted.host, port } : { host: address, port };
}

/** Starts listening on a Unix domain socket, or on anything else that Node can listen on. */
export function bindTo(server: Server, place: ListenOptions & { readonly fd?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

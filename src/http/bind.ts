import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { type ListenAddress, listenError, parseListen } from './listen-address.js';

/** Where a server listens. */
export interface BindTarget {
  /** `host:port`; an IPv6 host stands in brackets. */
  readonly listen: string;
  /** A socket that listens already, as whoever started the process handed it over; goes before `listen`. */
  readonly inherited?: number | undefined;
}

/**
 * Has a server listen. Resolves to where it does so, with the port that the system chose, if it did. Throws an Error that
 * says what to do when it cannot.
 */
export async function bind(server: Server, { listen, inherited }: BindTarget): Promise<ListenAddress> {
  const wanted = parseListen(listen);
  await bindTo(server, inherited === undefined ? wanted : { fd: inherited }).catch((error: unknown) => {
    throw listenError(wanted, error as NodeJS.ErrnoException);
  });
  const { address, port } = server.address() as AddressInfo;
  return inherited === undefined ? { host: wanted.host, port } : { host: address, port };
}

/** Has a server listen on a socket of the file system, or on whatever else Node can listen on. */
export function bindTo(server: Server, place: ListenOptions & { readonly fd?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

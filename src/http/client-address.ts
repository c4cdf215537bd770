import type { IncomingMessage } from 'node:http';

/**
 * Returns the IP address of the client that sent a request; empty after the client has disconnected. Limits, audit
 * records and forwarded headers use this address. This is the peer of the connection: behind a reverse proxy, the
 * address of the proxy. No header of the request counts, because any client can send it.
 */
export function clientAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

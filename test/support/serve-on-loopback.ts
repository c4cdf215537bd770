import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** A server of a test that listens on a free port of 127.0.0.1. */
export interface LoopbackServer {
  readonly port: number;
  /** Address and port. */
  readonly host: string;
  /** Ends its connections as well if it is a server for HTTP. */
  readonly close: () => void;
}

/** Lets a server for TCP, TLS or HTTP listen. */
export async function serveOnLoopback(
  server: Server & { closeAllConnections?(): void },
): Promise<LoopbackServer> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    close() {
      server.closeAllConnections?.();
      server.close();
    },
  };
}
